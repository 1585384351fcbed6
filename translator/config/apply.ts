// Applies a config update to a config by the rules of Fabric's common/configtx (update.go, configmap.go), except policies.

import type { Config, ConfigGroup, ConfigPolicy, ConfigUpdate, ConfigValue } from './element.js';
import { makeGroup, makePolicy, makeValue } from './make.js';
import { modPolicyProblem, nameProblem } from './names.js';

/** The kind of an element. */
export type ElementKind = 'group' | 'value' | 'policy';

/** An element of a config with its place. */
export interface Placed {
  readonly kind: ElementKind;
  /** Fabric's name of the element in its messages: `[Value]  /Channel/Orderer/BatchSize`. */
  readonly key: string;
  /** `/Channel/Orderer/BatchSize`. */
  readonly path: string;
  readonly element: ConfigGroup | ConfigValue | ConfigPolicy;
}

/** An element that an update sets. */
export interface Change extends Placed {
  readonly change: 'new' | 'modified';
  /** The element of the config; its `mod_policy` decides who has to sign. Undefined for a new one. */
  readonly before: ConfigGroup | ConfigValue | ConfigPolicy | undefined;
}

/** A rule that an update breaks. */
export interface Fault {
  /** Fabric's text, without the prefixes of the stages around. */
  readonly text: string;
  /** The path of the element; undefined if the fault is not about one. */
  readonly path: string | undefined;
  readonly rule: 'channel' | 'name' | 'read-set' | 'empty' | 'mod-policy' | 'version';
}

/** The result of applying an update. */
export interface Applied {
  /** The resulting config. With faults, what the update would result in without them. */
  readonly config: Config;
  /** Fabric's delta set: the elements that the update sets, also those that get lost because their group is not raised. */
  readonly changes: readonly Change[];
  /** The elements that the resulting config lacks, outermost ones only. */
  readonly removed: readonly Placed[];
  /** Everything that Fabric refuses before it checks policies, in the order of its checks. It stops at the first. */
  readonly faults: readonly Fault[];
}

const PREFIX: Readonly<Record<ElementKind, string>> = {
  group: '[Group]  ',
  value: '[Value]  ',
  policy: '[Policy] ',
};
const ROOT = 'Channel';
const ORDERER_CAPABILITIES = `${PREFIX.value}/${ROOT}/Orderer/Capabilities`;
const DEFAULT_MOD_POLICY = 'Admins';
const VERSION_BITS = 64;

/** Elements by Fabric's key. */
type Elements = Map<string, Placed>;

/**
 * Applies an update to a config.
 *
 * @param channel the name of the channel; undefined if it is not known, then that of the update is not checked
 */
export function applyUpdate(config: Config, update: ConfigUpdate, channel?: string): Applied {
  const faults: Fault[] = [];
  const current = elementsOf(config.channelGroup, [], 'config');
  if (channel !== undefined && update.channelId !== channel)
    faults.push({
      text: `ConfigUpdate for channel '${update.channelId}' but envelope for channel '${channel}'`,
      path: undefined,
      rule: 'channel',
    });
  const readSet = elementsOf(update.readSet, faults, 'ReadSet');
  faults.push(...readSetFaults(readSet, current));
  const writeSet = elementsOf(update.writeSet, faults, 'WriteSet');
  const changes = changesOf(readSet, writeSet, current);
  faults.push(...changeFaults(changes));
  const proposed = new Map(current);
  for (const change of changes) proposed.set(change.key, change);
  const channelGroup = groupAt(`/${ROOT}`, proposed) ?? config.channelGroup;
  return {
    config: { sequence: BigInt.asUintN(VERSION_BITS, config.sequence + 1n), channelGroup },
    changes,
    removed: removedFrom(config.channelGroup, channelGroup),
    faults,
  };
}

