// Applies a config update to a config by the rules of Fabric's common/configtx (update.go, configmap.go), except policies.

import { resultTypes } from './arguments.js';
import { is, requireTypes } from '../../proto/arguments.js';
import {
  changeAt,
  keyOf,
  lostMembers,
  walk,
  type Change,
  type Element,
  type Place,
  type Placed,
} from './changes.js';
import {
  nextVersion,
  type Config,
  type ConfigGroup,
  type ConfigUpdate,
  type ConfigValue,
} from './element.js';
import { makeGroup, makePolicy, makeValue } from './make.js';
import { modPolicyProblem, nameProblem } from './names.js';
import { finish, type Steps } from '../long-call.js';

/** A rule that an update breaks. */
export interface Fault {
  /** Fabric's text, without the prefixes that its callers add. */
  readonly text: string;
  /** The path of the element; undefined if the fault is not about one. */
  readonly path: string | undefined;
  /** For `read-set`: whether the config has no such element. */
  readonly isMissing?: true;
  readonly rule: 'channel' | 'name' | 'read-set' | 'empty' | 'mod-policy' | 'version';
}

/** The result of applying an update. */
export interface Applied {
  /** The resulting config. With faults: the config that would result without them. */
  readonly config: Config;
  /** Fabric's delta set: the elements that the update sets, including those that are lost because their group keeps its version. */
  readonly changes: readonly Change[];
  /** The elements that the resulting config lacks; members of a removed group are not listed. */
  readonly removed: readonly Placed[];
  /** All faults that Fabric finds before it checks policies, in the order of its checks. Fabric stops at the first. */
  readonly faults: readonly Fault[];
}

const ORDERER_CAPABILITIES = keyOf('value', '/Channel/Orderer/Capabilities');
const DEFAULT_MOD_POLICY = 'Admins';

/** Elements by Fabric's key. */
type Elements = ReadonlyMap<string, Pick<Placed, 'kind' | 'path' | 'element'>>;

/**
 * Applies an update to a config.
 *
 * @param channel the name of the channel; if undefined, the channel of the update is not checked
 */
export function applyUpdate(config: Config, update: ConfigUpdate, channel?: string): Applied {
  requireTypes(
    { config, update, channel },
    { config: resultTypes.config, update: resultTypes.configUpdate, channel: is.optional(is.text) },
  );
  return finish(applyInSteps(config, update, channel));
}

/** Like {@link applyUpdate}, for long calls: one step for each element of the config and of the update. */
export function* applyInSteps(config: Config, update: ConfigUpdate, channel?: string): Steps<Applied> {
  const faults: Fault[] = [];
  if (channel !== undefined && update.channelId !== channel)
    faults.push({
      text: `ConfigUpdate for channel '${update.channelId}' but envelope for channel '${channel}'`,
      path: undefined,
      rule: 'channel',
    });
  const { channelGroup: before } = config;
  const outdated: Fault[] = [];
  for (const place of walk(update.readSet, [before], hasName('ReadSet', faults))) {
    yield;
    outdated.push(...readSetFaults(place));
  }
  faults.push(...outdated);
  const changes: Change[] = [];
  for (const place of walk(update.writeSet, [update.readSet, before], hasName('WriteSet', faults))) {
    yield;
    const change = changeAt(place);
    if (change !== undefined) changes.push(change);
  }
  faults.push(...changeFaults(changes));
  const proposed = new Map<string, Pick<Placed, 'kind' | 'path' | 'element'>>();
  for (const { kind, key, path, element } of walk(before, [], hasName('config', []))) {
    yield;
    proposed.set(key, { kind, path, element });
  }
  for (const { kind, key, path, element } of changes) proposed.set(key, { kind, path, element });
  const channelGroup = (yield* resultingGroups(proposed)).get('/Channel') ?? before;
  const removed = yield* removedIn(before, channelGroup);
  return { config: { sequence: nextVersion(config.sequence), channelGroup }, changes, removed, faults };
}

/** The members that the groups of a config lose; of a group that is removed, only the group. */
function* removedIn(before: ConfigGroup, after: ConfigGroup): Steps<Placed[]> {
  const removed: Placed[] = [];
  for (const place of walk(before, [after])) {
    yield;
    const { kind, element, others } = place;
    const [now] = others;
    if (kind === 'group' && now !== undefined)
      removed.push(...lostMembers(place, element as ConfigGroup, now as ConfigGroup));
  }
  return removed;
}

