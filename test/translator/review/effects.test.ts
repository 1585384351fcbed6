// What an update changes, in the few words of its verdict.

import test from 'ava';
import { channelOf, readConfigFile, readUpdateFile, type Config } from '../../../translator/channel/index.js';
import {
  addConsenter,
  editAll,
  editAnchorPeers,
  removeConsenter,
  removeOrganization,
  rotateConsenter,
  setAcl,
  setCapabilities,
  setFields,
  setPolicy,
  unsignedUpdate,
  type Edited,
} from '../../../translator/edit/index.js';
import { exampleFiles } from '../../../translator/page/example.js';
import { effectsIn, effectsText, shortEffectText } from '../../../translator/review/effects.js';
import { parseSignaturePolicy, writeSignaturePolicy } from '../../../translator/policy/index.js';
import { review, summaryOf } from '../../../translator/review/index.js';
import { application, inMsp, orderer, org1, reviewOf, type Group } from '../../helpers/changed-config.js';
import { largeChannel } from '../../helpers/large-channel.js';
import { makeCertificate } from '../../helpers/made-certificates.js';
import { bftBlock, networkBlock } from '../../helpers/network-block.js';

const BLOCK = readConfigFile(networkBlock());
const NOW = new Date('2026-11-24T00:00:00Z');

async function effectsOf(block: typeof BLOCK, update: Uint8Array): Promise<string> {
  const { elements } = await review(readUpdateFile(update), block, { now: NOW });
  return effectsText(effectsIn(elements));
}

const { pem } = makeCertificate({ commonName: 'orderer9' });
const field =
  (path: string, value: string) =>
  (config: Config): Edited =>
    setFields(config, [{ path, value }]);
const [{ host, port }] = channelOf(BLOCK.config).orderer.consenters as unknown as [
  { host: string; port: number },
];

const CASES: readonly (readonly [effects: string, ...edits: ((config: Config) => Edited)[]])[] = [
  ['20 → 50 messages a block', field('orderer.batchSize.maxMessageCount', '50')],
  ['at most 16 MiB → 10 MiB a block', field('orderer.batchSize.absoluteMaxBytes', '10485760')],
  ['600 ms → 500 ms', field('orderer.batchTimeout.timeout', '500ms')],
  [
    '20 → 50 messages a block, 600 ms → 1 m 30 s',
    field('orderer.batchSize.maxMessageCount', '50'),
    field('orderer.batchTimeout.timeout', '1m30s'),
  ],
  ['removes organisation Org2MSP', (config) => removeOrganization(config, 'Org2MSP')],
  [
    'adds consenter o9:7, adds endpoint o9:7 of OrdererOrg',
    (config) => addConsenter(config, { address: 'o9:7', tls: pem }),
  ],
  [
    'changes the TLS certificates of consenter orderer.example.com:7050',
    (config) => rotateConsenter(config, `${host}:${port}`, { tls: pem }),
  ],
  [
    'removes capability V2_0 of the channel, adds capability V3_0 of the channel',
    (config) => setCapabilities(config, 'channel', ['V3_0']),
  ],
  ['event/Block needs Writers', (config) => setAcl(config, 'event/Block', 'Writers')],
  [
    'adds the policy Application/Clerks',
    (config) => setPolicy(config, '/Channel/Application/Clerks', 'ANY Readers'),
  ],
  [
    'Application/Admins: MAJORITY Admins → ANY Admins',
    (config) => setPolicy(config, '/Channel/Application/Admins', 'ANY Admins'),
  ],
  [
    'Application/Writers: ANY Writers → ANY Readers',
    (config) => setPolicy(config, '/Channel/Application/Writers', 'ANY Readers'),
  ],
  ['adds 2 anchor peers of Org1MSP', (config) => editAnchorPeers(config, 'add', 'Org1MSP', ['p:1', 'p:2'])],
  ['adds anchor peer p:1 of Org1MSP', (config) => editAnchorPeers(config, 'add', 'Org1MSP', ['p:1'])],
];

for (const [effects, ...edits] of CASES)
  test(`the effect of an update in few words: ${effects}`, async (t) => {
    const { config } = editAll(BLOCK.config, edits);
    t.is(await effectsOf(BLOCK, unsignedUpdate(BLOCK.config, config, 'mychannel').bytes), effects);
  });

/** Takes the organisation Org1 out of the application. */
function takeOrg1(channel: Group): Group {
  const organization = org1(channel);
  delete application(channel).groups.Org1;
  return organization;
}

for (const [effects, change] of [
  [
    'moves organisation Org1 from the group Application to the group Orderer',
    (channel) => void (orderer(channel).groups.Org1 = takeOrg1(channel)),
  ],
  [
    'adds orderer organisation Org1, removes application organisation Org1',
    (channel) => {
      const organization = takeOrg1(channel);
      inMsp(organization, (msp) => void (msp.tls_root_certs = []));
      orderer(channel).groups.Org1 = organization;
    },
  ],
  [
    'required OUs of Org1: none → peer',
    (channel) =>
      inMsp(org1(channel), (msp) => {
        msp.organizational_unit_identifiers = [{ organizational_unit_identifier: 'peer' }];
      }),
  ],
  [
    'others may change Channel/Readers: Channel/Admins → Application/Readers',
    (channel) => void (channel.policies.Readers!.mod_policy = '/Channel/Application/Readers'),
  ],
  [
    'mod_policy of Channel/Readers: Admins → /Channel/Admins',
    (channel) => void (channel.policies.Readers!.mod_policy = '/Channel/Admins'),
  ],
  [
    'others may change the group Orderer: Orderer/Admins → Orderer/Writers, others may change Orderer/Readers: Orderer/Admins → Orderer/Writers',
    (channel) => {
      orderer(channel).mod_policy = 'Writers';
      orderer(channel).policies.Readers!.mod_policy = 'Writers';
    },
  ],
] as const satisfies readonly (readonly [string, (channel: Group) => void])[])
  test(`the effect of a change in few words: ${effects}`, async (t) => {
    const { elements } = await reviewOf('app3', change);
    t.is(effectsText(effectsIn(elements)), effects);
  });

