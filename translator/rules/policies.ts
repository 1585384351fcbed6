// Policies that nobody or anybody satisfies, that refer to something undefined, or that are removed; and elements whose mod_policy names
// such a policy, or none.

import { keyOf, lastName, parentPath, walk, type ElementKind, type Placed } from '../channel/index.js';
import { PARTS, changeableElements, givenRoles, isGivenOut } from '../control/index.js';
import { describePolicy, elementWords, quoted, shortList, shortPath, words } from '../documents/index.js';
import { type Principal, mspVersionOf } from '../msp/index.js';
import {
  type PolicyNode,
  isSatisfiable,
  needOf,
  policiesBelow,
  principalsOf,
  resolvePolicy,
} from '../policy/index.js';
import { type ChannelState, mspOf } from '../state/index.js';
import { type RawFinding, defineCheck, defineRule } from './rule.js';

/** The policies that Fabric uses: the severity and effect of a missing policy, and whether it decides about the channel. */
const USED_POLICIES = {
  Admins: {
    severity: 'danger',
    isControl: true,
    without: (part: string) => `nobody can change ${part} again`,
  },
  Writers: {
    severity: 'danger',
    isControl: true,
    without: (part: string) => `nobody can submit to ${part}`,
  },
  Readers: {
    severity: 'danger',
    isControl: false,
    without: (part: string) => `peers and clients cannot read blocks of ${part}`,
  },
  BlockValidation: {
    severity: 'danger',
    isControl: true,
    without: () => 'orderers stop at their next start',
  },
  Endorsement: {
    severity: 'warning',
    isControl: false,
    without: () => 'chaincodes without a policy of their own cannot be approved or endorsed',
  },
  LifecycleEndorsement: {
    severity: 'warning',
    isControl: true,
    without: () => 'a member of a majority of the organisations is enough for chaincode definitions then',
  },
} as const;

const isUsedByFabric = (name: string): name is keyof typeof USED_POLICIES =>
  Object.hasOwn(USED_POLICIES, name);

/** Whether a policy of this name decides about the channel, besides the policies that a mod_policy names. */
export const isControlPolicy = (name: string): boolean =>
  isUsedByFabric(name) && USED_POLICIES[name].isControl;

/** `the group Application`, `the policy Orderer/Admins`, `Capabilities` */
const nameOf = (kind: ElementKind, path: string): string =>
  `${kind === 'policy' ? 'the policy ' : ''}${elementWords({ kind, path })}`;

/** What is not possible without a policy that Fabric uses. */
const withoutText = (policy: keyof typeof USED_POLICIES, path: string): string =>
  USED_POLICIES[policy].without(nameOf('group', parentPath(path)));

/** What those who satisfy a policy can do: `change the group Application`, `endorse for Org1`. */
export function actOf(path: string): string {
  const known = ACTS.get(path);
  if (known !== undefined) return known;
  const [name, group] = [lastName(path), parentPath(path)];
  const act = PARTS.includes(group) ? undefined : ACTS_OF_MEMBERS.get(name);
  if (name === 'Admins' && act === undefined) return `change ${nameOf('group', group)}`;
  return act === undefined ? `satisfy ${shortPath(path)}` : `${act} ${nameOf('group', group)}`;
}

const ACTS: ReadonlyMap<string, string> = new Map([
  ['/Channel/Writers', 'submit transactions and config updates'],
  ['/Channel/Readers', 'read blocks'],
  ['/Channel/Application/Writers', 'propose transactions'],
  ['/Channel/Application/Readers', 'receive events'],
  ['/Channel/Application/Endorsement', 'endorse by the default policy'],
  ['/Channel/Application/LifecycleEndorsement', 'define chaincodes'],
  ['/Channel/Orderer/BlockValidation', 'make blocks that peers take'],
]);

