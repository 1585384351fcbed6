// Policies that nobody or anybody satisfies, that refer to something undefined, or that are removed; and elements that nobody can change
// any more, because their mod_policy names no policy.

import { lastName, parentPath, walk } from '../channel/index.js';
import { givenRoles, isGivenOut } from '../control/index.js';
import { describePolicy, quoted, words } from '../documents/index.js';
import type { Principal } from '../msp/index.js';
import {
  type CanSatisfy,
  type PolicyGroup,
  type PolicyNode,
  isSatisfiable,
  needOf,
  resolvePolicy,
} from '../policy/index.js';
import { type ChannelState, mspOf } from '../state/index.js';
import { type RawFinding, defineCheck, defineRule } from './rule.js';

/** The policies that Fabric uses: the severity and effect of a missing policy, and whether it decides about the channel. */
const USED_POLICIES = {
  Admins: {
    severity: 'danger',
    isControl: true,
    without: 'nobody can change this part of the channel again',
  },
  Writers: {
    severity: 'danger',
    isControl: true,
    without: 'nobody can submit to this part of the channel',
  },
  Readers: {
    severity: 'danger',
    isControl: false,
    without: 'peers and clients cannot read blocks of this part of the channel',
  },
  BlockValidation: { severity: 'danger', isControl: true, without: 'orderers stop at their next start' },
  Endorsement: {
    severity: 'warning',
    isControl: false,
    without: 'chaincodes that use it cannot be endorsed',
  },
  LifecycleEndorsement: {
    severity: 'warning',
    isControl: true,
    without: 'a member of a majority of the organisations is enough for chaincode definitions then',
  },
} as const;

const isUsedByFabric = (name: string): name is keyof typeof USED_POLICIES =>
  Object.hasOwn(USED_POLICIES, name);

/** Whether a policy of this name decides about the channel, besides the policies that a mod_policy names. */
export const isControlPolicy = (name: string): boolean =>
  isUsedByFabric(name) && USED_POLICIES[name].isControl;

/** The maximum number of groups without a sub-policy in a text. */
const GROUPS_SHOWN = 5;

const modPolicyMissing = defineRule({
  id: 'mod-policy-missing',
  severity: 'danger',
  meaning: 'a mod_policy names no policy: the element can never be changed',
  words: ({ modPolicy, others }: { modPolicy: string; others: number }) =>
    words(
      `the mod_policy ${quoted(modPolicy)} names no policy: nobody can ever change this element again${others === 0 ? '' : `, nor ${others} other ${others === 1 ? 'element' : 'elements'} of its group`}`,
      'set mod_policy to a policy that exists, for example Admins or /Channel/Application/Admins, or keep that policy',
    ),
});

const policyRemoved = defineRule({
  id: 'policy-removed',
  severity: ['danger', 'warning'],
  tellsLosses: true,
  meaning: 'the update removes a policy that Fabric uses',
  words: ({ policy }: { policy: keyof typeof USED_POLICIES }) =>
    words(`the policy ${policy} is removed: ${USED_POLICIES[policy].without}`, 'keep the policy'),
});

const policyUnsatisfiable = defineRule({
  id: 'policy-unsatisfiable',
  severity: ['danger', 'warning'],
  tellsLosses: true,
  meaning: 'nobody can satisfy a policy',
  words: ({ policy }: { policy: string }) =>
    words(
      `nobody can satisfy this policy, ${policy}: no action that requires it is possible any more`,
      'correct the policy, or the organisations and MSP ids that it names',
    ),
});

const policyAlwaysSatisfied = defineRule({
  id: 'policy-always-satisfied',
  severity: ['danger', 'warning'],
  meaning: 'a policy requires no signature',
  words: ({ policy, hasNoGroups }: { policy: string; hasNoGroups: boolean }) =>
    words(
      `anybody satisfies this policy, ${policy}, without any signature`,
      hasNoGroups
        ? 'keep an organisation in the group, or use a signature policy'
        : 'require at least one signature',
    ),
});

const policyUnknownMsp = defineRule({
  id: 'policy-unknown-msp',
  severity: 'warning',
  meaning: 'a policy names an MSP id that no organisation has',
  words: ({ mspid }: { mspid: string }) =>
    words(
      `the policy names the MSP id ${quoted(mspid)}, which no organisation of the channel has`,
      'correct the MSP id; upper and lower case differ',
    ),
});

