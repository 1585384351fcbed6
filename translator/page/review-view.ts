// A review on the page: the verdict, the dangers, and what cannot be known.

import { html, type TemplateResult } from 'lit';
import {
  changeText,
  groupFindings,
  majorityLines,
  onOneLine,
  type ValueChange,
  type Conflict,
  type Finding,
  type Review,
  type ReviewedElement,
} from 'fabric-ops-agent/translator/review';
import { policyPicture } from './policy-picture.js';
import { verdictOf } from './verdict.js';
import { table } from '../../core/common/page/table.js';

/**
 * A review.
 *
 * @param name the files that contain the update
 * @param actions what people can do with it
 */
export function reviewView(
  name: string,
  review: Review,
  actions: TemplateResult | string = '',
): TemplateResult {
  const { kind, text } = verdictOf(review);
  const { channel, block, fits, fingerprint, findings, unknown } = review;
  const groups = groupFindings(findings.filter(({ severity }) => severity !== 'unsigned'));
  const isGrave = ([first]: readonly Finding[]): boolean => first!.severity !== 'warning';
  const grave = groups.filter(isGrave);
  const others = groups.filter((group) => !isGrave(group));
  return html`<section aria-label=${`review of ${name}`}>
    <h2>Review of ${name}</h2>
    <p class="verdict ${kind}">${text}</p>
    ${grave.length === 0 || unknown.length === 0 ? '' : html`<p>${countText(unknown.length)}</p>`}
    ${grave.map(findingView)} ${unknownView(unknown)} ${others.map(findingView)}
    <p>
      channel ${onOneLine(channel)}${block === null ? '' : `, block ${block}`}; the update
      ${fits ? 'fits' : 'does not fit'} this ${block === null ? 'config' : 'block'}
    </p>
    <h3>Fingerprint</h3>
    <p class="fingerprint">${grouped(fingerprint)}</p>
    <h3>Changes</h3>
    ${changesView(review)}
    <h3>Who must sign</h3>
    ${review.policies.map(policyPicture)} ${signaturesView(review)} ${actions}
    ${listView('Majorities', majorityLines(review.majorities))} ${listView('Next', review.next)}
  </section>`;
}

/** Said next to the verdict if dangers or refusals stand between it and what cannot be known. */
const countText = (count: number): string =>
  `${count === 1 ? '1 thing' : `${count} things`} cannot be known: see below`;

/** What cannot be known, next to a verdict. */
export const unknownView = (lines: readonly string[]): TemplateResult | string =>
  lines.length === 0
    ? ''
    : html`<div class="finding warning unknown">
        <strong>cannot be known</strong>
        <ul>
          ${lines.map((line) => html`<li>${onOneLine(line)}</li>`)}
        </ul>
      </div>`;

/** Four characters at a time, which people can compare. */
const grouped = (hex: string): string => hex.match(/.{1,4}/g)?.join(' ') ?? '';

/** How many elements of equal findings are named. */
const PATHS_SHOWN = 12;

/** Equal findings about several elements. */
function findingView(same: readonly Finding[]): TemplateResult {
  const [{ id, severity, text, todo }] = same as readonly [Finding];
  const paths = [...new Set(same.map(({ path }) => path))].filter((path) => path !== '');
  const rest = paths.length - PATHS_SHOWN;
  const shown = `${paths.slice(0, PATHS_SHOWN).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
  return html`<div class="finding ${severity}" data-id=${id}>
    <strong>${severity}</strong>: ${onOneLine(text)}
    ${paths.length === 0 ? '' : html`<span class="dim">(${onOneLine(shown)})</span>`}<br />to do:
    ${onOneLine(todo)}
  </div>`;
}

/** What changes of an element: what it was, and what it becomes. */
const wordsView = ({ change, words, data }: ReviewedElement): readonly TemplateResult[] =>
  change === 'modified' && data.length > 0
    ? data.map((each) => html`<div>${changeView(each)}</div>`)
    : words.map((each) => html`<div>${onOneLine(each)}</div>`);

const changeView = (each: ValueChange): TemplateResult | string => {
  const { change, label = '', before = '', after = '' } = each;
  return change === 'changed'
    ? html`${onOneLine(label)} <del>${onOneLine(before)}</del> → <ins>${onOneLine(after)}</ins>`
    : onOneLine(changeText(each));
};

const changesView = ({ elements }: Review): TemplateResult =>
  table(
    ['element', 'change'],
    elements.map((each) => [onOneLine(each.element.replace(/^\/Channel\//, '')), wordsView(each)]),
  );

const signaturesView = ({ signatures }: Review): TemplateResult =>
  signatures.length === 0
    ? html`<p class="dim">no signatures yet</p>`
    : html`<ul class="signatures">
        ${signatures.map(
          ({ mspid, subject, problem, countsFor }) =>
            html`<li>
              ${onOneLine(mspid)} ${onOneLine(subject)}:
              ${onOneLine(problem ?? (countsFor.length === 0 ? 'does not count' : `counts for ${countsFor.join(', ')}`))}
            </li>`,
        )}
      </ul>`;

const listView = (title: string, lines: readonly string[]): TemplateResult | string =>
  lines.length === 0
    ? ''
    : html`<h3>${title}</h3>
        <ul>
          ${lines.map((line) => html`<li>${onOneLine(line)}</li>`)}
        </ul>`;

/** Conflicting updates, side by side. */
export const conflictsView = (
  conflicts: readonly Conflict[],
  reviewOf: (file: string) => Review | undefined,
): TemplateResult =>
  html`<section aria-label="conflicts">
    ${conflicts.map(
      ({ files, elements }) =>
        html`<h2>${files.map(onOneLine).join(' and ')} conflict</h2>
          <p>
            Both change ${elements.map(onOneLine).join(', ')}. Once one is accepted, the other has to be made
            again.
          </p>
          ${table(
            ['element', ...files.map(onOneLine)],
            elements.map((element) => [
              onOneLine(element),
              ...files.map((file) =>
                reviewOf(file)
                  ?.elements.filter((each) => each.element === element)
                  .flatMap(wordsView),
              ),
            ]),
          )}`,
    )}
  </section>`;