/** By the policies of an organisation. */
const ACTS_OF_MEMBERS: ReadonlyMap<string, string> = new Map([
  ['Admins', 'act as an admin of'],
  ['Writers', 'submit and propose for'],
  ['Readers', 'read blocks for'],
  ['Endorsement', 'endorse for'],
  ['LifecycleEndorsement', 'endorse chaincode definitions for'],
]);

/** The maximum number of groups without a sub-policy in a text. */
const GROUPS_SHOWN = 5;

const modPolicyMissing = defineRule({
  id: 'mod-policy-missing',
  severity: 'danger',
  isOfModPolicy: true,
  meaning: 'a mod_policy names no policy: nobody can change the element',
  words: ({ kind, modPolicy, policy, isForGood }: Closing, path) =>
    words(
      `the mod_policy ${quoted(modPolicy)} names no policy: ${isForGood ? 'nobody can ever change this element again' : 'nobody can change this element until the policy exists'}`,
      'set mod_policy to a policy that exists, for example Admins or /Channel/Application/Admins, or keep that policy',
      `there is no policy ${inShort(policy)}: nobody can ${isForGood ? `ever change ${nameOf(kind, path)} again` : `change ${nameOf(kind, path)} until it exists`}`,
    ),
});

/** The policy that decides about an element: the text of its mod_policy, and its path. */
export interface Deciding {
  readonly kind: ElementKind;
  readonly modPolicy: string;
  readonly policy: string;
}

/** The same of an element that nobody can change, or not before the policy changes, or exists. */
export interface Closing extends Deciding {
  readonly isForGood: boolean;
}

/** The maximum length of the name of a policy in a headline, in characters. */
const LONGEST_POLICY = 60;

const inShort = (policy: string): string => {
  const name = shortPath(policy);
  return name.length > LONGEST_POLICY ? `${name.slice(0, LONGEST_POLICY)}…` : name;
};

/** `"Admins" (/Channel/Admins)` */
const decidingText = ({ modPolicy, policy }: Omit<Deciding, 'kind'>): string =>
  modPolicy === policy ? quoted(modPolicy) : `${quoted(modPolicy)} (${policy})`;

const modPolicyFrozen = defineRule({
  id: 'mod-policy-frozen',
  severity: 'danger',
  isOfModPolicy: true,
  meaning: 'nobody can satisfy the policy that a mod_policy names',
  words: ({ kind, modPolicy, policy, isForGood }: Closing, path) =>
    words(
      `nobody can satisfy the mod_policy ${decidingText({ modPolicy, policy })}: ${isForGood ? 'nobody can ever change this element again' : 'nobody can change this element until that policy changes'}`,
      'name a policy in mod_policy that the admins of the channel can satisfy',
      `nobody satisfies ${inShort(policy)}: nobody can ${isForGood ? `ever change ${nameOf(kind, path)} again` : `change ${nameOf(kind, path)} until it changes`}`,
    ),
});

const modPolicyOpen = defineRule({
  id: 'mod-policy-open',
  severity: 'danger',
  isOfModPolicy: true,
  meaning: 'anybody satisfies the policy that a mod_policy names',
  words: ({ kind, modPolicy, policy }: Deciding, path) =>
    words(
      `anybody satisfies the mod_policy ${decidingText({ modPolicy, policy })} without a signature: whoever can submit updates can change this element`,
      'name a policy in mod_policy that needs the signatures of admins',
      `anybody who can submit updates can change ${nameOf(kind, path)}`,
    ),
});

const policyMissing = defineRule({
  id: 'policy-missing',
  severity: ['danger', 'warning'],
  tellsLosses: true,
  meaning: 'the config lacks a policy that Fabric uses',
  words: ({ policy }: { policy: keyof typeof USED_POLICIES }, path) =>
    words(
      `the policy ${policy} is missing: ${withoutText(policy, path)}`,
      'keep or add the policy',
      `the policy ${shortPath(path)} is missing: ${withoutText(policy, path)}`,
    ),
});

