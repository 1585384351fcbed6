// Policies and missing signatures in words.

import { naturally } from '../../core/common/text/naturally.js';
import {
  printImplicitMeta,
  type Need,
  type MetaNode,
  type PolicyNode,
  printSignaturePolicy,
  type MemberSet,
  describePrincipal,
  type NameIdentity,
} from '../policy/index.js';
import { shortList } from './lists.js';

/** The number of names of a list that are shown. */
const SHOWN = 12;
/** Deeper needs are only counted. */
const MAX_DEPTH = 3;

/** `MAJORITY Admins (2 of Org1, Org2, Org3)`, or a signature policy in the policy language. */
export function describePolicy(node: PolicyNode, nameIdentity?: NameIdentity): string {
  return node.kind === 'signature' ? printSignaturePolicy(node.policy, nameIdentity) : describeMeta(node);
}

/** The same without the groups: `MAJORITY Admins`. */
export const describeRule = (node: PolicyNode, nameIdentity?: NameIdentity): string =>
  node.kind === 'signature' ? printSignaturePolicy(node.policy, nameIdentity) : printImplicitMeta(node);

function describeMeta({ rule, subPolicy, threshold, groups }: MetaNode): string {
  const text = printImplicitMeta({ rule, subPolicy });
  if (groups.length === 0) return `${text} (no groups: no signature required)`;
  if (threshold === 0) return `${text} (unknown rule)`;
  const counting = groups.filter(({ policy }) => policy !== undefined);
  const missing = groups.filter(({ policy }) => policy === undefined);
  if (missing.length === 0) return `${text} (${String(threshold)} of ${shortList(namesOf(groups))})`;
  const without = `not in ${shortList(namesOf(missing))}`;
  if (counting.length < threshold)
    return `${text} (${String(threshold)} of ${String(groups.length)}; ${without}: nobody can)`;
  return `${text} (${String(threshold)} of ${shortList(namesOf(counting))}; ${without})`;
}

const namesOf = (groups: readonly { readonly name: string }[]): string[] =>
  groups.map(({ name }) => name).toSorted(naturally);

/** A need in words: `any 2 of Org1MSP.admin, Org2MSP.admin, Org3MSP.admin`. */
export function describeNeed(need: Need, nameIdentity?: NameIdentity): string {
  return inWords(need, nameIdentity, 1);
}

function inWords(need: Need, nameIdentity: NameIdentity | undefined, depth: number): string {
  switch (need.kind) {
    case 'nothing':
      return 'no signature required';
    case 'impossible':
      return 'nobody can';
    case 'principal':
      return describePrincipal(need.principal, nameIdentity);
    case 'some':
      break;
  }
  return someInWords(need, nameIdentity, depth);
}

function someInWords(
  { n, of, shared }: Extract<Need, { kind: 'some' }>,
  nameIdentity: NameIdentity | undefined,
  depth: number,
): string {
  const all = n === of.length;
  if (depth > MAX_DEPTH) return `${String(n)} of ${String(of.length)} further rules`;
  const equal = n === 1 || (all && shared) ? 'once' : all ? 'counted' : 'listed';
  const shown = grouped(of, nameIdentity, depth, equal);
  const rest = of.length - SHOWN;
  if (all) return shown.join(' and ') + (rest > 1 ? ` and ${String(rest)} more` : '');
  if (n === 1) return shown.join(' or ') + (rest > 1 ? ` or ${String(rest)} more` : '');
  return `any ${String(n)} of ${shown.join(', ')}${rest > 1 ? ` and ${String(rest)} more` : ''}`;
}

function grouped(
  needs: readonly Need[],
  nameIdentity: NameIdentity | undefined,
  depth: number,
  equal: 'once' | 'counted' | 'listed',
): string[] {
  const first = needs.length - SHOWN <= 1 ? needs : needs.slice(0, SHOWN);
  const words = first.map((need) => {
    const text = inWords(need, nameIdentity, depth + 1);
    return need.kind === 'some' ? `(${text})` : text;
  });
  if (equal === 'listed') return words;
  return equal === 'once' ? [...new Set(words)] : counted(words);
}

/** Equal words once, with their number. */
function counted(words: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([word, count]) => (count === 1 ? word : `${String(count)} × ${word}`));
}

/** The principals of a set: `Org1MSP.admin and 2 × Org2MSP.peer`. */
export function describeSet(set: MemberSet, nameIdentity?: NameIdentity): string {
  if (set.length === 0) return 'no signature required';
  return shortList(counted(set.map(({ principal }) => describePrincipal(principal, nameIdentity))), ' and ');
}
