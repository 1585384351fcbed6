// A review on the page: the verdict and the dangers first.

import { html, type TemplateResult } from 'lit';
import { exitStatusOf, type Finding, type Review } from 'fabric-ops-agent/translator/review';
import { table } from './table.js';

const VERDICTS = {
  0: ['good', 'Orderers would accept it'],
  2: ['bad', 'Orderers would refuse it'],
  3: ['open', 'Signatures are missing'],
  4: ['bad', 'Dangerous'],
} as const;

/** A review. @param name the name of the file */
export function reviewView(name: string, review: Review): TemplateResult {
  const [kind, verdict] = VERDICTS[exitStatusOf(review)];
  const { channel, block, fits, fingerprint } = review;
  return html`<section aria-label=${`review of ${name}`}>
    <h2>Review of ${name}</h2>
    <p class="verdict ${kind}">${verdict}</p>
    ${review.findings.filter(({ severity }) => severity !== 'unsigned').map(findingView)}
    <p>
      channel ${channel}${block === null ? '' : `, block ${block}`}; the update
      ${fits ? 'fits' : 'does not fit'} this ${block === null ? 'config' : 'block'}
    </p>
    <h3>Fingerprint</h3>
    <p class="fingerprint">${grouped(fingerprint)}</p>
    <h3>Changes</h3>
    ${changesView(review)}
    <h3>Who must sign</h3>
    ${policiesView(review)} ${signaturesView(review)} ${listView('Next', review.next)}
    ${listView('Cannot be known', review.unknown)}
  </section>`;
}

/** Four characters at a time, which people can compare. */
const grouped = (hex: string): string => hex.match(/.{1,4}/g)?.join(' ') ?? '';

const findingView = ({ id, severity, text, path, todo }: Finding): TemplateResult =>
  html`<div class="finding ${severity}" data-id=${id}>
    <strong>${severity}</strong>: ${text} <span class="dim">(${path})</span>
    ${todo === undefined ? '' : html`<br />to do: ${todo}`}
  </div>`;

const changesView = ({ elements }: Review): TemplateResult =>
  table(
    ['element', 'change'],
    elements.map(({ element, change, words }) => [
      element.replace(/^\/Channel\//, ''),
      words.length === 0 ? change : words.map((each) => html`<div>${each}</div>`),
    ]),
  );

const policiesView = ({ policies }: Review): TemplateResult =>
  html`<ul>
    ${policies.map(
      ({ policy, text, satisfied, have, need, missing }) =>
        html`<li>
          ${satisfied ? '✓' : '✗'} ${policy}: ${text}${need === null ? '' : `, ${have} of ${need}`}
          ${missing === null ? '' : html`<br /><span class="dim">missing: ${missing}</span>`}
        </li>`,
    )}
  </ul>`;

const signaturesView = ({ signatures }: Review): TemplateResult =>
  signatures.length === 0
    ? html`<p class="dim">no signatures yet</p>`
    : html`<ul>
        ${signatures.map(
          ({ mspid, subject, problem, countsFor }) =>
            html`<li>
              ${mspid} ${subject}:
              ${problem ?? (countsFor.length === 0 ? 'does not count' : `counts for ${countsFor.join(', ')}`)}
            </li>`,
        )}
      </ul>`;

const listView = (title: string, lines: readonly string[]): TemplateResult | string =>
  lines.length === 0
    ? ''
    : html`<h3>${title}</h3>
        <ul>
          ${lines.map((line) => html`<li>${line}</li>`)}
        </ul>`;