/** The policies that Fabric uses of each part of a channel; LifecycleEndorsement has a default. */
const POLICIES_OF = {
  '/Channel': ['Admins', 'Writers', 'Readers'],
  '/Channel/Application': ['Admins', 'Writers', 'Readers', 'Endorsement'],
  '/Channel/Orderer': ['Admins', 'Writers', 'Readers', 'BlockValidation'],
} as const satisfies Readonly<Record<string, readonly (keyof typeof USED_POLICIES)[]>>;

/** Policies that a config by itself lacks. */
export const missingPolicies = defineCheck({
  needs: 'config',
  rules: [policyMissing],
  find({ policies: { root }, channel }) {
    const { orderer, application } = channel;
    const groups = [
      ['/Channel', root],
      ['/Channel/Application', application.group && root.groups.get('Application')],
      ['/Channel/Orderer', orderer.group && root.groups.get('Orderer')],
    ] as const;
    return groups.flatMap(([path, group]) =>
      group === undefined
        ? []
        : POLICIES_OF[path]
            .filter((policy) => !group.policies.has(policy))
            .map((policy) =>
              policyMissing.at(`${path}/${policy}`, { policy }, USED_POLICIES[policy].severity),
            ),
    );
  },
});

/** What makes a policy satisfiable again. */
type Repair =
  | { readonly do: 'add-policy'; readonly groups: readonly string[]; readonly policy: string }
  | { readonly do: 'name-policy'; readonly policy: string }
  | { readonly do: 'keep-member' }
  /** The paths of the policies that it counts, and that nobody can satisfy. */
  | { readonly do: 'correct'; readonly policies: readonly string[] }
  /** MSP ids that no organisation has. */
  | { readonly do: 'msp'; readonly mspids: readonly string[] }
  /** Its organisations exist: their MSPs give nobody the roles that it names, or it requires more signatures than it names identities. */
  | { readonly do: 'rule' };

function repairText(repair: Repair): string {
  switch (repair.do) {
    case 'add-policy':
      return `give ${shortList(repair.groups, ', ', GROUPS_SHOWN)} a policy ${quoted(repair.policy)}`;
    case 'name-policy':
      return `name a policy that the members of the group have: none has a policy ${quoted(repair.policy)}`;
    case 'keep-member':
      return 'keep a member of the group: the policy counts the policies of its members';
    case 'correct':
      return `correct ${shortList(repair.policies, ', ', GROUPS_SHOWN)}, which it counts`;
    case 'msp':
      return `keep the organisation with the MSP id ${shortList(repair.mspids.map(quoted), ' or ')} on the channel, or name another one in the policy; upper and lower case differ`;
    case 'rule':
    default:
      return 'name roles that the MSPs of the organisations give, and not more signatures than identities';
  }
}

/** A policy that nobody satisfies. */
export interface Unsatisfiable {
  readonly policy: string;
  /** What stops, also by the policies that nobody satisfies because of this one. */
  readonly stops: readonly string[];
  readonly repair: Repair;
  /** The paths of the policies of which it follows; empty if it is a cause itself. */
  readonly because: readonly string[];
}

const policyUnsatisfiable = defineRule({
  id: 'policy-unsatisfiable',
  severity: ['danger', 'warning'],
  tellsLosses: true,
  meaning: 'nobody can satisfy a policy',
  words: ({ policy, stops, repair }: Unsatisfiable, path) =>
    words(
      `nobody can satisfy this policy, ${policy}: ${shortList(stops, '; ', stops.length)}`,
      repairText(repair),
      `${gravest(stops)}, because nobody satisfies ${shortPath(path)}`,
    ),
});

function openText(path: string): string {
  const act = actOf(path);
  const cause = act === `satisfy ${shortPath(path)}` ? '' : `, because of ${shortPath(path)}`;
  return `anybody can ${act} without a signature${cause}`;
}

