// A review on the page: the verdict, who gains and loses, what changes, and the part of the reader.

import { onOneLine } from '../../core/common/text/one-line.js';
import { groupBy } from '../../core/common/group-by.js';
import type { Problem, Row, Section } from '#translator/documents/index.js';
import {
  changeCell,
  addedCas,
  reviewDocument,
  unknownOfUpdate,
  verdictOf,
  type Conflict,
  type Review,
} from '#translator/review/index.js';
import { html, type TemplateResult } from 'lit';
import { capitalised } from '../../core/common/text/capitalised.js';
import { grouped } from '../../core/common/text/grouped.js';
import { gainsView } from './gains-view.js';
import { headlineOf, type State } from './headline.js';
import { cellView, ordererView, problemView, sectionView, wordsView } from './html.js';
import type { ShownGains } from './model.js';
import { namesText } from './names.js';

/** The number of changed elements that are shown at first; elements with dangers come first. */
const CHANGES = 25;
/**
 * A review: the verdict in a sentence, dangers with what to do, gains and losses, changes.
 *
 * @param name of the update, for screen readers
 * @param gains `none` if they are not shown
 * @param baseNotes configs that are not used for the review, and why
 * @param hasConflict whether only it or another update can be accepted
 */
export function reviewView(
  name: string,
  review: Review,
  gains: ShownGains | 'none' | undefined,
  baseNotes: readonly string[],
  hasConflict = false,
): TemplateResult {
  const { state, title, matters } = headlineOf(review, baseNotes.length === 0 && !hasConflict);
  const base = review.block === null ? 'one config' : `block ${review.block}`;
  const notes = baseNotes.map((note) => `Reviewed against ${base}: ${note}`);
  const { sections = [] } = reviewDocument(review);
  // Missing signatures stand in the list of signatures.
  const problems = problemsIn(sections).filter(({ label }) => label !== 'unsigned');
  const lead = problems.find(({ isStated }) => isStated === true);
  const others = problems.filter((problem) => problem !== lead);
  return html`<article aria-label=${`review of ${name}`} data-state=${state}>
    ${verdictView(state, title, [...(matters === '' ? [] : [reasonText(matters)]), ...notes])}
    ${newCasView(review)} ${lead === undefined ? '' : leadView(lead, matters)} ${others.map(problemView)}
    ${gains === 'none' || review.appliedIn !== null ? '' : gainsView(gains, verdictOf(review))}
    ${sections.filter(({ id }) => id === 'changes').map((section) => sectionView(shortened(section, review), 3))}
    ${basisView(review)}
  </article>`;
}

/** The changes, equal ones of many organisations in one row, and fewer rows before users open the others. */
const shortened = (section: Section, { findings }: Review): Section => ({
  ...section,
  blocks: section.blocks.map((block) => {
    if (block.kind !== 'rows') return block;
    const rows = groupedRows(
      block.rows,
      new Set(findings.flatMap(({ severity, path }) => (severity === 'unsigned' ? [] : [path]))),
    );
    if (rows.length < block.rows.length)
      return {
        ...block,
        rows: [...rows, ...block.rows],
        limit: { shown: rows.length, noun: 'rows: each organisation' },
      };
    return block.limit === undefined
      ? block
      : { ...block, limit: { ...block.limit, shown: Math.min(CHANGES, block.limit.shown) } };
  }),
});

/** From this number on, equal changes of organisations are one row. */
const ALIKE = 4;

/**
 * One row for equal changes of the same element of many organisations: `MSP of Org1, Org2, Org3 and 247 more`.
 *
 * @param found the paths of findings, whose rows stay
 */
function groupedRows(rows: readonly Row[], found: ReadonlySet<string>): readonly Row[] {
  const groups = groupBy(rows, (row) => {
    const [, , section, organization, name, ...more] = pathOf(row).split('/');
    const isAlone = organization === undefined || name === undefined || more.length > 0;
    return isAlone || found.has(pathOf(row))
      ? pathOf(row)
      : JSON.stringify([section, name, row.cells.slice(1)]);
  });
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined || same.length < ALIKE) return same;
    const names = namesText(same.map((row) => pathOf(row).split('/')[3] ?? ''));
    return [{ ...first, cells: [`${pathOf(first).split('/')[4]} of ${names}`, ...first.cells.slice(1)] }];
  });
}

/** The path of a changed element, in the first cell of its row. */
const pathOf = ({ cells: [path] }: Row): string => (typeof path === 'string' ? path : '');

/** A reason as a sentence; a name such as `max_message_count` keeps its letters. */
const reasonText = (text: string): string => (/^[a-z]*_/.test(text) ? text : capitalised(text));

