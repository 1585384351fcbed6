// Makes the unsigned update of an edit, continues the edit of an unsigned one, and makes an outdated one anew for a newer config.

import { applyUpdate } from '../channel/apply.js';
import type { Config, ConfigGroup, ConfigPolicy, ConfigUpdate, ConfigValue } from '../channel/element.js';
import { isSigned, unsignedEnvelope, type Envelope } from '../channel/envelope.js';
import { readConfigUpdate } from '../channel/read.js';
import { writeUpdate } from '../channel/write.js';
import { compareGroups } from '../update/compare.js';
import { badEdit, type Edited, edited } from './edited.js';
import { makeGroup } from '../channel/make.js';
import { samePolicyEntry, sameValue } from '../update/equal.js';

/**
 * The config that an unsigned update makes of a config.
 *
 * @throws TranslateError BAD_EDIT if it is signed, is for another channel, or does not fit the config
 */
export function applyUnsigned(config: Config, file: Envelope, channel: string): Config {
  if (isSigned(file))
    throw badEdit('it is signed, and signatures do not cover another edit: an unsigned update is needed');
  const applied = applyUpdate(config, file.update, file.channel ?? channel);
  if (file.update.channelId !== channel)
    throw badEdit(
      `it is for the channel ${JSON.stringify(file.update.channelId)}, the block is of ${JSON.stringify(channel)}`,
    );
  const [fault] = applied.faults;
  if (fault !== undefined) throw badEdit(`it does not fit the block: ${fault.text}`);
  return applied.config;
}

/** An unsigned envelope of a config update. */
export interface UnsignedUpdate {
  readonly envelope: Uint8Array;
  /** The changed and removed elements: `modified value /Channel/Orderer/BatchSize`. */
  readonly changes: readonly string[];
}

/**
 * The envelope of the update from one config to another one.
 *
 * @throws TranslateError BAD_EDIT if they do not differ
 */
export function unsignedUpdate(channelId: string, original: Config, modified: Config): UnsignedUpdate {
  if (channelId === '') throw badEdit('the channel has no name');
  const { changed, read, write } = compareGroups(original.channelGroup, modified.channelGroup);
  if (!changed) throw badEdit('the edit changes nothing: the channel has this config already');
  const update = writeUpdate({ channelId, readSet: read, writeSet: write });
  const { changes, removed } = applyUpdate(original, readConfigUpdate(update));
  return {
    envelope: unsignedEnvelope({ channel: channelId, update, signatures: [] }),
    changes: [
      ...changes.map(({ change, kind, path }) => `${change} ${kind} ${path}`),
      ...removed.map(({ kind, path }) => `removed ${kind} ${path}`),
    ],
  };
}

/** Whether two configs have equal elements; versions do not count. */
export const isSameConfig = (left: Config, right: Config): boolean =>
  !compareGroups(left.channelGroup, right.channelGroup).changed;

/** How many conflicts an error names. */
const SHOWN = 10;

/** Whether an update was made for a config: its versions are right. */
export const fitsConfig = (update: ConfigUpdate, config: Config): boolean =>
  applyUpdate(config, update).faults.length === 0;

/**
 * Changes in a newer config what an update changes in an older one.
 *
 * @param base the config that the update was made for
 * @param newest a later config of the channel
 * @throws TranslateError BAD_EDIT that names the elements that were changed since in another way
 */
export function rebaseUpdate(update: ConfigUpdate, base: Config, newest: Config): Edited {
  const { config, faults } = applyUpdate(base, update);
  if (faults[0] !== undefined) throw badEdit(`it was not made for this config: ${faults[0].text}`);
  const conflicts: string[] = [];
  const group = mergeGroup(
    '/Channel',
    { base: base.channelGroup, wanted: config.channelGroup, found: newest.channelGroup },
    conflicts,
  );
  if (conflicts.length === 0) return edited(newest, group);
  const more = conflicts.length - SHOWN;
  throw badEdit(
    `it conflicts with what was changed since: ${conflicts.slice(0, SHOWN).join('; ')}${more > 0 ? `; and ${more} more` : ''}`,
  );
}

/** An element in the config before the update, in that after it, and in the newest one; undefined where it does not exist. */
interface Three<E> {
  readonly base: E;
  readonly wanted: E;
  readonly found: E;
}

type Elements<E> = ReadonlyMap<string, E>;

function mergeGroup(path: string, three: Three<ConfigGroup>, conflicts: string[]): ConfigGroup {
  const { base, wanted, found } = three;
  const all = <E>(
    select: (group: ConfigGroup) => Elements<E>,
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
  { base, wanted, found }: Three<Elements<E>>,
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
  return found;
}

const sameGroup = (one: ConfigGroup, other: ConfigGroup): boolean => !compareGroups(one, other).changed;
