// Reads all policies of a channel and finds them by path, like Fabric's policy manager (common/policies/policy.go).

import { is, requireTypes } from '../../proto/arguments.js';
import { finish, type Steps } from '../long-call.js';
import { type ConfigGroup, type ConfigPolicy, type Policy, resultTypes } from '../channel/index.js';
import { TranslateError } from '../../proto/errors.js';
import { readImplicitMeta, thresholdOf } from './implicit-meta.js';
import { readSignaturePolicy, type SignatureRule, type SignaturePolicy } from './signature-policy.js';

const ROOT = 'Channel';
/** Groups may be nested up to this depth. Fabric accepts four levels. */
const MAX_GROUP_DEPTH = 100;

/** The maximum number of nested groups of all implicit meta policies together. 250 organisations need some thousands. */
const MAX_META_GROUPS = 2_000_000;

/** The numbers of `common.Policy.PolicyType`. */
export const POLICY_TYPE = { signature: 1, implicitMeta: 3 } as const;

/** A policy that requires signatures. */
export interface SignatureNode {
  readonly kind: 'signature';
  /** `/Channel/Application/Org1/Admins` */
  readonly path: string;
  readonly policy: SignaturePolicy;
}

/** A policy that requires policies of the nested groups. */
export interface MetaNode {
  readonly kind: 'implicitMeta';
  readonly path: string;
  /** The number of the rule, see `META_RULES`. */
  readonly rule: number;
  readonly subPolicy: string;
  /** The number of groups that must satisfy their policy; see `thresholdOf`. */
  readonly threshold: number;
  /** The nested groups by name, including groups without the policy. */
  readonly groups: readonly { readonly name: string; readonly policy: PolicyNode | undefined }[];
}

/** A policy of a channel. */
export type PolicyNode = SignatureNode | MetaNode;

/** A policy that Fabric refuses, and therefore the config. */
export interface PolicyProblem {
  /** `/Channel/Application/Admins` */
  readonly path: string;
  /** The error of Fabric's `NewManagerImpl`, without its prefix. */
  readonly text: string;
}

/** The policies of a group and of the groups in it. */
export interface PolicyGroup {
  /** `Channel/Application` */
  readonly path: string;
  readonly groups: ReadonlyMap<string, PolicyGroup>;
  readonly policies: ReadonlyMap<string, PolicyNode>;
}

/** All policies of a channel. */
export interface Policies {
  readonly root: PolicyGroup;
  /** Empty for the config of a working channel. Policies with a problem are missing from the groups. */
  readonly problems: readonly PolicyProblem[];
}

/** A panic instead of an error in Fabric; see {@link findPolicy}. */
export class GoPanic extends Error {
  override readonly name = 'GoPanic';
}

/** A counter that bounds time and memory, which are quadratic in the size of the config. */
interface Work {
  metaGroups: number;
}

const known = new WeakMap<Policy, SignaturePolicy>();

/** Reads a policy once: configs of one channel share most policies. @throws TranslateError as `readSignaturePolicy` */
function readOnce(policy: Policy): SignaturePolicy {
  const read = known.get(policy) ?? readSignaturePolicy(policy.value);
  known.set(policy, read);
  return read;
}

/** Reads all policies of a channel group. Problems are reported, not thrown. */
export function createPolicies(group: ConfigGroup): Policies {
  requireTypes({ group }, { group: resultTypes.configGroup });
  return finish(policiesInSteps(group));
}

/** Like {@link createPolicies}, for long calls: one step for each policy, because policies can be large. */
export function* policiesInSteps(group: ConfigGroup): Steps<Policies> {
  const problems: PolicyProblem[] = [];
  return { root: yield* createGroup(group, ROOT, problems, { metaGroups: 0 }, 1), problems };
}

/** The policies of a group and of the groups in it. */
export function* policiesBelow(group: PolicyGroup): Generator<PolicyNode> {
  yield* group.policies.values();
  for (const child of group.groups.values()) yield* policiesBelow(child);
}

function* createGroup(
  { groups, policies }: ConfigGroup,
  path: string,
  problems: PolicyProblem[],
  work: Work,
  depth: number,
): Steps<PolicyGroup> {
  const nested = new Map<string, PolicyGroup>();
  if (depth < MAX_GROUP_DEPTH)
    for (const [name, group] of groups)
      nested.set(name, yield* createGroup(group, `${path}/${name}`, problems, work, depth + 1));
  else if (groups.size > 0)
    problems.push({
      path: `/${path}`,
      text: `groups are nested more than ${String(MAX_GROUP_DEPTH)} levels deep`,
    });
  const nodes = new Map<string, PolicyNode>();
  for (const [name, policy] of policies) {
    yield;
    const result = createPolicy(policy, name, path, nested, work);
    if (typeof result === 'string') problems.push({ path: `/${path}/${name}`, text: result });
    else nodes.set(name, result);
  }
  return { path, groups: nested, policies: nodes };
}