const subPolicyMissing = defineRule({
  id: 'sub-policy-missing',
  severity: 'warning',
  meaning: 'an implicit meta policy counts groups that lack its sub-policy',
  words: ({ groups, policy }: { groups: readonly string[]; policy: string }) =>
    words(
      `the policy counts ${groups.slice(0, GROUPS_SHOWN).join(', ')}${groups.length > GROUPS_SHOWN ? ` and ${groups.length - GROUPS_SHOWN} more` : ''}, which ${groups.length === 1 ? 'has' : 'have'} no policy ${quoted(policy)} and can never satisfy it`,
      'add the policy to each organisation, or name a policy that they have',
    ),
});

/** One pass over the policies that yields between two of them: one can have thousands of principals. */
export const eachPolicy = defineCheck({
  needs: 'config',
  rules: [policyUnsatisfiable, policyAlwaysSatisfied, policyUnknownMsp, subPolicyMissing],
  async find(state) {
    const deciding = decidingPolicies(state);
    const { msps } = (await state.msps).manager;
    const hasMsp = (mspid: string): boolean => msps.has(mspid);
    // Without the unit of a role in NodeOUs, or without NodeOUs, nobody has it (msp/mspimpl.go, `satisfiesPrincipalInternalPreV13`).
    const roles = new Map(
      state.channel.organizations.map((each) => [each.mspId ?? '', { roles: givenRoles(mspOf(each)) }]),
    );
    const canSatisfy = (principal: Principal): boolean =>
      isSatisfiable(principal, hasMsp) && isGivenOut(principal, roles);
    const findings: RawFinding[] = [];
    for (const policy of policiesIn(state.policies.root)) {
      await state.call.pause();
      const isUsed = deciding.has(policy) || isUsedByFabric(lastName(policy.path));
      const found = satisfaction(policy, isUsed ? 'danger' : 'warning', canSatisfy);
      findings.push(...found, ...unknownMsps(policy, hasMsp));
      if (found.length === 0) findings.push(...missingSubPolicies(policy));
    }
    return findings;
  },
});

function* policiesIn(group: PolicyGroup): Generator<PolicyNode> {
  yield* group.policies.values();
  for (const child of group.groups.values()) yield* policiesIn(child);
}

function satisfaction(
  policy: PolicyNode,
  severity: 'danger' | 'warning',
  canSatisfy: CanSatisfy,
): RawFinding[] {
  const need = needOf(policy, canSatisfy);
  if (need.kind === 'impossible')
    return [policyUnsatisfiable.at(policy.path, { policy: describePolicy(policy) }, severity)];
  if (need.kind !== 'nothing') return [];
  return [
    policyAlwaysSatisfied.at(
      policy.path,
      {
        policy: describePolicy(policy),
        hasNoGroups: policy.kind === 'implicitMeta' && policy.groups.length === 0,
      },
      severity,
    ),
  ];
}

function unknownMsps(policy: PolicyNode, hasMsp: (mspid: string) => boolean): RawFinding[] {
  if (policy.kind !== 'signature') return [];
  const names = new Set(policy.policy.identities.flatMap(({ principal }) => mspidsOf(principal)));
  return [...names]
    .filter((name) => !hasMsp(name))
    .map((name) => policyUnknownMsp.at(policy.path, { mspid: name }));
}

/** The MSP ids that a principal names. */
export function mspidsOf(principal: Principal): string[] {
  if (principal.kind === 'role' || principal.kind === 'ou') return [principal.mspid];
  return principal.kind === 'combined' ? principal.principals.flatMap(mspidsOf) : [];
}

function missingSubPolicies(policy: PolicyNode): RawFinding[] {
  if (policy.kind !== 'implicitMeta') return [];
  const without = policy.groups.filter((group) => group.policy === undefined).map(({ name }) => name);
  if (without.length === 0) return [];
  return [subPolicyMissing.at(policy.path, { groups: without, policy: policy.subPolicy })];
}

/** An element and the policy that decides about it. */
interface Decided {
  readonly path: string;
  readonly modPolicy: string;
  readonly policy: PolicyNode | undefined;
}

/** Elements of one group with the same mod_policy are one finding. */
export const modPolicies = defineCheck({
  needs: 'config',
  rules: [modPolicyMissing],
  find(state) {
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
      return modPolicyMissing.at(path, { modPolicy, others: elements.length - 1 });
    });
  },
});

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

/** Policies that the update removes. */
export const removedPolicies = defineCheck({
  needs: 'update',
  rules: [policyRemoved],
  find: ({ applied }) =>
    applied.removed.flatMap(({ kind, path, names }) => {
      const policy = names.at(-1) ?? '';
      return kind === 'policy' && isUsedByFabric(policy)
        ? [policyRemoved.at(path, { policy }, USED_POLICIES[policy].severity)]
        : [];
    }),
});
