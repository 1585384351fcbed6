// A review on the page: first the verdict, the dangers, and the facts that cannot be known.

import {
  changeCell,
  onOneLine,
  reviewDocument,
  type Problem,
  type Section,
  type Conflict,
  type Review,
} from 'fabric-ops-agent/translator/review';
import { html, type TemplateResult } from 'lit';
import { table } from '../../core/common/page/table.js';
import { cellView, problemView, sectionView } from './html.js';
import { policyPicture } from './policy-picture.js';
import { headlineOf } from './headline.js';

/**
 * A review.
 *
 * @param name the files with the update
 * @param actions the buttons for it
 */
export function reviewView(
  name: string,
  review: Review,
  actions: TemplateResult | string = '',
): TemplateResult {
  const { kind, text } = headlineOf(review);
  const { title = '', sections = [] } = reviewDocument(review);
  const part = (wanted: string): readonly TemplateResult[] =>
    sections.filter(({ id }) => id === wanted).map((section) => sectionView(section, 3));
  // The policies and their signatures are shown as pictures.
  const problems = problemsIn(sections).filter(({ label }) => label !== 'unsigned');
  const isGrave = ({ tone }: Problem): boolean => tone === 'bad';
  const grave = problems.filter(isGrave);
  const others = problems.filter((problem) => !isGrave(problem));
  const { unknown, fingerprint } = review;
  return html`<section aria-label=${`review of ${name}`}>
    <h2>Review of ${name}</h2>
    <p class="verdict ${kind}">${text}</p>
    ${grave.length === 0 || unknown.length === 0 ? '' : html`<p>${countText(unknown.length)}</p>`}
    ${grave.map(problemView)} ${part('unknown')} ${others.map(problemView)}
    <p>${onOneLine(title)}</p>
    <h3>Fingerprint</h3>
    <p class="fingerprint">${grouped(fingerprint)}</p>
    ${part('changes')}
    <h3>Who must sign</h3>
    ${review.policies.map(policyPicture)} ${part('signatures')} ${actions} ${part('majorities')}
    ${part('next')}
  </section>`;
}

const problemsIn = (sections: readonly Section[]): readonly Problem[] =>
  sections.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.kind === 'problems' ? block.problems : [])),
  );

/** Shown next to the verdict if dangers or refusals stand above the facts that cannot be known. */
const countText = (count: number): string =>
  `${count === 1 ? '1 thing' : `${count} things`} cannot be known: see below`;

/** Groups of four characters, for comparison by eye. */
const grouped = (hex: string): string => hex.match(/.{1,4}/g)?.join(' ') ?? '';

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
                  .map((each) => cellView(changeCell(each))),
              ),
            ]),
          )}`,
    )}
  </section>`;