/** The elements of a tree, with the names that Fabric refuses as faults. A refused element is ignored with everything in it. */
function elementsOf(root: ConfigGroup | undefined, faults: Fault[], set: string): Elements {
  const elements: Elements = new Map();
  if (root === undefined) return elements;
  const add = (kind: ElementKind, parent: string, name: string, element: Placed['element']): boolean => {
    const problem = nameProblem(name);
    const path = `${parent}/${name}`;
    if (problem === undefined) elements.set(PREFIX[kind] + path, { kind, key: PREFIX[kind] + path, path, element });
    else
      faults.push({
        text: `error mapping ${set}: illegal characters in key: ${PREFIX[kind]}: ${problem}`,
        path,
        rule: 'name',
      });
    return problem === undefined;
  };
  const visit = (parent: string, name: string, group: ConfigGroup): void => {
    if (!add('group', parent, name, group)) return;
    const path = `${parent}/${name}`;
    for (const [child, value] of group.values) add('value', path, child, value);
    for (const [child, policy] of group.policies) add('policy', path, child, policy);
    for (const [child, nested] of group.groups) visit(path, child, nested);
  };
  visit('', ROOT, root);
  return elements;
}

function readSetFaults(readSet: Elements, current: Elements): Fault[] {
  return [...readSet.values()].flatMap(({ key, path, element: { version } }): Fault[] => {
    const existing = current.get(key)?.element.version;
    if (existing === version) return [];
    const problem =
      existing === undefined
        ? `existing config does not contain element for ${key} but was in the read set`
        : `proposed update requires that key ${key} be at version ${version}, but it is currently at version ${existing}`;
    return [{ text: `error validating ReadSet: ${problem}`, path, rule: 'read-set' }];
  });
}

/** Elements of the write set that the read set lacks or has at another version; Fabric ignores the others, whatever their content. */
function changesOf(readSet: Elements, writeSet: Elements, current: Elements): Change[] {
  return [...writeSet.values()]
    .filter(({ key, element }) => readSet.get(key)?.element.version !== element.version)
    .map((placed) => {
      const before = current.get(placed.key)?.element;
      return { ...placed, before, change: before === undefined ? 'new' : 'modified' };
    });
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
    } else if (version !== BigInt.asUintN(VERSION_BITS, before.version + 1n))
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

/** The group at a path, with the children that its last version lists. Undefined if it was refused. */
function groupAt(path: string, elements: Elements): ConfigGroup | undefined {
  const group = elements.get(PREFIX.group + path)?.element as ConfigGroup | undefined;
  if (group === undefined) return undefined;
  const withDefault = elements.has(ORDERER_CAPABILITIES);
  const modPolicyOf = ({ modPolicy }: { readonly modPolicy: string }): string =>
    modPolicy === '' && withDefault ? DEFAULT_MOD_POLICY : modPolicy;
  return makeGroup({
    version: group.version,
    modPolicy: modPolicyOf(group),
    unknown: group.unknown,
    groups: children(group.groups, (name) => groupAt(`${path}/${name}`, elements)),
    values: children(group.values, (name) => {
      const value = elements.get(`${PREFIX.value}${path}/${name}`)?.element as ConfigValue | undefined;
      if (value === undefined || value.modPolicy === modPolicyOf(value)) return value;
      return makeValue({ ...value, modPolicy: modPolicyOf(value) });
    }),
    policies: children(group.policies, (name) => {
      const policy = elements.get(`${PREFIX.policy}${path}/${name}`)?.element as ConfigPolicy | undefined;
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

function removedFrom(before: ConfigGroup, after: ConfigGroup): Placed[] {
  const removed: Placed[] = [];
  const visit = (path: string, old: ConfigGroup, now: ConfigGroup): void => {
    const kinds = [
      ['value', old.values, now.values],
      ['policy', old.policies, now.policies],
      ['group', old.groups, now.groups],
    ] as const;
    for (const [kind, olds, nows] of kinds)
      for (const [name, element] of olds)
        if (!nows.has(name))
          removed.push({ kind, key: `${PREFIX[kind]}${path}/${name}`, path: `${path}/${name}`, element });
    for (const [name, group] of old.groups) {
      const next = now.groups.get(name);
      if (next !== undefined) visit(`${path}/${name}`, group, next);
    }
  };
  visit(`/${ROOT}`, before, after);
  return removed;
}
