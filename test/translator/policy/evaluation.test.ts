// Policies that Fabric v3.0.0 evaluated, with the identities and MSPs of the recorded cases.

import test from 'ava';
import {
  describePrincipal,
  createPolicies,
  Evaluation,
  findPolicy,
  judge,
  minimalSignerSets,
  needOf,
  SignerList,
} from '../../../translator/policy/index.js';
import { changedElement, recordedCases, recordedGroup, recordedSigners } from '../../helpers/policy-cases.js';

for (const recorded of recordedCases) {
  const { id, note, config, signers, elements, panic } = recorded;
  test(`${id}: ${note}: ${signers.join(', ') || 'nobody'}`, async (t) => {
    const policies = createPolicies(recordedGroup(config));
    t.deepEqual(policies.problems, []);
    const evaluation = new Evaluation(new SignerList(await recordedSigners(recorded)));
    const judgements = judge(policies, elements.map(changedElement), evaluation);
    for (const [at, { satisfied, error, resolution }] of judgements.entries()) {
      const expected = elements[at]!;
      t.is(satisfied, expected.satisfied);
      t.is(resolution.kind === 'found' ? resolution.policy.path : undefined, expected.policy);
      t.is(error, errorOf(expected, panic));
    }
  });
}

function errorOf(
  { satisfied, policy, element, modPolicy, error }: (typeof recordedCases)[number]['elements'][number],
  panic: string | undefined,
): string | undefined {
  if (satisfied) return undefined;
  if (error === 'panic') return panic;
  return policy === undefined
    ? `unexpected missing policy ${modPolicy} for item ${element}`
    : `policy for ${element} not satisfied: ${error ?? ''}`;
}

const ROLE = /\.(?:member|admin|client|peer|orderer)$/;
const seen = new Set<string>();
for (const { id, config, elements } of recordedCases)
  for (const { policy, satisfiedBy } of elements) {
    if (policy === undefined || satisfiedBy === undefined || seen.has(`${config} ${policy}`)) continue;
    // Other principals have no name in the records.
    if (!satisfiedBy.flat().every((name) => ROLE.test(name))) continue;
    seen.add(`${config} ${policy}`);
    const expected = minimal(satisfiedBy);
    const names = expected.map((set) => set.join(' + ')).join(', ');
    test(`${id}: the minimal sets of signers of ${policy} are ${names}`, (t) => {
      const { root } = createPolicies(recordedGroup(config));
      const sets = minimalSignerSets(needOf(findPolicy(root, policy)!, () => true));
      t.deepEqual(
        sets
          ?.map((set) =>
            set
              .map(({ principal }) => describePrincipal(principal))
              .toSorted()
              .join(' + '),
          )
          .toSorted(),
        expected.map((set) => set.join(' + ')).toSorted(),
      );
    });
  }

/** Without sets that include another one: Fabric lists them, too. */
function minimal(sets: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const includes = (set: readonly string[], other: readonly string[]): boolean => {
    const rest = [...set];
    return other.every((name) => rest.includes(name) && rest.splice(rest.indexOf(name), 1).length === 1);
  };
  return sets
    .map((set) => set.toSorted())
    .filter((set) => !sets.some((other) => other.length < set.length && includes(set, other)));
}