/** The verdict: what the update does in large letters, and what matters and notes below it. */
const verdictView = (state: State, title: string, reasons: readonly string[]): TemplateResult =>
  html`<h2 class="verdict">
    <span class="state-${state}">${onOneLine(title)}</span>
    ${reasons.map((reason) => html` <span class="reason">${onOneLine(reason)}</span>`)}
  </h2>`;

/** The number of new CAs that are shown before users open the others. */
const CAS = 2;

/** The CAs to compare with the organisations that the update adds. */
function newCasView(review: Review): TemplateResult | string {
  const cas = addedCas(review).map(
    ({ organization, name, sha256 }) =>
      html`<p>
        <strong>Compare with ${onOneLine(organization)}:</strong> CA ${wordsView(name)}, SHA-256
        <code>${sha256}</code>
      </p>`,
  );
  if (cas.length === 0) return '';
  const rest = cas.slice(CAS);
  return html`<section class="new-cas" aria-label="new CAs">
    ${cas.slice(0, CAS)}
    ${
      rest.length === 0
        ? ''
        : html`<details>
            <summary>and ${rest.length} more</summary>
            ${rest}
          </details>`
    }
  </section>`;
}

/** The finding that the verdict states: its text unless the verdict has it as a whole, its elements, and what to do. */
const leadView = ({ id, text, paths, orderer, todo }: Problem, matters: string): TemplateResult =>
  html`<div class="lead" data-id=${id}>
    ${matters === text ? '' : html`<p>${onOneLine(capitalised(text))}</p>`}
    <p class="dim">${onOneLine(paths.join(', '))}</p>
    <p>To do: ${onOneLine(todo)}</p>
    ${ordererView(orderer)}
  </div>`;

/** The basis of the review, and the facts that it cannot know. */
function basisView(review: Review): TemplateResult {
  const { block, unknown, fits, fingerprint, appliedIn } = review;
  const count = unknownOfUpdate(review).length;
  const base = block === null ? 'this config' : `block ${block}`;
  const open = count === 0 ? '' : `; ${count === 1 ? '1 thing' : `${count} things`} cannot be known`;
  return html`<details class="basis">
    <summary>${fits || appliedIn !== null ? 'Reviewed against' : 'Not made for'} ${base}${open}</summary>
    ${
      unknown.length === 0
        ? ''
        : html`<p>This page cannot know</p>
            <ul class="unknown-facts">
              ${unknown.map((each) => html`<li>${onOneLine(each)}</li>`)}
            </ul>`
    }
    <p>Fingerprint <code>${grouped(fingerprint)}</code></p>
  </details>`;
}

const problemsIn = (sections: readonly Section[]): readonly Problem[] =>
  sections.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.kind === 'problems' ? block.problems : [])),
  );

/** The number of conflicts that are shown at first, and after users open the others. */
const CONFLICTS = { first: 3, more: 50 };

/** The conflicts between updates, as the headline above them. @param reviewOf the review of a file */
export function conflictsView(
  conflicts: readonly Conflict[],
  reviewOf: (file: string) => Review | undefined,
): TemplateResult | string {
  if (conflicts.length === 0) return '';
  const view = (conflict: Conflict): TemplateResult => conflictView(conflict, reviewOf);
  const { first, more } = CONFLICTS;
  const rest = conflicts.length - first;
  return html`<section aria-label="conflicts">
    ${conflicts.slice(0, first).map(view)}
    ${
      rest <= 0
        ? ''
        : html`<details>
            <summary>and ${rest} more conflicts</summary>
            ${conflicts.slice(first, first + more).map(view)}
          </details>`
    }
  </section>`;
}

/** Two updates of which only one can be accepted, and what each makes of the elements that both change. */
const conflictView = (
  { files, elements }: Conflict,
  reviewOf: (file: string) => Review | undefined,
): TemplateResult =>
  html`<h2 class="verdict state-risk">Only one of ${files.map(onOneLine).join(' and ')} can be accepted</h2>
    <p>Both change ${namesText(elements)}. Once one is accepted, the other has to be made again.</p>
    <details>
      <summary>Compare what both change</summary>
      <table class="decides">
        <thead>
          <tr>
            <th scope="col">element</th>
            ${files.map((file) => html`<th scope="col">${onOneLine(file)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${elements.map(
            (element) =>
              html`<tr>
                <th scope="row">${wordsView(element)}</th>
                ${files.map((file) => html`<td data-title=${onOneLine(file)}>${changesOf(reviewOf(file), element)}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </details>`;

const changesOf = (review: Review | undefined, element: string) =>
  review?.elements.filter((each) => each.element === element).map((each) => cellView(changeCell(each)));
