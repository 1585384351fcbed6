// Hazards: policies that nobody, or anybody, satisfies, and policies that name what does not exist.

import { lastName } from '../../config/element-path.js';
import { isSatisfiable, needOf } from '../../policy/search/need.js';
import { describePolicy } from '../../describe/policy.js';
import type { PolicyGroup, PolicyNode } from '../../policy/policies.js';
import type { Principal } from '../../policy/principal.js';
import { hazard, type Finding } from '../finding.js';
import { decidingPolicies } from './mod-policies.js';
import type { State } from '../facts/state.js';

/** Policies that Fabric itself uses, by the group that has them. */
const USED = new Set([
  'Admins',
  'Writers',
  'Readers',
  'Endorsement',
  'LifecycleEndorsement',
  'BlockValidation',
]);

export function policyHazards(state: State): Finding[] {
  const deciding = decidingPolicies(state);
  const hasMsp = (mspid: string): boolean => state.msps.msps.has(mspid);
  return allPolicies(state.policies.root).flatMap((policy) => {
    const isUsed = deciding.has(policy) || USED.has(lastName(policy.path));
    const verdict = satisfaction(policy, isUsed ? 'danger' : 'warning', hasMsp);
    return [
      ...verdict,
      ...unknownMsps(policy, hasMsp),
      ...(verdict.length === 0 ? missingSubPolicies(policy) : []),
    ];
  });
}

function* nested(group: PolicyGroup): Generator<PolicyNode> {
  yield* group.policies.values();
  for (const child of group.groups.values()) yield* nested(child);
}

const allPolicies = (root: PolicyGroup): PolicyNode[] => [...nested(root)];

function satisfaction(
  policy: PolicyNode,
  severity: 'danger' | 'warning',
  hasMsp: (mspid: string) => boolean,
): Finding[] {
  const need = needOf(policy, (principal) => isSatisfiable(principal, hasMsp));
  if (need.kind === 'impossible')
    return [
      hazard(
        severity,
        'policy-unsatisfiable',
        policy.path,
        `nobody can satisfy this policy, ${describePolicy(policy)}: no action that requires it is possible any more`,
        'correct the policy, or the organisations and MSP ids that it names',
      ),
    ];
  if (need.kind !== 'nothing') return [];
  return [
    hazard(
      severity,
      'policy-always-satisfied',
      policy.path,
      `anybody satisfies this policy, ${describePolicy(policy)}, without any signature`,
      policy.kind === 'implicitMeta' && policy.groups.length === 0
        ? 'keep an organisation in the group, or use a signature policy'
        : 'require at least one signature',
    ),
  ];
}

function unknownMsps(policy: PolicyNode, hasMsp: (mspid: string) => boolean): Finding[] {
  if (policy.kind !== 'signature') return [];
  const names = new Set(policy.policy.identities.flatMap(({ principal }) => mspidsOf(principal)));
  return [...names]
    .filter((name) => !hasMsp(name))
    .map((name) =>
      hazard(
        'warning',
        'policy-unknown-msp',
        policy.path,
        `the policy names the MSP id ${JSON.stringify(name)}, which no organisation of the channel has`,
        'correct the MSP id; upper and lower case differ',
      ),
    );
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
    hazard(
      'warning',
      'sub-policy-missing',
      policy.path,
      `the policy counts ${without.slice(0, 5).join(', ')}${without.length > 5 ? ` and ${without.length - 5} more` : ''}, which ${without.length === 1 ? 'has' : 'have'} no policy ${JSON.stringify(policy.subPolicy)} and can never satisfy it`,
      'add the policy to each organisation, or name a policy that they have',
    ),
  ];
}