for (const [summary, change] of [
  [
    'dangerous: mod_policy of Orderer/BatchSize: Orderer/Admins → Orderer/Nope; there is no policy Orderer/Nope: nobody can change Orderer/BatchSize until it exists',
    (channel) => void (orderer(channel).values.BatchSize!.mod_policy = 'Nope'),
  ],
  [
    'dangerous: mod_policy of the group Orderer: Orderer/Admins → Orderer/Nope; there is no policy Orderer/Nope: nobody can ever change the group Orderer again',
    (channel) => void (orderer(channel).mod_policy = 'Nope'),
  ],
  [
    'dangerous: mod_policy of Orderer/BatchSize: Orderer/Admins → Channel/Nobody, adds the policy Channel/Nobody; any 2 of Org1, Org2, Org3 can change Orderer/BatchSize without the others; 3 more findings (1 dangerous)',
    (channel) => {
      const nobody = parseSignaturePolicy("OR('Nope.member')");
      channel.policies.Nobody = {
        policy: { type: 1, value: writeSignaturePolicy(nobody) },
        mod_policy: 'Admins',
      };
      orderer(channel).values.BatchSize!.mod_policy = '/Channel/Nobody';
    },
  ],
] as const satisfies readonly (readonly [string, (channel: Group) => void])[])
  test(`a policy that nobody satisfies gives others nothing: ${summary}`, async (t) => {
    const result = await reviewOf('app3', change);
    t.is(summaryOf(result), summary);
  });

test('a removed consenter of a BFT channel has its id, address and organisation', async (t) => {
  const block = readConfigFile(bftBlock());
  const [{ host: name, port: at, id, mspId }] = channelOf(block.config).orderer.consenters as unknown as [
    { host: string; port: number; id: number; mspId: string },
  ];
  const { config } = removeConsenter(block.config, `${name}:${at}`);
  t.regex(
    await effectsOf(block, unsignedUpdate(block.config, config, 'mychannel').bytes),
    new RegExp(`removes consenter ${id} \\(${name}:${at}, ${mspId}\\)`),
  );
});

test('a certificate of an MSP has its kind and name, whatever is in its name', (t) => {
  const name = 'CN=ca (SHA-256 is here)';
  const label = `CA ${name} (SHA-256 ab12…) until 2036-11-18`;
  const entry = { kind: 'CA', name } as const;
  const element = { element: '/Channel/Application/Org1/MSP', kind: 'value', change: 'modified' };
  const texts = (['added', 'removed'] as const).map((change) =>
    effectsText(
      effectsIn([
        { ...element, words: [], data: [{ change, label, entry }] } as unknown as Parameters<
          typeof effectsIn
        >[0][number],
      ]),
    ),
  );
  t.deepEqual(texts, [`adds CA ${name} of Org1`, `removes CA ${name} of Org1`]);
});

test('an added organisation is one effect, without its policies and its MSP', async (t) => {
  const files = new Map((await exampleFiles()).map((file) => [file.path, file] as const));
  const bytesOf = async (path: string): Promise<Uint8Array> => (await files.get(path)!.read()).bytes;
  const block = readConfigFile(await bytesOf('config_block.pb'));
  t.is(await effectsOf(block, await bytesOf('add-org3.pb')), 'adds organisation Org3');
});

test('two of many effects are named, and the others are counted', async (t) => {
  const { config, envelope } = largeChannel(12, 1);
  t.regex(
    await effectsOf(readConfigFile(config), envelope),
    /^changes 2 settings of the MSP of Org1, changes 2 settings of the MSP of \w+ and \d+ more changes$/,
  );
});

test('an update without changes has no effects', (t) => {
  t.is(effectsText(effectsIn([])), '');
});

for (const [what, effects, expected] of [
  ['one effect is told as it is', ['adds organisation Org3'], 'adds organisation Org3'],
  ['others are counted', ['500 ms → 1 s', '10 → 50 messages a block'], '500 ms → 1 s and 1 more change'],
  ['a long effect is the change of its element', [`a${' b'.repeat(12)}`], 'changes Application/Admins'],
  ['long effects are counted', [`a${' b'.repeat(12)}`, 'c'], 'changes Application/Admins and 1 more change'],
] as const)
  test(`in few words: ${what}`, (t) => {
    t.is(shortEffectText(effects.map((text) => ({ text, element: 'Application/Admins' }))), expected);
  });

test('in few words: changes of an element with a long name are only counted', (t) => {
  const element = `a${' b'.repeat(12)}`;
  t.is(shortEffectText([{ text: element, element }]), 'makes 1 change');
  t.is(
    shortEffectText(['c', 'd'].map((text) => ({ text: `${element} ${text}`, element }))),
    'makes 2 changes',
  );
});

test('in few words: changes of one part of many organisations are one change', async (t) => {
  const { config, envelope } = largeChannel(12, 1);
  const { elements } = await review(readUpdateFile(envelope), readConfigFile(config), { now: NOW });
  t.is(shortEffectText(effectsIn(elements)), 'changes MSP of 12 organisations');
});