/** A policy, or Fabric's error if it refuses the policy. */
function createPolicy(
  { policy }: ConfigPolicy,
  name: string,
  path: string,
  groups: ReadonlyMap<string, PolicyGroup>,
  work: Work,
): PolicyNode | string {
  if (policy === undefined) return `policy ${name} at path ${path} was nil`;
  const place = `policy ${name} at path ${path}`;
  if (policy.type === POLICY_TYPE.implicitMeta) {
    work.metaGroups += groups.size;
    if (work.metaGroups > MAX_META_GROUPS)
      return `implicit ${place}: the implicit meta policies of the channel have more than ${String(MAX_META_GROUPS)} groups together`;
    try {
      return createMeta(policy.value, `/${path}/${name}`, groups);
    } catch (error) {
      if (error instanceof GoPanic) return error.message;
      return `implicit ${place} did not compile: Error unmarshalling to ImplicitMetaPolicy: ${reasonOf(error)}`;
    }
  }
  if (policy.type !== POLICY_TYPE.signature)
    return `${place} has unknown policy type: ${String(policy.type)}`;
  try {
    const signature = readOnce(policy);
    const problem = signatureProblem(signature);
    if (problem !== undefined) return `${place} did not compile: ${problem}`;
    return { kind: 'signature', path: `/${path}/${name}`, policy: signature };
  } catch (error) {
    return `${place} did not compile: Error unmarshalling to SignaturePolicy: ${reasonOf(error)}`;
  }
}

/** The text for an error of a reader. @throws other errors */
function reasonOf(error: unknown): string {
  if (error instanceof TranslateError)
    return error.message === 'string field contains invalid UTF-8'
      ? `proto: ${error.message}`
      : error.message;
  throw error;
}

function createMeta(value: Uint8Array, path: string, nested: ReadonlyMap<string, PolicyGroup>): MetaNode {
  const { rule, subPolicy } = readImplicitMeta(value);
  const groups = [...nested].map(([name, group]) => ({ name, policy: findPolicy(group, subPolicy) }));
  return {
    kind: 'implicitMeta',
    path,
    rule,
    subPolicy,
    threshold: thresholdOf(rule, groups.length),
    groups,
  };
}

/** Fabric's error if it does not compile a signature policy (`common/cauthdsl`, NewPolicy and compile); undefined if it does. */
function signatureProblem({ version, rule, identities }: SignaturePolicy): string | undefined {
  if (version !== 0)
    return `This evaluator only understands messages of version 0, but version was ${String(version)}`;
  return rule === undefined ? 'Empty policy element' : ruleProblem(rule, identities.length);
}

function ruleProblem(rule: SignatureRule, identities: number): string | undefined {
  if (rule.kind === 'empty') return 'Unknown type: <nil>:<nil>';
  if (rule.kind === 'outOf') {
    for (const nested of rule.rules) {
      const problem = ruleProblem(nested, identities);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
  return rule.index < 0 || rule.index >= identities
    ? `identity index out of range, requested ${String(rule.index)}, but identities length is ${String(identities)}`
    : undefined;
}

/**
 * Finds a policy by its path: relative to a group, such as `Admins` or `Org1/Admins`, or absolute, such as `/Channel/Application/Admins`
 * (Fabric: `ManagerImpl.GetPolicy`).
 *
 * @throws GoPanic if the path names the group itself, such as `/Channel` from the root
 */
export function findPolicy(group: PolicyGroup, id: string): PolicyNode | undefined {
  requireTypes({ group, id }, { group: is.record({ groups: is.map, policies: is.map }), id: is.text });
  const relative = relativePath(group, id);
  if (relative === undefined || relative === '') return undefined;
  const names = relative.split('/');
  const last = names.pop()!;
  let found: PolicyGroup | undefined = group;
  for (const name of names) found = found?.groups.get(name);
  return found?.policies.get(last);
}

/** The policy at an absolute path; undefined if there is none, or if Fabric panics on the path, such as `/Channel`. */
export function policyAt({ root }: Policies, path: string): PolicyNode | undefined {
  try {
    return findPolicy(root, path);
  } catch (error) {
    if (error instanceof GoPanic) return undefined;
    throw error;
  }
}

function relativePath({ path }: PolicyGroup, id: string): string | undefined {
  if (!id.startsWith('/')) return id;
  const prefix = `/${path}`;
  if (!id.startsWith(prefix)) return undefined;
  // Fabric skips one character without a check: /ChannelXAdmins is read as /Channel/Admins.
  const from = prefix.length + 1;
  if (id.length < from)
    throw new GoPanic(
      `panic: runtime error: slice bounds out of range [${String(from)}:${String(id.length)}]`,
    );
  return id.slice(from);
}