const policyAlwaysSatisfied = defineRule({
  id: 'policy-always-satisfied',
  severity: ['danger', 'warning'],
  meaning: 'a policy requires no signature',
  words: ({ policy, hasNoGroups }: { policy: string; hasNoGroups: boolean }, path) =>
    words(
      `anybody satisfies this policy, ${policy}, without any signature`,
      hasNoGroups
        ? 'keep an organisation in the group, or use a signature policy'
        : 'require at least one signature',
      openText(path),
    ),
});

const policyUnknownMsp = defineRule({
  id: 'policy-unknown-msp',
  severity: 'warning',
  subjects: ({ mspid }) => [mspid],
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
  subjects: ({ groups }) => groups,
  meaning: 'an implicit meta policy counts groups that lack its sub-policy',
  words: ({ groups, policy }: { groups: readonly string[]; policy: string }) =>
    words(
      `the policy counts ${groups.slice(0, GROUPS_SHOWN).join(', ')}${groups.length > GROUPS_SHOWN ? ` and ${groups.length - GROUPS_SHOWN} more` : ''}, which ${groups.length === 1 ? 'has' : 'have'} no policy ${quoted(policy)} and can never satisfy it`,
      'add the policy to each organisation, or name a policy that they have',
    ),
});

/** Who satisfies a policy: nobody, anybody without a signature, or some users. */
type Satisfiability = 'nobody' | 'anybody' | 'some';

const satisfiable = new WeakMap<ChannelState, Promise<ReadonlyMap<PolicyNode, Satisfiability>>>();

/** Who satisfies each policy of a config; found once. */
export function satisfiabilityIn(state: ChannelState): Promise<ReadonlyMap<PolicyNode, Satisfiability>> {
  const found = satisfiable.get(state) ?? findSatisfiability(state);
  satisfiable.set(state, found);
  return found;
}

/** Pauses between two policies: one can have thousands of principals. */
async function findSatisfiability(state: ChannelState): Promise<ReadonlyMap<PolicyNode, Satisfiability>> {
  const known = await knownMsps(state);
  const faulty = new Set((await state.msps).faults.map(({ path }) => path));
  const version = mspVersionOf(state.channel.capabilities);
  // Without the unit of a role in NodeOUs, or without NodeOUs, nobody has it (msp/mspimpl.go, `satisfiesPrincipalInternalPreV13`).
  const roles = new Map(
    state.channel.organizations.map((each) => [
      each.mspId ?? '',
      { roles: faulty.has(each.path) ? undefined : givenRoles(mspOf(each), version) },
    ]),
  );
  const canSatisfy = (principal: Principal): boolean =>
    isSatisfiable(principal, (mspid) => known.has(mspid)) && isGivenOut(principal, roles);
  const found = new Map<PolicyNode, Satisfiability>();
  for (const policy of policiesBelow(state.policies.root)) {
    await state.call.pause();
    const { kind } = needOf(policy, canSatisfy);
    found.set(policy, kind === 'impossible' ? 'nobody' : kind === 'nothing' ? 'anybody' : 'some');
  }
  return found;
}

/** The MSP ids of a config, also of MSPs that cannot be set up: these are findings by themselves. */
async function knownMsps({ channel, msps }: ChannelState): Promise<ReadonlySet<string>> {
  const { manager, faults } = await msps;
  const faulty = new Set(faults.map(({ path }) => path));
  const named = channel.organizations.flatMap(({ path, mspId = '' }) => (faulty.has(path) ? mspId : []));
  return new Set([...manager.msps.keys(), ...named]);
}

/** One pass over the policies. */
export const eachPolicy = defineCheck({
  needs: 'config',
  rules: [policyUnsatisfiable, policyAlwaysSatisfied, policyUnknownMsp, subPolicyMissing],
  async find(state) {
    const known = await knownMsps(state);
    const findings: RawFinding[] = [];
    const satisfiability = await satisfiabilityIn(state);
    const unsatisfiable = unsatisfiableIn(satisfiability, known);
    for (const [policy, who] of satisfiability) {
      await state.call.pause();
      // A mod_policy that names it is a finding by itself.
      const severity = isUsedByFabric(lastName(policy.path)) ? 'danger' : 'warning';
      const nobody = unsatisfiable.get(policy.path);
      findings.push(
        ...(nobody === undefined ? [] : [policyUnsatisfiable.at(policy.path, nobody, severity)]),
        ...(who === 'anybody' ? [alwaysSatisfied(policy, severity)] : []),
        ...unknownMsps(policy, (mspid) => known.has(mspid)),
        ...(who === 'some' ? missingSubPolicies(policy) : []),
      );
    }
    return findings;
  },
});

