// The signatures of an update: how many are needed, who has signed, and who is missing.

import { onOneLine } from '../../core/common/text/one-line.js';
import type { OrganizationNames } from '#translator/documents/index.js';
import type { Review, ReviewedBranch, ReviewedPolicy } from '#translator/review/index.js';
import { html, type TemplateResult } from 'lit';
import { capitalised } from '../../core/common/text/capitalised.js';
import { wordsView } from './html.js';
import { signersText } from './names.js';

/** The rule of a group, without the words for a single signer: `Org1 admin`. */
const ruleText = (text: string, organizations: OrganizationNames): string =>
  signersText(onOneLine(text), organizations).replace(/^OR\('([^']*)'\)$/, '$1');

/** The name in a certificate: `Admin@org1.example.com` of `Org1MSP CN=Admin@org1.example.com,OU=admin`. */
const personText = (signer: string): string => onOneLine(/CN=([^,+]+)/.exec(signer)?.[1] ?? signer);

/** The number of groups without signatures that are listed. */
const SHOWN = 8;

/** The signatures of an update. */
export function signList(
  { policies, signatures }: Pick<Review, 'policies' | 'signatures'>,
  organizations: OrganizationNames,
): TemplateResult {
  const idle = signatures.filter(({ countsFor }) => countsFor.length === 0);
  return html`<div class="signatures">
    <h3>Signatures</h3>
    ${policies.map((policy) => policyView(policy, organizations))}
    ${idle.map(
      ({ mspid, subject, problem }) =>
        html`<p class="dim">
          ${onOneLine(`${organizations.get(mspid) ?? mspid} ${subject}`)}:
          ${problem === null ? 'does not count here' : onOneLine(problem)}
        </p>`,
    )}
  </div>`;
}

/** `needs 2 of 3, has 1` */
function needText({ have, need, satisfied, branches }: ReviewedPolicy): string {
  if (typeof need !== 'number') return satisfied ? 'complete' : 'needs a signature';
  if (satisfied) return `complete: ${have ?? 0} of ${branches.length} signed`;
  return `needs ${need} of ${branches.length}${(have ?? 0) === 0 ? '' : `, has ${have}`}`;
}

/** A group, and its rule unless that names the group: `Org1 admin`. */
function groupRule(group: string, rule: string): TemplateResult {
  const name = onOneLine(group);
  return rule.startsWith(`${name} `) ? html`${rule}` : html`${name} <span class="dim">${rule}</span>`;
}

function policyView(policy: ReviewedPolicy, organizations: OrganizationNames): TemplateResult {
  const { satisfied, text, branches, signers } = policy;
  const done = branches.filter((each) => each.satisfied);
  const open = branches.filter((each) => !each.satisfied);
  const rest = open.length - SHOWN;
  return html`<div class="policy" title=${onOneLine(text)}>
    <h4>
      <span class=${satisfied ? 'state-works' : ''}>${capitalised(needText(policy))}</span>
      <span class="dim">(${wordsView(policy.policy)})</span>
    </h4>
    <ul class="plain">
      ${
        branches.length === 0
          ? html`<li>
              ${signers.length > 0 ? `✓ ${signers.map(personText).join(', ')}` : html`<span class="dim">${ruleText(text, organizations)}</span>`}
            </li>`
          : [...done, ...open.slice(0, SHOWN)].map((each) => branchView(each, organizations))
      }
      ${rest > 0 ? html`<li class="dim">and ${rest} more without a signature</li>` : ''}
    </ul>
  </div>`;
}

const branchView = (
  { group, satisfied, signers, policy, text, branches }: ReviewedBranch,
  organizations: OrganizationNames,
): TemplateResult =>
  html`<li title=${onOneLine(text)}>
    <span role="img" aria-label=${satisfied ? 'signed' : 'missing'}>${satisfied ? '✓' : '○'}</span>
    ${
      policy === null
        ? html`${onOneLine(group)} <span class="dim">has no such policy, and never counts</span>`
        : signers.length > 0
          ? html`${onOneLine(group)} <span class="signer">${signers.map(personText).join(', ')}</span>`
          : groupRule(group, branches.length === 0 ? ruleText(text, organizations) : '')
    }
    ${
      branches.length === 0 || satisfied
        ? ''
        : html`<ul class="plain">
            ${branches.slice(0, SHOWN).map((each) => branchView(each, organizations))}
          </ul>`
    }
  </li>`;
