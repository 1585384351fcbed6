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
