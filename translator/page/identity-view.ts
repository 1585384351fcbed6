// Identities on the channel: the verdict and the problems first.

import {
  identityDocument,
  onOneLine,
  type ExplainedIdentity,
  type Section,
} from 'fabric-ops-agent/translator/review';
import { html, type TemplateResult } from 'lit';
import { heading, sectionView } from './html.js';
import { identityVerdict, type IdentityResult } from './identities.js';

/** The identities of a file. */
export function identityView(result: IdentityResult): TemplateResult {
  const name = onOneLine(result.name);
  return html`<section aria-label=${`identity in ${name}`}>
    <h2>Identity in ${name}</h2>
    ${
      'error' in result
        ? html`<p class="verdict bad">It cannot be explained</p>
            <p>${onOneLine(result.error)}</p>`
        : (identityDocument(result.report).sections ?? []).map((section, index) =>
            explainedView(section, result.report.identities[index]!),
          )
    }
  </section>`;
}

function explainedView({ title, sections = [] }: Section, identity: ExplainedIdentity): TemplateResult {
  const { kind, text } = identityVerdict(identity);
  const isProblems = ({ id }: Section): boolean => id === 'problems';
  const ordered = [...sections.filter(isProblems), ...sections.filter((each) => !isProblems(each))];
  return html`${heading(title, 3)}
    <p class="verdict ${kind}">${text}</p>
    ${ordered.map((section) => sectionView(section, 4))}`;
}
