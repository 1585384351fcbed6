// Compares two trees of groups: what an update has to have read, and what it writes.

import { samePolicyEntry, sameValue } from './equal.js';
import {
  emptyGroup,
  emptyPolicyEntry,
  emptyValue,
  type Group,
  type PolicyEntry,
  type Value,
} from './tree.js';

/** Versions are counted with 64 bits. */
const VERSION_BITS = 64;

/** What came of comparing two groups. */
export interface Difference {
  readonly changed: boolean;
  /** What the update depends on: versions only. */
  readonly read: Group;
  /** What the update writes; what is in both sets at the same version stays as it is. */
  readonly write: Group;
}

/** Elements of one kind, compared by name. */
interface Compared<E> {
  /** The ones that did not change, with nothing but the version of the original. */
  readonly same: Map<string, E>;
  /** The changed ones at their next version, and the new ones at version 0. */
  readonly written: Map<string, E>;
  /** Whether there are names that only one side has. */
  membershipChanged: boolean;
}

/** Two groups under comparison. */
interface Pair {
  /** The name in the group around; empty for the outermost pair. */
  readonly name: string;
  readonly isNew: boolean;
  readonly original: Group;
  readonly updated: Group;
  readonly policies: Compared<PolicyEntry>;
  readonly values: Compared<Value>;
  readonly groups: Compared<Group>;
  /** The read parts of the groups that changed. */
  readonly readGroups: Map<string, Group>;
  /** The groups of the updated side that are still to be compared. */
  readonly waiting: Iterator<[string, Group]>;
}

/**
 * Compares two groups with all that is in them. Versions of the updated one do not matter.
 *
 * Works without recursion: a tree may be as deep as the wire allows.
 */
export function compareGroups(original: Group, updated: Group): Difference {
  const around: Pair[] = [];
  let pair = pairOf('', original, updated);
  for (;;) {
    const nested = pair.waiting.next();
    if (nested.done !== true) {
      const [name, group] = nested.value;
      around.push(pair);
      pair = pairOf(name, pair.original.groups.get(name), group);
      continue;
    }
    const difference = differenceOf(pair);
    const outer = around.pop();
    if (outer === undefined) return difference;
    addGroup(outer, pair, difference);
    pair = outer;
  }
}

/** A new group is compared with an empty one. */
function pairOf(name: string, original: Group | undefined, updated: Group): Pair {
  const before = original ?? emptyGroup();
  return {
    name,
    isNew: original === undefined,
    original: before,
    updated,
    policies: compareElements(before.policies, updated.policies, samePolicyEntry, emptyPolicyEntry),
    values: compareElements(before.values, updated.values, sameValue, emptyValue),
    groups: {
      same: new Map(),
      written: new Map(),
      membershipChanged: misses(updated.groups, before.groups),
    },
    readGroups: new Map(),
    waiting: updated.groups.entries(),
  };
}

/**
 * Compares elements by name.
 *
 * @param versioned an element with a version only
 */
function compareElements<E extends { readonly version: bigint }>(
  original: ReadonlyMap<string, E>,
  updated: ReadonlyMap<string, E>,
  isSame: (left: E, right: E) => boolean,
  versioned: (version: bigint) => E,
): Compared<E> {
  const result: Compared<E> = {
    same: new Map(),
    written: new Map(),
    membershipChanged: misses(updated, original),
  };
  for (const [name, after] of updated) {
    const before = original.get(name);
    if (before === undefined) {
      result.membershipChanged = true;
      result.written.set(name, { ...after, version: 0n });
    } else if (isSame(before, after)) result.same.set(name, versioned(before.version));
    else result.written.set(name, { ...after, version: next(before.version) });
  }
  return result;
}

/** Whether a name of the original is gone. */
function misses(updated: ReadonlyMap<string, unknown>, original: ReadonlyMap<string, unknown>): boolean {
  return [...original.keys()].some((name) => !updated.has(name));
}

/** Adds what came of a group to what is known of the group around it. */
function addGroup(outer: Pair, { name, isNew, original, updated }: Pair, difference: Difference): void {
  if (isNew) {
    outer.groups.membershipChanged = true;
    outer.groups.written.set(name, { ...difference.write, version: 0n, modPolicy: updated.modPolicy });
  } else if (difference.changed) {
    outer.readGroups.set(name, difference.read);
    outer.groups.written.set(name, difference.write);
  } else outer.groups.same.set(name, emptyGroup(original.version));
}

/** The outcome of a pair whose groups are all compared. */
function differenceOf({ original, updated, policies, values, groups, readGroups }: Pair): Difference {
  const { version } = original;
  const hasNewShape =
    policies.membershipChanged ||
    values.membershipChanged ||
    groups.membershipChanged ||
    original.modPolicy !== updated.modPolicy;
  const written = { policies: policies.written, values: values.written, groups: groups.written };
  if (!hasNewShape) {
    const changed = Object.values(written).some(({ size }) => size > 0);
    const read = { ...emptyGroup(version), groups: readGroups };
    return { changed, read, write: { ...emptyGroup(version), ...written } };
  }
  // Whoever signs for a new shape signs for everything that is in the group: what stays is listed on both sides.
  return {
    changed: true,
    read: {
      ...emptyGroup(version),
      policies: policies.same,
      values: values.same,
      groups: union(groups.same, readGroups),
    },
    write: {
      version: next(version),
      modPolicy: updated.modPolicy,
      policies: union(policies.same, policies.written),
      values: union(values.same, values.written),
      groups: union(groups.same, groups.written),
    },
  };
}

const next = (version: bigint): bigint => BigInt.asUintN(VERSION_BITS, version + 1n);

const union = <E>(left: ReadonlyMap<string, E>, right: ReadonlyMap<string, E>): Map<string, E> =>
  new Map([...left, ...right]);
