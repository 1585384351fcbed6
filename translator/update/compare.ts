// Compares two trees of groups and returns the read set and the write set of the update, by the rules of Fabric's
// internal/configtxlator/update/update.go.

import { NO_BYTES } from '../../proto/bytes.js';
import {
  noElements,
  type GroupFields,
  type PolicyFields,
  type ValueFields,
  nextVersion,
} from '../channel/index.js';
import { samePolicyEntry, sameValue } from './equal.js';

/** A map of elements by name that is being filled; undefined while it is empty. */
type Elements<E> = Map<string, E> | undefined;

/** The result of comparing two groups. */
export interface Difference {
  readonly changed: boolean;
  /** The read set: the versions on which the update depends. */
  readonly read: GroupFields;
  /** The write set. An element with the same version in both sets is unchanged. */
  readonly write: GroupFields;
}

/** Elements of one kind, compared by name. */
interface Compared<E> {
  /** The unchanged elements, with only the version of the original. */
  same: Elements<E>;
  /** The changed elements at their next version, and the new ones at version 0. */
  written: Elements<E>;
  /** Whether a name exists on only one side. */
  membershipChanged: boolean;
}

interface Pair {
  /** The name in the parent group; empty for the channel group. */
  readonly name: string;
  /** Undefined if only the updated side has the group. */
  readonly original: GroupFields | undefined;
  readonly updated: GroupFields;
  /** The nested groups that are already compared. */
  readonly groups: Compared<GroupFields>;
  /** The read sets of the nested groups that changed. */
  readGroups: Elements<GroupFields>;
  /** The nested groups of the updated side that are not compared yet. */
  readonly waiting: Iterator<[string, GroupFields]>;
}

/**
 * Compares two groups and everything in them. Versions of the updated group are ignored.
 *
 * Works without recursion, because input may nest groups thousands of levels deep.
 */
export function compareGroups(original: GroupFields, updated: GroupFields): Difference {
  const parents: Pair[] = [];
  let pair = pairOf('', original, updated);
  for (;;) {
    const nested = pair.waiting.next();
    if (nested.done !== true) {
      const [name, group] = nested.value;
      parents.push(pair);
      pair = pairOf(name, pair.original?.groups.get(name), group);
      continue;
    }
    const difference = differenceOf(pair);
    const parent = parents.pop();
    if (parent === undefined) return difference;
    addGroup(parent, pair, difference);
    pair = parent;
  }
}

function pairOf(name: string, original: GroupFields | undefined, updated: GroupFields): Pair {
  const membershipChanged = lacksName(updated.groups, original?.groups);
  return {
    name,
    original,
    updated,
    groups: { same: undefined, written: undefined, membershipChanged },
    readGroups: undefined,
    waiting: updated.groups.entries(),
  };
}

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

/** The result for a pair, after all its nested groups. A new group is compared with an empty one. */
function differenceOf({ original = emptyGroup(), updated, groups, readGroups }: Pair): Difference {
  const { version } = original;
  const policies = compareElements(original.policies, updated.policies, samePolicyEntry, {
    raised: ({ modPolicy, policy }, next) => ({ version: next, modPolicy, policy }),
    versioned: (at) => ({ version: at, modPolicy: '' }),
  });
  const values = compareElements(original.values, updated.values, sameValue, {
    raised: ({ modPolicy, value }, next) => ({ version: next, modPolicy, value }),
    versioned: (at) => ({ version: at, modPolicy: '', value: NO_BYTES }),
  });
  const isGroupChanged =
    [policies, values, groups].some(({ membershipChanged }) => membershipChanged) ||
    original.modPolicy !== updated.modPolicy;
  if (!isGroupChanged) {
    const written = {
      policies: policies.written ?? noElements<PolicyFields>(),
      values: values.written ?? noElements<ValueFields>(),
      groups: groups.written ?? noElements<GroupFields>(),
    };
    const changed = Object.values(written).some(({ size }) => size > 0);
    const read = { ...emptyGroup(version), groups: readGroups ?? noElements<GroupFields>() };
    return { changed, read, write: { ...emptyGroup(version), ...written } };
  }
  // A group with a new version must list all its elements: the unchanged ones are in both sets.
  return {
    changed: true,
    read: {
      version,
      modPolicy: '',
      policies: union(policies.same, undefined),
      values: union(values.same, undefined),
      groups: union(groups.same, readGroups),
    },
    write: {
      version: nextVersion(version),
      modPolicy: updated.modPolicy,
      policies: union(policies.same, policies.written),
      values: union(values.same, values.written),
      groups: union(groups.same, groups.written),
    },
  };
}

/** Functions that create elements of a kind. */
interface Creator<E> {
  /** An element with another version, without its unknown fields. */
  readonly raised: (element: E, version: bigint) => E;
  /** An element with only a version. */
  readonly versioned: (version: bigint) => E;
}

/** Compares elements by name. */
function compareElements<E extends { readonly version: bigint }>(
  original: ReadonlyMap<string, E>,
  updated: ReadonlyMap<string, E>,
  isSame: (left: E, right: E) => boolean,
  { raised, versioned }: Creator<E>,
): Compared<E> {
  const result: Compared<E> = {
    same: undefined,
    written: undefined,
    membershipChanged: lacksName(updated, original),
  };
  for (const [name, after] of updated) {
    const before = original.get(name);
    if (before === undefined) {
      result.membershipChanged = true;
      result.written = withElement(result.written, name, raised(after, 0n));
    } else if (isSame(before, after)) {
      result.same = withElement(result.same, name, versioned(before.version));
    } else {
      result.written = withElement(result.written, name, raised(after, nextVersion(before.version)));
    }
  }
  return result;
}

/** Whether a name of the original is missing in the updated elements. */
function lacksName(
  updated: ReadonlyMap<string, unknown>,
  original: ReadonlyMap<string, unknown> = noElements(),
): boolean {
  for (const name of original.keys()) if (!updated.has(name)) return true;
  return false;
}

const emptyGroup = (version = 0n): GroupFields => ({
  version,
  modPolicy: '',
  groups: noElements(),
  values: noElements(),
  policies: noElements(),
});

const withElement = <E>(elements: Elements<E>, name: string, element: E): Map<string, E> =>
  (elements ?? new Map<string, E>()).set(name, element);

function union<E>(left: Elements<E>, right: Elements<E>): ReadonlyMap<string, E> {
  if (left === undefined || right === undefined) return left ?? right ?? noElements();
  return new Map([...left, ...right]);
}
