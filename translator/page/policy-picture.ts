// A picture of a policy: the groups below it, and the signers of each group.

import { type ReviewedBranch, type ReviewedPolicy, onOneLine } from 'fabric-ops-agent/translator/review';
import { html, type TemplateResult } from 'lit';

/** The number of groups without enough signatures that are drawn one by one. */
const SHOWN = 12;

/** A policy and the groups below it. */
export const policyPicture = (policy: ReviewedPolicy): TemplateResult =>
  html`<ul class="picture">
    <li>
      ${boxOf(policy.policy, policy)}
      ${policy.missing === null ? '' : html`<div class="dim">missing: ${onOneLine(policy.missing)}</div>`}
      ${branchesView(policy.branches)}
    </li>
  </ul>`;

interface Box {
  readonly text: string;
  readonly satisfied: boolean;
  readonly signers: readonly string[];
}

/** @param have undefined for a policy without a count */
const boxOf = (
  name: string,
  { text, satisfied, signers, ...rest }: Box & { have?: number | null; need?: number | null },
): TemplateResult =>
  html`<div class="box ${satisfied ? 'done' : 'open'}">
    <span aria-label=${satisfied ? 'satisfied' : 'not satisfied'} role="img">${satisfied ? '✓' : '○'}</span>
    <strong>${onOneLine(name)}</strong>
    ${typeof rest.need === 'number' ? html`<span class="count">${rest.have} of ${rest.need}</span>` : ''}
    <span class="dim">${onOneLine(text)}</span>
    ${signers.map((signer) => html`<span class="signer">${onOneLine(signer)}</span>`)}
  </div>`;

function branchesView(branches: readonly ReviewedBranch[]): TemplateResult | string {
  if (branches.length === 0) return '';
  const done = branches.filter(({ satisfied }) => satisfied);
  const open = branches.filter(({ satisfied }) => !satisfied);
  const rest = open.slice(SHOWN);
  return html`<ul>
    ${[...done, ...open.slice(0, SHOWN)].map(branchView)}
    ${rest.length === 0 ? '' : html`<li class="dim">and ${rest.length} more without enough signatures</li>`}
  </ul>`;
}

const branchView = (branch: ReviewedBranch): TemplateResult =>
  html`<li>
    ${
      branch.policy === null
        ? html`<div class="box open">○ ${onOneLine(branch.group)}: has no such policy, and never counts</div>`
        : boxOf(branch.group, branch)
    }
    ${branchesView(branch.branches)}
  </li>`;
