// The consenters of a BFT channel: ids, MSP ids and certificates.

import test from 'ava';
import { makeGroup, makePolicy, makeValue } from '../../../translator/channel/make.js';
import { blockValidationFault } from '../../../translator/rules/bft.js';
import { harmOf, inConsenters } from '../../helpers/changed-config.js';
import { serialize, type Tree } from '../../fuzz/review/messages.js';

const NO_CERTIFICATE = Buffer.from('x');

for (const [what, change, texts] of [
  [
    'has the id 0',
    ([first]) => (first!.id = 0),
    [
      'danger bft-id-zero: a consenter has the id 0, which is not permitted: the orderers stop when they apply it, and again at each start',
    ],
  ],
  [
    'has the id of the second one',
    ([first]) => (first!.id = 2),
    [
      'danger bft-id-duplicate: two consenters have the id 2: the orderers die when they apply it, and again at each start',
    ],
  ],
  [
    'has an unknown MSP id',
    ([first]) => (first!.msp_id = 'X'),
    [
      'danger bft-msp-unknown: the consenter 1 has the MSP id "X", which no organisation of the channel has: its signatures do not count',
    ],
  ],
  ...(['identity', 'client_tls_cert', 'server_tls_cert'] as const).map(
    (field) =>
      [
        `has no certificate as ${field}`,
        ([first]: Tree[]) => (first![field] = NO_CERTIFICATE),
        [
          `danger bft-certificate: the ${{ identity: 'identity', client_tls_cert: 'client TLS certificate', server_tls_cert: 'server TLS certificate' }[field]} of the consenter 1 is not a certificate: it cannot take part`,
        ],
      ] as const,
  ),
] as const satisfies readonly (readonly [string, (consenters: Tree[]) => unknown, readonly string[]])[])
  test(`the first BFT consenter ${what}: ${texts.join()}`, async (t) => {
    const found = await harmOf('bft4', (channel) => inConsenters(channel, (all) => void change(all)));
    t.deepEqual(
      found.filter((text) => / bft-/.test(text)),
      [...texts],
    );
  });

test('the identities of several BFT consenters are no certificates: one finding with their ids', async (t) => {
  const found = await harmOf('bft4', (channel) =>
    inConsenters(channel, (all) => all.slice(1).forEach((each) => (each.identity = NO_CERTIFICATE))),
  );
  t.deepEqual(
    found.filter((text) => / bft-certificate/.test(text)),
    [
      'danger bft-certificate: the identity of the consenters 2, 3, 4 is not a certificate: they cannot take part',
    ],
  );
});

for (const [what, policies, text] of [
  ['no policies', [], "empty policies in 'Orderer' group"],
  [
    'other policies only',
    ['Admins'],
    "block validation policy is not found in the policies of 'Orderer' group",
  ],
  [
    'an empty BlockValidation',
    ['BlockValidation'],
    'block validation policy should be a signature policy: …',
  ],
] as const)
  test(`a BFT channel with ${what} takes no update: ${text}`, (t) => {
    const fault = blockValidationFault(
      makeGroup({
        values: new Map([['Orderers', makeValue({ value: serialize('common.Orderers', {}) })]]),
        policies: new Map(policies.map((name) => [name, makePolicy({})])),
      }),
    );
    t.deepEqual([fault?.path, fault?.text], ['/Channel/Orderer/BlockValidation', text]);
  });

test('a BFT channel without the value Orderers takes no update', (t) => {
  t.deepEqual(blockValidationFault(makeGroup({})), {
    path: '/Channel/Orderer/Orderers',
    text: "no values in 'Orderer' group",
  });
});

test('the second BFT consenter must join at once, because the channel stops until then', async (t) => {
  let second: Tree | undefined;
  const found = await harmOf(
    'bft4',
    (channel) => inConsenters(channel, (all) => void all.push(second!)),
    (channel) => inConsenters(channel, (all) => void ([, second] = all.splice(0, 4, all[0]!))),
  );
  t.deepEqual(
    found.filter((text) => / consenter/.test(text)),
    [
      'warning consenters-no-fault-tolerance: with 2 consenters, 2 must be up: the channel stops when one fails',
      'warning consenter-must-join: until the new consenter 2 (o2.ord.example.com:7050) joins the channel, the channel stops',
    ],
  );
});
