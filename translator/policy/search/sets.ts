// Minimal sets of principals with signatures that satisfy a need, smallest first.
//
// Fabric's common/policies/inquire lists all combinations, which can exceed the memory. Here the number is bounded; above it
// nothing is listed, and describeNeed describes the need in words.

import { compareSets, includes, sum, union, type MemberSet } from './member-sets.js';
import type { Need } from './need.js';

/** The default maximum number of listed sets. */
const MAX_SETS = 32;
/** Bounds of the work for intermediate sets. */
const MAX_CANDIDATES = 1024;
const MAX_MEMBERS = 200_000;

/**
 * The minimal sets that satisfy a need, smallest first: no set includes another one. `[[]]` if no signature is required, `[]` if it is
 * impossible; undefined if there are more than `limit`.
 */
export function minimalSignerSets(need: Need, limit = MAX_SETS): readonly MemberSet[] | undefined {
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
    // Equal principals of a signature policy are the same object.
    if (known.has(need)) continue;
    known.add(need);
    const sets = setsOf(need);
    if (sets === undefined) return undefined;
    found.push(...sets);
    if (found.length > MAX_CANDIDATES) return undefined;
  }
  return withoutSupersets(found);
}

/** Adds the needs one by one: `chosen[n]` contains the sets that satisfy n of the needs so far. */
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

/** All ways to combine one set of each part. */
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

/** Removes duplicates and supersets; sorts by size. */
function withoutSupersets(sets: readonly MemberSet[]): MemberSet[] | undefined {
  const found: MemberSet[] = [];
  let work = MAX_CANDIDATES * MAX_CANDIDATES;
  for (const set of sets.toSorted(compareSets)) {
    work -= found.length * (set.length + 1);
    if (work < 0) return undefined;
    if (!found.some((smaller) => includes(set, smaller))) found.push(set);
  }
  return found;
}

/** One set that satisfies a need, small but not always the smallest; undefined if it is impossible. Works for needs of any size. */
export function oneSignerSet(need: Need): MemberSet | undefined {
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
    const set = oneSignerSet(part);
    if (set !== undefined) sets.push(set);
  }
  if (sets.length < need.n) return undefined;
  const smallest = sets.toSorted((a, b) => a.length - b.length).slice(0, need.n);
  return joinPairwise(smallest, need.shared);
}

/** Joins neighbours until one set is left, which avoids copying a long set for each short one. */
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
