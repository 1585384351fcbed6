// Changes in the tree of groups. An element that is not changed stays the same object, with its bytes, version and mod_policy.

import type { ConfigGroup, Policy } from '../channel/element.js';
import { makeGroup, makePolicy, makeValue } from '../channel/make.js';
import type { GroupKind } from '../channel/values.js';
import { badEdit, unknownName } from './edited.js';

/** The names of the groups below the channel group. */
export type GroupPath = readonly string[];

/** The `mod_policy` of new elements, as in the configs that configtxgen makes. */
export const NEW_MOD_POLICY = 'Admins';

/** The path as Fabric writes it: `/Channel/Application/Org1MSP`. */
export const pathOf = (...names: GroupPath): string => ['/Channel', ...names].join('/');

/** Finds a group. */
export function groupAt(root: ConfigGroup, path: GroupPath): ConfigGroup | undefined {
  let group: ConfigGroup | undefined = root;
  for (const name of path) group = group?.groups.get(name);
  return group;
}

/** Finds a group. @throws TranslateError BAD_EDIT if it does not exist */
export function requiredGroup(root: ConfigGroup, path: GroupPath): ConfigGroup {
  let group = root;
  for (const [index, name] of path.entries()) {
    const next = group.groups.get(name);
    if (next === undefined)
      throw unknownName(`${pathOf(...path.slice(0, index))} has no group`, name, group.groups.keys());
    group = next;
  }
  return group;
}

/** Changes a group that exists. @throws TranslateError BAD_EDIT if it does not */
export function changeGroup(
  root: ConfigGroup,
  path: GroupPath,
  change: (group: ConfigGroup) => ConfigGroup,
): ConfigGroup {
  const [name, ...rest] = path;
  if (name === undefined) return change(root);
  const group = root.groups.get(name);
  if (group === undefined) throw unknownName('there is no group', name, root.groups.keys());
  return withGroup(root, name, changeGroup(group, rest, change));
}

/** Adds, replaces or removes (undefined) a nested group. */
export function withGroup(parent: ConfigGroup, name: string, group: ConfigGroup | undefined): ConfigGroup {
  return makeGroup({ ...parent, groups: withEntry(parent.groups, name, group) });
}

/** Sets the content of a value, or removes it (undefined). */
export function withValue(group: ConfigGroup, name: string, content: Uint8Array | undefined): ConfigGroup {
  const old = group.values.get(name) ?? { modPolicy: NEW_MOD_POLICY };
  const value = content === undefined ? undefined : makeValue({ ...old, value: content });
  return makeGroup({ ...group, values: withEntry(group.values, name, value) });
}

/** Sets a policy, or removes it (undefined). */
export function withPolicy(group: ConfigGroup, name: string, policy: Policy | undefined): ConfigGroup {
  const old = group.policies.get(name) ?? { modPolicy: NEW_MOD_POLICY };
  const entry = policy === undefined ? undefined : makePolicy({ ...old, policy });
  return makeGroup({ ...group, policies: withEntry(group.policies, name, entry) });
}

function withEntry<E>(entries: ReadonlyMap<string, E>, name: string, entry: E | undefined): Map<string, E> {
  const changed = new Map(entries);
  if (entry === undefined) changed.delete(name);
  else changed.set(name, entry);
  return changed;
}

const KINDS: ReadonlyMap<string, readonly GroupKind[]> = new Map([
  ['Orderer', ['orderer', 'ordererOrganization']],
  ['Application', ['application', 'applicationOrganization']],
  ['Consortiums', ['consortiums', 'consortium', 'consortiumOrganization']],
]);

/** Which values a group may have; undefined for a group that Fabric does not know. */
export function kindOfGroup(path: GroupPath): GroupKind | undefined {
  const [top] = path;
  return top === undefined ? 'channel' : KINDS.get(top)?.[path.length - 1];
}

/** The group of the orderers. @throws TranslateError BAD_EDIT if there is none */
export function ordererGroup(root: ConfigGroup): ConfigGroup {
  const group = root.groups.get('Orderer');
  if (group === undefined) throw badEdit('the channel has no group Orderer');
  return group;
}
