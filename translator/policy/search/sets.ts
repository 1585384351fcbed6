// Minimal sets of principals whose signatures satisfy a need, smallest first.
//
// Fabric's common/policies/inquire lists all combinations, of which there may be more than memory. Here the number is bounded; above it
// nothing is listed, and describeNeed gives the need in words.

import type { Need } from './need.js';
import type { Principal } from '../principal.js';

/** How many sets are listed at most, unless a caller says otherwise. */
export const MAX_SETS = 32;
/** Bounds of the work between the sets of parts and those of the whole. */
const MAX_CANDIDATES = 1024;
const MAX_MEMBERS = 200_000;

/** A principal whose signature is needed. */
export interface Member {
  readonly principal: Principal;
  /** Equal for equal principals. */
  readonly key: string;
}

/** Principals that each have to sign; a principal that occurs twice needs two signatures. Sorted by key. */
export type MemberSet = readonly Member[];

/**
 * The minimal sets that satisfy a need, smallest first: no set includes another one. `[[]]` if nobody has to sign, `[]` if nobody can;
 * undefined if there are more than `limit`.
 */
export function minimalSets(need: Need, limit = MAX_SETS): readonly MemberSet[] | undefined {
  const sets = setsOf(need);
  return sets === undefined || sets.length > limit ? undefined : sets;
}

function setsOf(need: Need): MemberSet[] | undefined {
  switch (need.kind) {
    case 'nothing':
      return [[]];
    case 'impossible':
      return [];
    case 'principal':
      return [[need]];
    case 'some':
      break;
  }
  return need.n === 1 ? setsOfOne(need.of) : setsOfSome(need.n, need.of, need.shared);
}

function setsOfOne(needs: readonly Need[]): MemberSet[] | undefined {
  const found: MemberSet[] = [];
  const known = new Set<Need>();
  for (const need of needs) {
    // A signature policy has one object for each distinct principal.
    if (known.has(need)) continue;
    known.add(need);
    const sets = setsOf(need);
    if (sets === undefined) return undefined;
    found.push(...sets);
    if (found.length > MAX_CANDIDATES) return undefined;
  }
  return withoutSupersets(found);
}

/** Adds the needs one by one: `chosen[n]` has the sets that satisfy n of the needs so far. */
function setsOfSome(n: number, needs: readonly Need[], shared: boolean): MemberSet[] | undefined {
  if (combinations(needs.length, n) > MAX_CANDIDATES) return undefined;
  const parts: MemberSet[][] = [];
  for (const need of needs) {
    const sets = setsOf(need);
    if (sets === undefined) return undefined;
    parts.push(sets);
  }
  const budget = { sets: MAX_CANDIDATES, members: MAX_MEMBERS };
  const found: MemberSet[] = [];
  for (const chosen of choose(parts, n)) {
    const joined = joinAll(chosen, shared, budget);
    if (joined === undefined) return undefined;
    found.push(...joined);
  }
  return withoutSupersets(found);
}

/** All ways to take one set of each part. */
function joinAll(
  parts: readonly MemberSet[][],
  shared: boolean,
  budget: { sets: number; members: number },
): MemberSet[] | undefined {
  let joined: MemberSet[] = [[]];
  for (const sets of parts) {
    if (joined.length * sets.length > MAX_CANDIDATES) return undefined;
    joined = joined.flatMap((left) => sets.map((right) => (shared ? union(left, right) : sum(left, right))));
    budget.members -= joined.reduce((total, { length }) => total + length, 0);
    if (budget.members < 0) return undefined;
  }
  budget.sets -= joined.length;
  return budget.sets < 0 ? undefined : joined;
}

/** All ways to choose n of the parts. */
function* choose<T>(parts: readonly T[], n: number): Generator<T[]> {
  const picked = Array.from({ length: n }, (_, at) => at);
  for (;;) {
    yield picked.map((at) => parts[at]!);
    let at = n - 1;
    while (at >= 0 && picked[at] === parts.length - n + at) at--;
    if (at < 0) return;
    picked[at]!++;
    for (let next = at + 1; next < n; next++) picked[next] = picked[next - 1]! + 1;
  }
}

/** The number of ways to choose n of m, or a number above {@link MAX_CANDIDATES}. */
function combinations(m: number, n: number): number {
  let count = 1;
  for (let at = 1; at <= Math.min(n, m - n); at++) {
    count = (count * (m - at + 1)) / at;
    if (count > MAX_CANDIDATES) return Number.POSITIVE_INFINITY;
  }
  return count;
}

/** Joins sorted sets with all members of both. */
function sum(left: MemberSet, right: MemberSet): MemberSet {
  return merge(left, right).map(({ member }) => member);
}

/**
 * Joins sorted sets of separate policies: a signature counts in both. An admin, client, peer or orderer that one of them needs is the
 * member of the same MSP that the other one needs.
 */
function union(left: MemberSet, right: MemberSet): MemberSet {
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

/** Merges sorted sets. @param once whether a member of both is listed once */
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

/** Removes duplicates and sets that include another one; sorts by size. */
function withoutSupersets(sets: readonly MemberSet[]): MemberSet[] | undefined {
  const found: MemberSet[] = [];
  let work = MAX_CANDIDATES * MAX_CANDIDATES;
  for (const set of sets.toSorted(compare)) {
    work -= found.length * (set.length + 1);
    if (work < 0) return undefined;
    if (!found.some((smaller) => includes(set, smaller))) found.push(set);
  }
  return found;
}

function compare(a: MemberSet, b: MemberSet): number {
  if (a.length !== b.length) return a.length - b.length;
  for (const [at, { key }] of a.entries()) {
    const other = b[at]!.key;
    if (key !== other) return key < other ? -1 : 1;
  }
  return 0;
}

/** Whether a sorted set has all members of a smaller one. */
function includes(set: MemberSet, smaller: MemberSet): boolean {
  let at = 0;
  for (const { key } of smaller) {
    while (at < set.length && set[at]!.key < key) at++;
    if (at === set.length || set[at]!.key !== key) return false;
    at++;
  }
  return true;
}

/** One set that satisfies a need, small but not always the smallest; undefined if nobody can. Works for needs of any size. */
export function oneSet(need: Need): MemberSet | undefined {
  switch (need.kind) {
    case 'nothing':
      return [];
    case 'impossible':
      return undefined;
    case 'principal':
      return [need];
    case 'some':
      break;
  }
  const sets: MemberSet[] = [];
  for (const part of need.of) {
    const set = oneSet(part);
    if (set !== undefined) sets.push(set);
  }
  if (sets.length < need.n) return undefined;
  const smallest = sets.toSorted((a, b) => a.length - b.length).slice(0, need.n);
  return joinPairwise(smallest, need.shared);
}

/** Joins neighbours until one set is left, so that no long set is copied for each short one. */
function joinPairwise(sets: readonly MemberSet[], shared: boolean): MemberSet {
  let rest = sets;
  while (rest.length > 1) {
    const joined: MemberSet[] = [];
    for (let at = 0; at < rest.length; at += 2)
      joined.push((shared ? union : sum)(rest[at]!, rest[at + 1] ?? []));
    rest = joined;
  }
  return rest[0] ?? [];
}
