// What identities are on the channel: the verdict and the problems first.

import {
  identitySections,
  onOneLine,
  type ExplainedIdentity,
  type IdentitySection,
} from 'fabric-ops-agent/translator/review';
import { html, type TemplateResult } from 'lit';
import { table } from '../../core/common/page/table.js';
import { identityVerdict, type IdentityResult } from './identities.js';

/** The titles of the columns of each section, by the title of the section. */
const TITLES: Readonly<Record<string, readonly string[]>> = {
  identity: ['field', 'content'],
  may: ['allowed', 'policy', 'services'],
  satisfies: ['policy', 'how'],
  'signs changes of': ['elements', 'how'],
};

/** The identities of a file. */
export function identityView(result: IdentityResult): TemplateResult {
  const name = onOneLine(result.name);
  return html`<section aria-label=${`identity in ${name}`}>
    <h2>Identity in ${name}</h2>
    ${
      'error' in result
        ? html`<p class="verdict bad">It cannot be explained</p>
            <p>${onOneLine(result.error)}</p>`
        : result.report.identities.map(explainedView)
    }
  </section>`;
}

function explainedView(identity: ExplainedIdentity): TemplateResult {
  const { place, mspid, certificate, problems } = identity;
  const { kind, text } = identityVerdict(identity);
  const who = onOneLine(`${mspid ?? 'no MSP'}, ${certificate.subject ?? 'an unreadable certificate'}`);
  return html`<h3>${onOneLine(place)}: ${who}</h3>
    <p class="verdict ${kind}">${text}</p>
    ${problems.map(
      (problem) =>
        html`<div class="finding ${kind === 'bad' ? 'danger' : 'warning'}" data-id=${problem.kind}>
          ${onOneLine(problem.text)}<br />to do: ${onOneLine(problem.todo)}
        </div>`,
    )}
    ${identitySections(identity)
      .filter(({ rows }) => rows.length > 0)
      .map(
        ({ title, rows }) =>
          html`<h4>${title}</h4>
            ${sectionView(TITLES[title] ?? [], rows)}`,
      )}`;
}

/** A section that only says `nothing` is no table. */
const sectionView = (titles: readonly string[], rows: IdentitySection['rows']): TemplateResult =>
  rows.every(({ length }) => length === 1)
    ? html`<p>${rows.flat().map(onOneLine).join(', ')}</p>`
    : table(
        titles,
        rows.map((cells) => cells.map(onOneLine)),
      );