/** Whether Fabric accepts the name of an element. An illegal name becomes a fault, and the element is ignored with everything in it. */
const hasName =
  (set: string, faults: Fault[]) =>
  ({ kind, path, name }: Place<Element>): boolean => {
    const problem = nameProblem(name);
    if (problem !== undefined)
      faults.push({
        text: `error mapping ${set}: illegal characters in key: ${keyOf(kind, '')}: ${problem}`,
        path,
        rule: 'name',
      });
    return problem === undefined;
  };

function readSetFaults({ key, path, element: { version }, others }: Place<Element>): Fault[] {
  const existing = others[0]?.version;
  if (existing === version) return [];
  const problem =
    existing === undefined
      ? `existing config does not contain element for ${key} but was in the read set`
      : `proposed update requires that key ${key} be at version ${version}, but it is currently at version ${existing}`;
  const text = `error validating ReadSet: ${problem}`;
  return [{ text, path, rule: 'read-set', ...(existing === undefined && { isMissing: true }) }];
}

function changeFaults(changes: readonly Change[]): Fault[] {
  const fault = (text: string, path: string | undefined, rule: Fault['rule']): Fault => ({
    text: `error validating DeltaSet: ${text}`,
    path,
    rule,
  });
  if (changes.length === 0)
    return [fault('delta set was empty -- update would have no effect', undefined, 'empty')];
  return changes.flatMap(({ key, path, element: { version, modPolicy }, before }) => {
    const problem = modPolicyProblem(modPolicy);
    const faults =
      problem === undefined
        ? []
        : [fault(`invalid mod_policy for element ${key}: ${problem}`, path, 'mod-policy')];
    if (before === undefined) {
      if (version !== 0n)
        faults.push(
          fault(`attempted to set key ${key} to version ${version}, but key does not exist`, path, 'version'),
        );
    } else if (version !== nextVersion(before.version))
      faults.push(
        fault(
          `attempt to set key ${key} to version ${version}, but key is at version ${before.version}`,
          path,
          'version',
        ),
      );
    return faults;
  });
}

/** The groups by path, each with the members that its last version lists and that were not refused. */
function* resultingGroups(elements: Elements): Steps<ReadonlyMap<string, ConfigGroup>> {
  const groups = new Map<string, ConfigGroup>();
  // A group comes before its members in `elements`, and is made after them.
  for (const { kind, path, element } of [...elements.values()].toReversed()) {
    yield;
    if (kind === 'group') groups.set(path, resultingGroup(path, element as ConfigGroup, groups, elements));
  }
  return groups;
}

/** @param groups the resulting groups in it, by path */
function resultingGroup(
  path: string,
  group: ConfigGroup,
  groups: ReadonlyMap<string, ConfigGroup>,
  elements: Elements,
): ConfigGroup {
  const withDefault = elements.has(ORDERER_CAPABILITIES);
  const modPolicyOf = ({ modPolicy }: { readonly modPolicy: string }): string =>
    modPolicy === '' && withDefault ? DEFAULT_MOD_POLICY : modPolicy;
  return makeGroup({
    version: group.version,
    modPolicy: modPolicyOf(group),
    unknown: group.unknown,
    groups: children(group.groups, (name) => groups.get(`${path}/${name}`)),
    values: children(group.values, (name) => {
      const value = elements.get(keyOf('value', `${path}/${name}`))?.element as ConfigValue | undefined;
      if (value === undefined || value.modPolicy === modPolicyOf(value)) return value;
      return makeValue({ ...value, modPolicy: modPolicyOf(value) });
    }),
    policies: children(group.policies, (name) => {
      const policy = elements.get(keyOf('policy', `${path}/${name}`))?.element;
      if (policy === undefined || policy.modPolicy === modPolicyOf(policy)) return policy;
      return makePolicy({ ...policy, modPolicy: modPolicyOf(policy) });
    }),
  });
}

function children<E>(
  of: ReadonlyMap<string, unknown>,
  find: (name: string) => E | undefined,
): ReadonlyMap<string, E> {
  return new Map(
    [...of.keys()].flatMap((name) => {
      const element = find(name);
      return element === undefined ? [] : [[name, element] as const];
    }),
  );
}
