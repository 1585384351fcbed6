// Compares two trees of groups: what an update has to have read, and what it writes.

import { samePolicyEntry, sameValue } from './equal.js';
import { emptyGroup, emptyPolicyEntry, emptyValue, withElement, type Elements, type Group } from './tree.js';

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
  same: Elements<E>;
  /** The changed ones at their next version, and the new ones at version 0. */
  written: Elements<E>;
  /** Whether there are names that only one side has. */
  membershipChanged: boolean;
}

/** Two groups under comparison. */
interface Pair {
  /** The name in the group around; empty for the outermost pair. */
  readonly name: string;
  /** Undefined where only the updated side has such a group. */
  readonly original: Group | undefined;
  readonly updated: Group;
  /** The groups in it that were compared already. */
  readonly groups: Compared<Group>;
  /** The read parts of the groups in it that changed. */
  readGroups: Elements<Group>;
  /** The groups of the updated side that are still to be compared. */
  readonly waiting: Iterator<[string, Group]> | undefined;
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
    const nested = pair.waiting?.next();
    if (nested?.done === false) {
      const [name, group] = nested.value;
      around.push(pair);
      pair = pairOf(name, pair.original?.groups?.get(name), group);
      continue;
    }
    const difference = differenceOf(pair);
    const outer = around.pop();
    if (outer === undefined) return difference;
    addGroup(outer, pair, difference);
    pair = outer;
  }
}

function pairOf(name: string, original: Group | undefined, updated: Group): Pair {
  const membershipChanged = misses(updated.groups, original?.groups);
  return {
    name,
    original,
    updated,
    groups: { same: undefined, written: undefined, membershipChanged },
    readGroups: undefined,
    waiting: updated.groups?.entries(),
  };
}

/** Adds what came of a group to what is known of the group around it. */
function addGroup(outer: Pair, { name, original }: Pair, difference: Difference): void {
  const { groups } = outer;
  if (original === undefined) {
    groups.membershipChanged = true;
    groups.written = withElement(groups.written, name, { ...difference.write, version: 0n });
  } else if (difference.changed) {
    outer.readGroups = withElement(outer.readGroups, name, difference.read);
    groups.written = withElement(groups.written, name, difference.write);
  } else groups.same = withElement(groups.same, name, emptyGroup(original.version));
}

/** The outcome of a pair whose groups are all compared. A new group is compared with an empty one. */
function differenceOf({ original = emptyGroup(), updated, groups, readGroups }: Pair): Difference {
  const { version } = original;
  const policies = compareElements(original.policies, updated.policies, samePolicyEntry, emptyPolicyEntry);
  const values = compareElements(original.values, updated.values, sameValue, emptyValue);
  const hasNewShape =
    [policies, values, groups].some(({ membershipChanged }) => membershipChanged) ||
    original.modPolicy !== updated.modPolicy;
  const written = { policies: policies.written, values: values.written, groups: groups.written };
  if (!hasNewShape) {
    const changed = Object.values(written).some((elements) => elements !== undefined);
    const read = { ...emptyGroup(version), groups: readGroups };
    return { changed, read, write: { ...emptyGroup(version), ...written } };
  }
  // Whoever signs for a new shape signs for everything that is in the group: what stays is listed on both sides.
  const same = { policies: policies.same, values: values.same, groups: groups.same };
  return {
    changed: true,
    read: { ...emptyGroup(version), ...same, groups: union(same.groups, readGroups) },
    write: {
      version: next(version),
      modPolicy: updated.modPolicy,
      policies: union(same.policies, written.policies),
      values: union(same.values, written.values),
      groups: union(same.groups, written.groups),
    },
  };
}

/**
 * Compares elements by name.
 *
 * @param versioned makes an element with a version only
 */
function compareElements<E extends { readonly version: bigint }>(
  original: Elements<E>,
  updated: Elements<E>,
  isSame: (left: E, right: E) => boolean,
  versioned: (version: bigint) => E,
): Compared<E> {
  const result: Compared<E> = {
    same: undefined,
    written: undefined,
    membershipChanged: misses(updated, original),
  };
  for (const [name, after] of updated ?? []) {
    const before = original?.get(name);
    if (before === undefined) {
      result.membershipChanged = true;
      result.written = withElement(result.written, name, { ...after, version: 0n });
    } else if (isSame(before, after)) {
      result.same = withElement(result.same, name, versioned(before.version));
    } else {
      result.written = withElement(result.written, name, { ...after, version: next(before.version) });
    }
  }
  return result;
}

/** Whether a name of the original is gone. */
function misses(updated: Elements<unknown>, original: Elements<unknown>): boolean {
  for (const name of original?.keys() ?? []) if (updated?.has(name) !== true) return true;
  return false;
}

const next = (version: bigint): bigint => BigInt.asUintN(VERSION_BITS, version + 1n);

function union<E>(left: Elements<E>, right: Elements<E>): Elements<E> {
  return left === undefined || right === undefined ? (left ?? right) : new Map([...left, ...right]);
}
