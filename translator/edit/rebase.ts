// Applies the difference between two configs to a third one: of an outdated update to a newer config, or of a config edited as JSON.

import { requireTypes } from '../../proto/arguments.js';
import {
  applyUpdate,
  type Config,
  type ConfigGroup,
  type ConfigPolicy,
  type ConfigUpdate,
  type ConfigValue,
  makeGroup,
  resultTypes,
} from '../channel/index.js';
import { compareGroups, samePolicyEntry, sameValue } from '../update/index.js';
import { badEdit, edited, type Edited } from './edited.js';

/** The maximum number of conflicts in an error. */
const SHOWN = 10;

/** Whether an update applies to a config: its versions match. */
export const fitsConfig = (update: ConfigUpdate, config: Config): boolean =>
  applyUpdate(config, update).faults.length === 0;

/**
 * Applies the changes of an update for an older config to a newer config.
 *
 * @param base the config for which the update was made
 * @param newest a later config of the channel
 * @throws TranslateError BAD_EDIT that names the elements with other changes since
 */
export function rebaseUpdate(update: ConfigUpdate, base: Config, newest: Config): Edited {
  requireTypes(
    { update, base, newest },
    { update: resultTypes.configUpdate, base: resultTypes.config, newest: resultTypes.config },
  );
  const { config, faults } = applyUpdate(base, update);
  if (faults[0] !== undefined) throw badEdit(`it was not made for this config: ${faults[0].text}`);
  const { group, conflicts } = mergeChanges(base, config, newest);
  if (conflicts.length === 0) return edited(newest, group);
  const more = conflicts.length - SHOWN;
  throw badEdit(
    `it conflicts with later changes: ${conflicts.slice(0, SHOWN).join('; ')}${more > 0 ? `; and ${more} more` : ''}`,
  );
}

/** The element at one place in three configs: before the changes, after them, and in the config to change. */
interface Three<E> {
  readonly base: E;
  readonly wanted: E;
  readonly found: E;
}

interface Merged {
  /** The channel group with the changes, including the conflicting ones. */
  readonly group: ConfigGroup;
  /** The changed elements that also differ between `base` and `found`, in another way: sentences without a period. */
  readonly conflicts: readonly string[];
}

/** Applies the changes from `base` to `wanted` to `found`. Unchanged elements stay the same objects. */
export function mergeChanges(base: Config, wanted: Config, found: Config): Merged {
  const conflicts: string[] = [];
  const [before, after, here] = [base, wanted, found].map(({ channelGroup }) => channelGroup);
  const group = mergeGroup('/Channel', { base: before!, wanted: after!, found: here! }, conflicts);
  return { group, conflicts };
}

function mergeGroup(path: string, three: Three<ConfigGroup>, conflicts: string[]): ConfigGroup {
  const { base, wanted, found } = three;
  const all = <E>(
    select: (group: ConfigGroup) => ReadonlyMap<string, E>,
    merge: (path: string, three: Three<E | undefined>) => E | undefined,
  ): Map<string, E> =>
    mergeAll(path, { base: select(base), wanted: select(wanted), found: select(found) }, merge);
  const isSet = base.modPolicy !== wanted.modPolicy;
  if (isSet && found.modPolicy !== base.modPolicy && found.modPolicy !== wanted.modPolicy)
    conflicts.push(`the mod_policy of ${path} was changed`);
  return makeGroup({
    ...found,
    modPolicy: isSet ? wanted.modPolicy : found.modPolicy,
    groups: all(
      ({ groups }) => groups,
      (place, { base: old, wanted: next, found: now }) =>
        old !== undefined && next !== undefined && now !== undefined
          ? mergeGroup(place, { base: old, wanted: next, found: now }, conflicts)
          : mergeElement(place, { base: old, wanted: next, found: now }, sameGroup, conflicts),
    ),
    values: all(
      ({ values }) => values,
      (place, each) => mergeElement<ConfigValue>(place, each, sameValue, conflicts),
    ),
    policies: all(
      ({ policies }) => policies,
      (place, each) => mergeElement<ConfigPolicy>(place, each, samePolicyEntry, conflicts),
    ),
  });
}

function mergeAll<E>(
  path: string,
  { base, wanted, found }: Three<ReadonlyMap<string, E>>,
  merge: (path: string, three: Three<E | undefined>) => E | undefined,
): Map<string, E> {
  const names = new Set([...found.keys(), ...wanted.keys(), ...base.keys()]);
  const result = new Map<string, E>();
  for (const name of names) {
    const three = { base: base.get(name), wanted: wanted.get(name), found: found.get(name) };
    const merged = merge(`${path}/${name}`, three);
    if (merged !== undefined) result.set(name, merged);
  }
  return result;
}

function mergeElement<E>(
  path: string,
  { base, wanted, found }: Three<E | undefined>,
  isSame: (one: E, other: E) => boolean,
  conflicts: string[],
): E | undefined {
  const same = (one: E | undefined, other: E | undefined): boolean =>
    one === undefined || other === undefined ? one === other : isSame(one, other);
  if (same(base, wanted) || same(wanted, found)) return found;
  if (same(base, found)) return wanted;
  if (found === undefined) conflicts.push(`${path} was removed`);
  else if (base === undefined) conflicts.push(`${path} was added with another content`);
  else conflicts.push(`${path} was changed${wanted === undefined ? ', and the update removes it' : ''}`);
  return wanted;
}

const sameGroup = (one: ConfigGroup, other: ConfigGroup): boolean => !compareGroups(one, other).changed;
