// Policies that nobody, or anybody, satisfies, that name what does not exist, or that are removed; and elements that nobody can change
// any more, because their mod_policy names no policy.

import { createYielder } from '../../../core/common/flow/yielder.js';
import { lastName, parentPath, walk, type Placed } from '../../channel/index.js';
import {
  isSatisfiable,
  needOf,
  type PolicyGroup,
  type PolicyNode,
  resolvePolicy,
} from '../../policy/index.js';
import { describePolicy, type Finding } from '../../documents/index.js';
import type { Principal } from '../../msp/index.js';
import { finding } from '../finding.js';
import type { ChannelState } from '../../state/index.js';

/** Other code runs between two policies: one can have thousands of principals. */
export async function policyFindings(state: ChannelState): Promise<Finding[]> {
  const yieldIfDue = createYielder(1);
  const deciding = decidingPolicies(state);
  const { msps } = (await state.msps).manager;
  const hasMsp = (mspid: string): boolean => msps.has(mspid);
  const findings: Finding[] = [];
  for (const policy of policiesIn(state.policies.root)) {
    await yieldIfDue();
    const isUsed = deciding.has(policy) || isUsedByFabric(lastName(policy.path));
    const found = satisfaction(policy, isUsed ? 'danger' : 'warning', hasMsp);
    findings.push(...found, ...unknownMsps(policy, hasMsp));
    if (found.length === 0) findings.push(...missingSubPolicies(policy));
  }
  return findings;
}

function* policiesIn(group: PolicyGroup): Generator<PolicyNode> {
  yield* group.policies.values();
  for (const child of group.groups.values()) yield* policiesIn(child);
}

function satisfaction(
  policy: PolicyNode,
  severity: 'danger' | 'warning',
  hasMsp: (mspid: string) => boolean,
): Finding[] {
  const need = needOf(policy, (principal) => isSatisfiable(principal, hasMsp));
  if (need.kind === 'impossible')
    return [finding(severity, 'policy-unsatisfiable', policy.path, { policy: describePolicy(policy) })];
  if (need.kind !== 'nothing') return [];
  return [
    finding(severity, 'policy-always-satisfied', policy.path, {
      policy: describePolicy(policy),
      hasNoGroups: policy.kind === 'implicitMeta' && policy.groups.length === 0,
    }),
  ];
}

function unknownMsps(policy: PolicyNode, hasMsp: (mspid: string) => boolean): Finding[] {
  if (policy.kind !== 'signature') return [];
  const names = new Set(policy.policy.identities.flatMap(({ principal }) => mspidsOf(principal)));
  return [...names]
    .filter((name) => !hasMsp(name))
    .map((name) => finding('warning', 'policy-unknown-msp', policy.path, { mspid: name }));
}

/** The MSP ids that a principal names. */
export function mspidsOf(principal: Principal): string[] {
  if (principal.kind === 'role' || principal.kind === 'ou') return [principal.mspid];
  return principal.kind === 'combined' ? principal.principals.flatMap(mspidsOf) : [];
}

function missingSubPolicies(policy: PolicyNode): Finding[] {
  if (policy.kind !== 'implicitMeta') return [];
  const without = policy.groups.filter((group) => group.policy === undefined).map(({ name }) => name);
  if (without.length === 0) return [];
  return [
    finding('warning', 'sub-policy-missing', policy.path, { groups: without, policy: policy.subPolicy }),
  ];
}

/** An element and the policy that decides about it. */
interface Decided {
  readonly path: string;
  readonly modPolicy: string;
  readonly policy: PolicyNode | undefined;
}

export function modPolicyFindings(state: ChannelState): Finding[] {
  const frozen = new Map<string, Decided[]>();
  for (const element of decidedElements(state)) {
    if (element.policy !== undefined) continue;
    const key = `${parentPath(element.path)} ${element.modPolicy}`;
    const same = frozen.get(key);
    if (same === undefined) frozen.set(key, [element]);
    else same.push(element);
  }
  return [...frozen.values()].map((elements) => {
    const [{ path, modPolicy }] = elements as [Decided];
    return finding('danger', 'mod-policy-missing', path, { modPolicy, others: elements.length - 1 });
  });
}

/** The policies that decide about an element. */
export function decidingPolicies(state: ChannelState): Set<PolicyNode> {
  return new Set(decidedElements(state).flatMap(({ policy }) => policy ?? []));
}

const decided = new WeakMap<ChannelState, Decided[]>();

/** All elements of a config with their policies; found once. */
function decidedElements(state: ChannelState): Decided[] {
  const { config, policies } = state;
  const found =
    decided.get(state) ??
    [...walk(config.channelGroup)].map(({ kind, key, path, names, element }) => {
      const resolution = resolvePolicy(policies, { kind, key, path, names, before: element });
      const policy = resolution.kind === 'found' ? resolution.policy : undefined;
      return { path, modPolicy: element.modPolicy, policy };
    });
  decided.set(state, found);
  return found;
}

/** How bad it is when a policy is missing that Fabric uses. */
const USED_POLICIES = {
  Admins: 'danger',
  Writers: 'danger',
  Readers: 'danger',
  BlockValidation: 'danger',
  Endorsement: 'warning',
  LifecycleEndorsement: 'warning',
} as const;

const isUsedByFabric = (name: string): name is keyof typeof USED_POLICIES =>
  Object.hasOwn(USED_POLICIES, name);

/** Policies that the update removes. */
export const removedPolicyFindings = (removed: readonly Placed[]): Finding[] =>
  removed.flatMap(({ kind, path, names }) => {
    const policy = names.at(-1) ?? '';
    return kind === 'policy' && isUsedByFabric(policy)
      ? [finding(USED_POLICIES[policy], 'policy-removed', path, { policy })]
      : [];
  });
