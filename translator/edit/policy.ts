// Sets and removes policies, in the syntax of configtx.yaml, and sets mod_policies.

import {
  type Config,
  type ConfigGroup,
  type Policy,
  makeGroup,
  makePolicy,
  makeValue,
  modPolicyProblem,
  nameProblem,
  pathOf,
  type GroupPath,
} from '../channel/index.js';
import {
  type ChangedElement,
  parseImplicitMeta,
  printImplicitMeta,
  readImplicitMeta,
  writeImplicitMeta,
  parseSignaturePolicy,
  createPolicies,
  POLICY_TYPE,
  type PolicyNode,
  printSignaturePolicy,
  readSignaturePolicy,
  writeSignaturePolicy,
  resolvePolicy,
} from '../policy/index.js';
import { badEdit, type Edited, edited, unknownName } from './edited.js';
import { normalized, resolvePath, splitPath, type Target } from './path.js';
import { changeGroup, requiredGroup, withPolicy } from './tree.js';

/** Parses `MAJORITY Admins` or `OR('Org1MSP.admin')`. @throws TranslateError BAD_POLICY */
function parsePolicy(text: string): Policy {
  if (/^(?:ANY|ALL|MAJORITY)\b/i.test(text))
    return { type: POLICY_TYPE.implicitMeta, value: writeImplicitMeta(parseImplicitMeta(text)) };
  return { type: POLICY_TYPE.signature, value: writeSignaturePolicy(parseSignaturePolicy(text)) };
}

/** Prints a policy for messages. */
function printPolicy(policy: Policy | undefined): string {
  try {
    if (policy?.type === POLICY_TYPE.implicitMeta) return printImplicitMeta(readImplicitMeta(policy.value));
    if (policy?.type === POLICY_TYPE.signature)
      return printSignaturePolicy(readSignaturePolicy(policy.value));
  } catch {
    // A policy that does not parse can still be replaced.
  }
  return 'a policy that cannot be printed';
}

/**
 * Sets a policy. The `mod_policy` of a new one is Admins.
 *
 * @param path `Application/Endorsement`, `/Channel/Application/Endorsement` or `application.endorsement`
 * @param text `MAJORITY Admins` or `OR('Org1MSP.admin')`
 * @throws TranslateError BAD_EDIT, BAD_POLICY
 */
export function setPolicy(config: Config, path: string, text: string): Edited {
  const { group, name } = placeOf(config, path);
  return withPolicyText(config, group, name, text);
}

/** Sets a policy of a group. @throws TranslateError BAD_POLICY */
export function withPolicyText(config: Config, path: GroupPath, name: string, text: string): Edited {
  const old = requiredGroup(config.channelGroup, path).policies.get(name);
  const policy = parsePolicy(text);
  const before = old === undefined ? 'new' : `${printPolicy(old.policy)} ->`;
  return edited(
    config,
    changeGroup(config.channelGroup, path, (group) => withPolicy(group, name, policy)),
    `policy ${pathOf(...path, name)}: ${before} ${printPolicy(policy)}`,
  );
}

/** Removes a policy. @throws TranslateError BAD_EDIT */
export function removePolicy(config: Config, path: string): Edited {
  const { group: at, name } = placeOf(config, path);
  const { policies } = requiredGroup(config.channelGroup, at);
  if (!policies.has(name)) throw unknownName(`${pathOf(...at)} has no policy`, name, policies.keys());
  return edited(
    config,
    changeGroup(config.channelGroup, at, (group) => withPolicy(group, name, undefined)),
    `policy ${pathOf(...at, name)} removed`,
  );
}

/** The group and the name of a policy, which may be new: the last part of the path is the name. */
function placeOf({ channelGroup }: Config, path: string): { group: readonly string[]; name: string } {
  const parts = splitPath(absolute(path));
  const last = parts.at(-1)!;
  const groupPath = parts
    .slice(0, -1)
    .map((part) => JSON.stringify(part))
    .join('.');
  const group = resolveGroup(channelGroup, groupPath);
  const { policies } = requiredGroup(channelGroup, group);
  const name = policies.has(last)
    ? last
    : ([...policies.keys()].find((each) => normalized(each) === normalized(last)) ?? last);
  if (nameProblem(name) !== undefined)
    throw badEdit(
      `the name ${JSON.stringify(name)} is not possible: letters, digits, '.' and '-' are allowed`,
    );
  return { group, name };
}

function resolveGroup(root: ConfigGroup, path: string): readonly string[] {
  if (path === '') return [];
  const found = resolvePath(root, path);
  if (found.isModPolicy) throw badEdit(`the mod_policy of ${pathOf(...found.path)} is not a group`);
  if (found.kind !== 'group')
    throw badEdit(`${pathOf(...found.path, found.name)} is a ${found.kind}, a group is needed`);
  return found.path;
}

/**
 * Sets the `mod_policy` of an element.
 *
 * @param policy the path of a policy: absolute, or from the group that contains the element
 * @throws TranslateError BAD_EDIT if there is no such policy, because nobody could change the element again
 */
export function setModPolicy(config: Config, path: string, policy: string): Edited {
  return withModPolicy(config, resolvePath(config.channelGroup, absolute(path)), policy);
}

/** A path with slashes begins with one. */
function absolute(path: string): string {
  return path.includes('/') && !path.startsWith('/') ? `/${path}` : path;
}

/** Sets the `mod_policy` of the element of a path. @throws TranslateError BAD_EDIT */
export function withModPolicy(config: Config, target: Target, policy: string): Edited {
  const { channelGroup } = config;
  const { kind, path, name } = target;
  const place = kind === 'group' ? pathOf(...path) : pathOf(...path, name);
  const problem = modPolicyProblem(policy);
  if (problem !== undefined)
    throw badEdit(`${JSON.stringify(policy)} is not a mod_policy (${problem}); expected one such as Admins`);
  const group = requiredGroup(channelGroup, path);
  const old = kind === 'group' ? group : kind === 'value' ? group.values.get(name) : group.policies.get(name);
  if (old === undefined) throw badEdit(`the channel has no ${place}`);
  checkPolicy(channelGroup, { kind, names: kind === 'group' ? path : [...path, name] }, policy);
  return edited(
    config,
    changeGroup(channelGroup, path, (each) => withElementModPolicy(each, target, policy)),
    `mod_policy of ${place}: ${old.modPolicy} -> ${policy}`,
  );
}

function withElementModPolicy(group: ConfigGroup, { kind, name }: Target, modPolicy: string): ConfigGroup {
  if (kind === 'group') return makeGroup({ ...group, modPolicy });
  if (kind === 'value') {
    const value = makeValue({ ...group.values.get(name)!, modPolicy });
    return makeGroup({ ...group, values: new Map(group.values).set(name, value) });
  }
  const policy = makePolicy({ ...group.policies.get(name)!, modPolicy });
  return makeGroup({ ...group, policies: new Map(group.policies).set(name, policy) });
}

function checkPolicy(
  root: ConfigGroup,
  { kind, names }: Pick<ChangedElement, 'kind' | 'names'>,
  modPolicy: string,
): PolicyNode {
  const path = pathOf(...names);
  const resolved = resolvePolicy(createPolicies(root), {
    kind,
    key: '',
    path,
    names,
    before: { modPolicy },
  });
  if (resolved.kind === 'found') return resolved.policy;
  throw badEdit(
    `${JSON.stringify(modPolicy)} is not a policy for ${path}, so nobody could change it again; expected a path such as /Channel/Application/Admins, or one from ${kind === 'group' ? 'the group' : 'its group'} such as Admins`,
  );
}
