// What a review finds about organisations without an MSP id, beside the refusal of the orderers.

import test from 'ava';
import { application, inMsp, reviewOf, type Group } from '../../helpers/changed-config.js';

const RULES_OF_IDS: ReadonlySet<string> = new Set([
  'msp-id-empty',
  'msp-id-shared',
  'msp-id-invalid-in-policies',
  'policy-foreign-msp',
]);

const nameless = (channel: Group, name: string): void =>
  inMsp(application(channel).groups[name]!, (msp) => (msp.name = ''));

for (const [what, names, expected] of [
  ['one organisation without an MSP id', ['Org1'], ['msp-id-empty refused /Channel/Application/Org1/MSP']],
  [
    'two organisations without an MSP id do not share one',
    ['Org1', 'Org2'],
    [
      'msp-id-empty refused /Channel/Application/Org1/MSP',
      'msp-id-empty refused /Channel/Application/Org2/MSP',
    ],
  ],
] as const)
  test(`${what}: nothing else is said about its id`, async (t) => {
    const { findings } = await reviewOf('app3', (channel) => {
      for (const name of names) nameless(channel, name);
    });
    t.deepEqual(
      findings
        .filter(({ id }) => RULES_OF_IDS.has(id))
        .map(({ id, severity, path }) => `${id} ${severity} ${path}`),
      expected,
    );
  });

test('all policies of an organisation name another MSP: one danger with everything that its actors lose, and the others follow from it', async (t) => {
  const { findings } = await reviewOf('app3', (channel) => {
    const [one, other] = ['Org1', 'Org2'].map((name) => application(channel).groups[name]!);
    for (const name of ['Admins', 'Endorsement', 'Readers', 'Writers'])
      one!.policies[name]!.policy = other!.policies[name]!.policy;
  });
  const found = findings.filter(({ id }) => id === 'policy-foreign-msp');
  t.deepEqual(
    found.map(({ path, explainedBy }) => [path, explainedBy]),
    ['Admins', 'Endorsement', 'Readers', 'Writers'].map((name, index) => [
      `/Channel/Application/Org1/${name}`,
      index === 0 ? undefined : 'policy-foreign-msp',
    ]),
  );
  t.regex(found[0]!.text, /admins of Org1.*cannot.*act as its admins/);
  t.regex(found[0]!.text, /read blocks/);
});