function alwaysSatisfied(policy: PolicyNode, severity: 'danger' | 'warning'): RawFinding {
  const hasNoGroups = policy.kind === 'implicitMeta' && policy.groups.length === 0;
  return policyAlwaysSatisfied.at(policy.path, { policy: describePolicy(policy), hasNoGroups }, severity);
}

/** The policies that nobody satisfies, by path. */
function unsatisfiableIn(
  satisfiability: ReadonlyMap<PolicyNode, Satisfiability>,
  mspids: ReadonlySet<string>,
): ReadonlyMap<string, Unsatisfiable> {
  const all = [...satisfiability].flatMap(([policy, who]) => (who === 'nobody' ? [policy] : []));
  const repairs = new Map(
    all.map((policy) => [policy.path, repairOf(policy, satisfiability, mspids)] as const),
  );
  const firsts = new Map<string, string>();
  const because = new Map<string, readonly string[]>();
  for (const { path } of all) {
    const repair = repairs.get(path)!;
    // Policies of one group that lack the same policies of its members have one cause.
    const key = JSON.stringify([parentPath(path), repair]);
    const first = repair.do === 'add-policy' || repair.do === 'name-policy' ? firsts.get(key) : undefined;
    firsts.set(key, first ?? path);
    because.set(path, repair.do === 'correct' ? repair.policies : first === undefined ? [] : [first]);
  }
  const causes = new Map<string, ReadonlySet<string>>();
  const causesOf = (path: string): ReadonlySet<string> => {
    const of = because.get(path) ?? [];
    const found =
      causes.get(path) ?? new Set(of.length === 0 ? [path] : of.flatMap((each) => [...causesOf(each)]));
    causes.set(path, found);
    return found;
  };
  const stops = new Map(all.map(({ path }) => [path, new Set([stopsWithout(path)])] as const));
  for (const { path } of all) for (const cause of causesOf(path)) stops.get(cause)!.add(stopsWithout(path));
  return new Map(
    all.map((policy) => {
      const { path } = policy;
      const data = { policy: describePolicy(policy), stops: [...stops.get(path)!] };
      return [path, { ...data, repair: repairs.get(path)!, because: because.get(path)! }];
    }),
  );
}

function repairOf(
  policy: PolicyNode,
  satisfiability: ReadonlyMap<PolicyNode, Satisfiability>,
  known: ReadonlySet<string>,
): Repair {
  if (policy.kind === 'implicitMeta') {
    const { groups, subPolicy } = policy;
    const without = groups.filter((group) => group.policy === undefined).map(({ name }) => name);
    if (groups.length === 0) return { do: 'keep-member' };
    if (without.length === groups.length) return { do: 'name-policy', policy: subPolicy };
    if (without.length > 0) return { do: 'add-policy', groups: without, policy: subPolicy };
    const policies = groups.flatMap(({ policy: inner }) =>
      inner !== undefined && satisfiability.get(inner) === 'nobody' ? inner.path : [],
    );
    return policies.length === 0 ? { do: 'rule' } : { do: 'correct', policies };
  }
  if (policy.kind !== 'signature') return { do: 'rule' };
  const mspids = policy.policy.identities.flatMap(({ principal }) => mspidsOf(principal));
  const unknown = [...new Set(mspids)].filter((mspid) => !known.has(mspid));
  return unknown.length === 0 ? { do: 'rule' } : { do: 'msp', mspids: unknown };
}

