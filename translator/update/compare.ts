// Compares two trees of groups and returns the read set and the write set of the update, by the rules of Fabric's
// internal/configtxlator/update/update.go.

import { samePolicyEntry, sameValue } from './equal.js';
import { emptyGroup, emptyPolicyEntry, emptyValue, withElement, type Elements, type Group } from './tree.js';

/** Versions are unsigned 64-bit integers. */
const VERSION_BITS = 64;

/** The result of comparing two groups. */
export interface Difference {
  readonly changed: boolean;
  /** The read set: the versions that the update depends on. */
  readonly read: Group;
  /** The write set. An element with the same version in both sets is unchanged. */
  readonly write: Group;
}

/** Elements of one kind, compared by name. */
interface Compared<E> {
  /** The unchanged elements, with only the version of the original. */
  same: Elements<E>;
  /** The changed elements at their next version, and the new ones at version 0. */
  written: Elements<E>;
  /** Whether only one side has some of the names. */
  membershipChanged: boolean;
}

/** Two groups that are being compared. */
interface Pair {
  /** The name in the parent group; empty for the channel group. */
  readonly name: string;
  /** Undefined if only the updated side has the group. */
  readonly original: Group | undefined;
  readonly updated: Group;
  /** The nested groups that have been compared. */
  readonly groups: Compared<Group>;
  /** The read sets of the nested groups that changed. */
  readGroups: Elements<Group>;
  /** The nested groups of the updated side that remain to be compared. */
  readonly waiting: Iterator<[string, Group]> | undefined;
}

/**
 * Compares two groups and everything in them. Versions of the updated group are ignored.
 *
 * Works without recursion, because input may nest groups thousands of levels deep.
 */
export function compareGroups(original: Group, updated: Group): Difference {
  const parents: Pair[] = [];
  let pair = pairOf('', original, updated);
  for (;;) {
    const nested = pair.waiting?.next();
    if (nested?.done === false) {
      const [name, group] = nested.value;
      parents.push(pair);
      pair = pairOf(name, pair.original?.groups?.get(name), group);
      continue;
    }
    const difference = differenceOf(pair);
    const parent = parents.pop();
    if (parent === undefined) return difference;
    addGroup(parent, pair, difference);
    pair = parent;
  }
}

function pairOf(name: string, original: Group | undefined, updated: Group): Pair {
  const membershipChanged = lacksName(updated.groups, original?.groups);
  return {
    name,
    original,
    updated,
    groups: { same: undefined, written: undefined, membershipChanged },
    readGroups: undefined,
    waiting: updated.groups?.entries(),
  };
}

/** Adds the result of a group to its parent group. */
function addGroup(parent: Pair, { name, original }: Pair, difference: Difference): void {
  const { groups } = parent;
  if (original === undefined) {
    groups.membershipChanged = true;
    groups.written = withElement(groups.written, name, { ...difference.write, version: 0n });
  } else if (difference.changed) {
    parent.readGroups = withElement(parent.readGroups, name, difference.read);
    groups.written = withElement(groups.written, name, difference.write);
  } else groups.same = withElement(groups.same, name, emptyGroup(original.version));
}

/** The result of a pair whose nested groups are all compared. A new group is compared with an empty one. */
function differenceOf({ original = emptyGroup(), updated, groups, readGroups }: Pair): Difference {
  const { version } = original;
  const policies = compareElements(original.policies, updated.policies, samePolicyEntry, emptyPolicyEntry);
  const values = compareElements(original.values, updated.values, sameValue, emptyValue);
  const isGroupChanged =
    [policies, values, groups].some(({ membershipChanged }) => membershipChanged) ||
    original.modPolicy !== updated.modPolicy;
  const written = { policies: policies.written, values: values.written, groups: groups.written };
  if (!isGroupChanged) {
    const changed = Object.values(written).some((elements) => elements !== undefined);
    const read = { ...emptyGroup(version), groups: readGroups };
    return { changed, read, write: { ...emptyGroup(version), ...written } };
  }
  // A group with a new version must list all its elements: the unchanged ones are in both sets.
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
 * @param versioned creates an element with only a version
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
    membershipChanged: lacksName(updated, original),
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

/** Whether a name of the original is missing in the updated elements. */
function lacksName(updated: Elements<unknown>, original: Elements<unknown>): boolean {
  for (const name of original?.keys() ?? []) if (updated?.has(name) !== true) return true;
  return false;
}

const next = (version: bigint): bigint => BigInt.asUintN(VERSION_BITS, version + 1n);

function union<E>(left: Elements<E>, right: Elements<E>): Elements<E> {
  return left === undefined || right === undefined ? (left ?? right) : new Map([...left, ...right]);
}
