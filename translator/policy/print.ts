// Prints signature policies in the policy language, or in words if the language cannot express them.

import { parseSignaturePolicy } from './parse.js';
import { writeSignaturePolicy, type SignatureRule, type SignaturePolicy } from './signature-policy.js';
import { describePrincipal, type NameIdentity } from './principal-text.js';

const NO_SIGNATURE = 'no signature required';
const NOBODY_CAN = 'nobody can';

/**
 * The shortest text for a policy: `OR` for one of the rules, `AND` for all of them, otherwise `OutOf`. {@link isExpressible} tells whether
 * it parses back to the same bytes. Otherwise the text contains words such as `OU Finance of Org1MSP …`, `no signature required` or
 * `nobody can`.
 */
export function printSignaturePolicy(policy: SignaturePolicy, nameIdentity?: NameIdentity): string {
  return policy.rule === undefined ? 'no rule' : printRule(policy.rule, policy, nameIdentity);
}

/** Whether the text of a policy parses back to its bytes. */
export function isExpressible(policy: SignaturePolicy): boolean {
  try {
    const again = writeSignaturePolicy(parseSignaturePolicy(printSignaturePolicy(policy)));
    const bytes = writeSignaturePolicy(policy);
    return again.length === bytes.length && again.every((byte, at) => byte === bytes[at]);
  } catch {
    return false;
  }
}

function printRule(
  rule: SignatureRule,
  policy: SignaturePolicy,
  nameIdentity: NameIdentity | undefined,
): string {
  switch (rule.kind) {
    case 'empty':
      return 'an empty rule';
    case 'signedBy':
      return printPrincipal(rule.index, policy, nameIdentity);
    case 'outOf':
      break;
  }
  const { n, rules } = rule;
  if (rules.length === 0) return n <= 0 ? NO_SIGNATURE : NOBODY_CAN;
  const printed = rules.map((each) => printRule(each, policy, nameIdentity)).join(', ');
  if (n < 0 || n > rules.length + 1)
    return `OutOf(${String(n)}, ${printed}): ${n < 0 ? NO_SIGNATURE : NOBODY_CAN}`;
  if (n === 1) return `OR(${printed})`;
  return n === rules.length ? `AND(${printed})` : `OutOf(${String(n)}, ${printed})`;
}

function printPrincipal(index: number, { identities }: SignaturePolicy, nameIdentity?: NameIdentity): string {
  const principal = identities[index]?.principal;
  if (principal === undefined) return `principal ${String(index)}, which is missing`;
  const words = describePrincipal(principal, nameIdentity);
  return principal.kind === 'role' && words === `${principal.mspid}.${principal.role}` ? `'${words}'` : words;
}