/** What stops for the channel, or else for an organisation. */
function gravest(stops: readonly string[]): string {
  const ofChannel = new Set([stopsWithout('/Channel/Admins'), ...STOPS.values()]);
  return stops.find((each) => ofChannel.has(each)) ?? stops[0] ?? '';
}

/** What stops if nobody satisfies a policy. */
function stopsWithout(path: string): string {
  const name = lastName(path);
  const part = path.slice(0, -name.length - 1);
  if (name === 'Admins') return `nobody can change ${nameOf('group', part)} any more`;
  return (
    STOPS.get(path) ??
    (isUsedByFabric(name) ? `nobody can ${actOf(path)}` : 'no action that requires it is possible any more')
  );
}

const STOPS: ReadonlyMap<string, string> = new Map([
  ['/Channel/Writers', 'nobody can submit transactions or config updates any more'],
  ['/Channel/Readers', 'peers and clients cannot read blocks from the orderers any more'],
  ['/Channel/Application/Writers', 'nobody can propose transactions any more'],
  ['/Channel/Application/Readers', 'peers exchange nothing with each other, and clients get no events'],
  [
    '/Channel/Application/Endorsement',
    'transactions of chaincodes with the default endorsement policy are invalid',
  ],
  ['/Channel/Application/LifecycleEndorsement', 'no chaincode can be defined or changed any more'],
  ['/Channel/Orderer/BlockValidation', 'peers take no block any more'],
  [
    '/Channel/Orderer/Writers',
    'nobody can submit updates in maintenance, and BFT orderers do not agree any more',
  ],
]);

function unknownMsps(policy: PolicyNode, hasMsp: (mspid: string) => boolean): RawFinding[] {
  const names = new Set(principalsOf(policy).flatMap(mspidsOf));
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
interface Decided extends Pick<Placed, 'kind' | 'key' | 'path'> {
  readonly modPolicy: string;
  readonly policy: PolicyNode | undefined;
}

/** The policies that the mod_policies name. */
export const modPolicies = defineCheck({
  needs: 'config',
  rules: [modPolicyMissing, modPolicyFrozen, modPolicyOpen],
  async find(state) {
    const satisfiability = await satisfiabilityIn(state);
    const whoOf = ({ policy }: Decided): Satisfiability | 'missing' =>
      policy === undefined ? 'missing' : satisfiability.get(policy)!;
    const found = decidedElements(state).filter((each) => whoOf(each) !== 'some');
    if (found.length === 0) return [];
    const changeable = await changeableElements(state);
    return found.map((each) => {
      const { kind, key, path, modPolicy } = each;
      const policy = each.policy?.path ?? namedPath(each);
      const deciding = { kind, modPolicy, policy };
      if (whoOf(each) === 'anybody') return modPolicyOpen.at(path, deciding);
      const isMissing = each.policy === undefined;
      // A policy that does not exist can be added to a group that can be changed.
      const isForGood =
        !changeable.has(key) && !(isMissing && changeable.has(keyOf('group', parentPath(policy))));
      return (isMissing ? modPolicyMissing : modPolicyFrozen).at(path, { ...deciding, isForGood });
    });
  },
});

/** The path of the policy that the mod_policy of an element names. */
const namedPath = ({ kind, path, modPolicy }: Decided): string =>
  modPolicy.startsWith('/') ? modPolicy : `${kind === 'group' ? path : parentPath(path)}/${modPolicy}`;

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
      return { kind, key, path, modPolicy: element.modPolicy, policy };
    });
  decided.set(state, found);
  return found;
}

/** Policies that the update removes, also of organisations. */
export const removedPolicies = defineCheck({
  needs: 'update',
  rules: [policyMissing],
  find: ({ applied }) =>
    applied.removed.flatMap(({ kind, path, names }) => {
      const policy = names.at(-1) ?? '';
      return kind === 'policy' && isUsedByFabric(policy)
        ? [policyMissing.at(path, { policy }, USED_POLICIES[policy].severity)]
        : [];
    }),
});
