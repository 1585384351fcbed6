// Identities on the channel: the verdict and the problems first.

import { onOneLine } from '../../core/common/text/one-line.js';
import { identityDocument, type ExplainedIdentity, type Section } from '#translator/documents/index.js';
import { html, type TemplateResult } from 'lit';
import { sectionView } from './html.js';
import { identityVerdict, type IdentityResult } from './identities.js';

/** The identities of a file. */
export function identityView(result: IdentityResult): TemplateResult {
  const name = onOneLine(result.name);
  return html`<section class="card" aria-label=${`identity in ${name}`}>
    ${
      'error' in result
        ? html`<h2 class="verdict state-stopped">It cannot be explained</h2>
            <p>${name}: ${onOneLine(result.error)}</p>`
        : (identityDocument(result.report).sections ?? []).map((section, index) =>
            explainedView(name, section, result.report.identities[index]!),
          )
    }
  </section>`;
}

function explainedView(
  name: string,
  { title, sections = [] }: Section,
  identity: ExplainedIdentity,
): TemplateResult {
  const { state, text } = identityVerdict(identity);
  const isProblems = ({ id }: Section): boolean => id === 'problems';
  return html`<h2 class="verdict state-${state}">${text}</h2>
    <p><strong>${onOneLine(title)}</strong> <span class="dim">${name}</span></p>
    ${sections.filter(isProblems).map((section) => sectionView(section, 3))}
    <details ?open=${state !== 'works'}>
      <summary>What it is, and what it may</summary>
      ${sections.filter((each) => !isProblems(each)).map((section) => sectionView(section, 3))}
    </details>`;
}
