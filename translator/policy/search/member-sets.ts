// Sets of principals that must sign.

import type { Principal } from '../../msp/index.js';

/** A principal that must sign. */
export interface Member {
  readonly principal: Principal;
  /** Equal for equal principals. */
  readonly key: string;
}

/** Principals that must all sign; a principal that occurs twice needs two signatures. Sorted by key. */
export type MemberSet = readonly Member[];

/** Joins sorted sets; all members of both are kept. */
export function sum(left: MemberSet, right: MemberSet): MemberSet {
  return merge(left, right).map(({ member }) => member);
}

/**
 * Joins sorted sets of separate policies: a signature counts for both. An admin, client, peer or orderer in one set also counts as the
 * member of the same MSP in the other set.
 */
export function union(left: MemberSet, right: MemberSet): MemberSet {
  const merged = merge(left, right, true);
  const spare = new Map<string, number>();
  for (const { member, side } of merged) {
    const { principal } = member;
    if (side === 'both' || principal.kind !== 'role' || principal.role === 'member') continue;
    const key = side + principal.mspid;
    spare.set(key, (spare.get(key) ?? 0) + 1);
  }
  return merged
    .filter(({ member: { principal }, side }) => {
      if (side === 'both' || principal.kind !== 'role' || principal.role !== 'member') return true;
      const key = (side === 'left' ? 'right' : 'left') + principal.mspid;
      const count = spare.get(key) ?? 0;
      if (count > 0) spare.set(key, count - 1);
      return count === 0;
    })
    .map(({ member }) => member);
}

interface Merged {
  readonly member: Member;
  readonly side: 'left' | 'right' | 'both';
}

/** Merges sorted sets. @param once whether a member of both sets is listed once */
function merge(left: MemberSet, right: MemberSet, once = false): Merged[] {
  const merged: Merged[] = [];
  let [l, r] = [0, 0];
  while (l < left.length || r < right.length) {
    const [a, b] = [left[l], right[r]];
    if (once && a !== undefined && a.key === b?.key) {
      merged.push({ member: a, side: 'both' });
      l++;
      r++;
    } else if (a !== undefined && (b === undefined || a.key <= b.key)) {
      merged.push({ member: a, side: 'left' });
      l++;
    } else {
      merged.push({ member: b!, side: 'right' });
      r++;
    }
  }
  return merged;
}

/** Sorts sets by size, then by their keys. */
export function compareSets(a: MemberSet, b: MemberSet): number {
  if (a.length !== b.length) return a.length - b.length;
  for (const [at, { key }] of a.entries()) {
    const other = b[at]!.key;
    if (key !== other) return key < other ? -1 : 1;
  }
  return 0;
}

/** Whether a sorted set contains all members of a smaller one. */
export function includes(set: MemberSet, smaller: MemberSet): boolean {
  let at = 0;
  for (const { key } of smaller) {
    while (at < set.length && set[at]!.key < key) at++;
    if (at === set.length || set[at]!.key !== key) return false;
    at++;
  }
  return true;
}
