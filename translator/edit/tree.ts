// Finds organisations and groups, and changes the tree of groups. Unchanged elements stay the same objects, with their bytes,
// versions and mod_policies.

import { suggestion } from '../../core/common/text/nearest.js';
import {
  channelOf,
  type OrdererGroup,
  type Organization,
  type Section,
  type Config,
  type ConfigGroup,
  type Policy,
  makeGroup,
  makePolicy,
  makeValue,
  pathOf,
  type GroupPath,
} from '../channel/index.js';
import { badEdit, unknownName } from './edited.js';

/** The `mod_policy` of new elements, as in the configs that configtxgen makes. */
export const NEW_MOD_POLICY = 'Admins';

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

/** Changes an existing group. @throws TranslateError BAD_EDIT if it does not exist */
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

/** The group Orderer. @throws TranslateError BAD_EDIT if there is none */
export function requiredOrderer(config: Config): OrdererGroup {
  const { orderer } = channelOf(config);
  if (orderer.group === undefined) throw badEdit('the channel has no group Orderer');
  return orderer;
}

/**
 * Finds an organisation by the name of its group or by its MSP id; case is ignored if nothing matches exactly.
 *
 * @throws TranslateError BAD_EDIT if there is none, or more than one
 */
export function findOrganization(config: Config, wanted: string, section?: Section): Organization {
  const all = channelOf(config).organizations.filter(
    (each) => section === undefined || each.section === section,
  );
  const lower = wanted.toLowerCase();
  const rules: readonly ((each: Organization) => boolean)[] = [
    ({ name }) => name === wanted,
    ({ mspId }) => mspId === wanted,
    ({ name, mspId }) => name.toLowerCase() === lower || mspId?.toLowerCase() === lower,
  ];
  const matching = rules.map((rule) => all.filter(rule)).find(({ length }) => length > 0) ?? [];
  const [found, other] = matching;
  const where = section === undefined ? 'the channel' : `the group ${section}`;
  if (found === undefined) {
    const names = [...new Set(all.map(({ name }) => name))];
    throw badEdit(`${where} has no organisation ${JSON.stringify(wanted)}; ${suggestion(wanted, names)}`);
  }
  if (other !== undefined)
    throw badEdit(
      `${JSON.stringify(wanted)} is an organisation of ${matching.map((each) => each.section).join(' and of ')}: choose its group`,
    );
  return found;
}
