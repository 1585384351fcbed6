// The state of the page, without a browser: files, reviews, signatures.

import test from 'ava';
import {
  creatorOf,
  readConfig,
  readConfigFile,
  readEnvelope,
  writeConfig,
} from '../../../translator/channel/index.js';
import { setPolicy, unsignedUpdate } from '../../../translator/edit/index.js';
import { readSerializedIdentity } from '../../../translator/msp/index.js';
import { identityVerdict } from '../../../translator/page/identities.js';
import type { Dropped } from '../../../translator/page/files.js';
import { PageModel } from '../../../translator/page/model.js';
import type { Signer } from '../../../translator/page/msp-folders.js';
import { reviewAll } from '../../../translator/page/proposals.js';
import { rowsOf } from '../../../translator/page/rows.js';
import { readChannelCases } from '../../helpers/channel-cases.js';
import { certificateOf, IDENTITIES, serializedIdentity } from '../../helpers/channel-vectors.js';
import { BLOCKS } from '../../helpers/migration.js';

const NOW = new Date('2026-11-24T00:00:00Z');
const dropped = (path: string, bytes: Uint8Array): Dropped => ({ path, bytes, size: bytes.length });

const CONFIG = readConfig(readChannelCases().configs.get('app3')!);
const update = (name: string, path: string, rule: string): Dropped =>
  dropped(name, unsignedUpdate('channel', CONFIG, setPolicy(CONFIG, path, rule).config).envelope);
const BASE = dropped('config.pb', writeConfig(CONFIG));
const HARMLESS = update('clerks.pb', '/Channel/Application/Clerks', 'ANY Readers');
const TAKEOVER = update('takeover.pb', '/Channel/Admins', 'ANY Admins');

const person = (folder: string, name: string): readonly Dropped[] => [
  dropped(`${folder}/signcerts/cert.pem`, certificateOf(name)),
  dropped(`${folder}/keystore/key_sk`, Buffer.from(IDENTITIES[name]!.key)),
];

const modelWith = async (...files: readonly Dropped[]): Promise<PageModel> => {
  const model = new PageModel(() => NOW);
  await model.add(files);
  return model;
};

const namesIn = ({ found }: PageModel): readonly (readonly string[])[] =>
  found.proposals.map(({ names }) => names);

test('without files the page has nothing to say', async (t) => {
  const model = await modelWith();
  t.deepEqual([model.newest, model.tab, model.message, model.isBusy], [undefined, 'channel', '', false]);
});

test('an update waits for a config, and its review is shown first then', async (t) => {
  const model = await modelWith(HARMLESS);
  t.deepEqual([namesIn(model), model.tab], [[], 'channel']);
  await model.add([BASE]);
  t.deepEqual([namesIn(model), model.tab], [[['clerks.pb']], 'review']);
});

test('a file replaces the one of the same name, and the dangerous update comes first', async (t) => {
  const model = await modelWith(BASE, dropped('clerks.pb', Buffer.from('not an update')), TAKEOVER);
  t.is(model.files.filter(({ error }) => error !== undefined).length, 1);
  await model.add([HARMLESS]);
  t.deepEqual(namesIn(model), [['takeover.pb'], ['clerks.pb']]);
});

test('updates are reviewed against the block with the highest number', async (t) => {
  const model = await modelWith(...[2, 5, 0].map((number) => dropped(`b${number}.pb`, BLOCKS[number]!)));
  t.is(model.newest?.name, 'b5.pb');
  t.deepEqual(
    model.blocks.map(({ config }) => config.number),
    [0n, 2n, 5n],
  );
});

test('a file that cannot be read has its reason, and the others are reviewed', async (t) => {
  const broken = dropped('broken.pb', readEnvelope(HARMLESS.bytes).update.bytes.subarray(0, 20));
  const model = await modelWith(BASE, HARMLESS, broken);
  t.true(model.files.some(({ name, error }) => name === 'broken.pb' && error !== undefined));
  t.deepEqual(namesIn(model), [['clerks.pb']]);
});

test('an update that cannot be reviewed comes first with its reason, and the others are reviewed', async (t) => {
  const files = [
    { name: 'clerks.pb', bytes: HARMLESS.bytes },
    { name: 'broken.pb', bytes: Buffer.from('not an update') },
  ];
  const base = readConfigFile(BASE.bytes);
  const { proposals } = await reviewAll(files, base, { now: NOW });
  t.deepEqual(
    proposals.map(({ names, review, error }) => [...names, review === undefined, typeof error]),
    [
      ['broken.pb', true, 'string'],
      ['clerks.pb', false, 'undefined'],
    ],
  );
  const alone = await reviewAll(files.slice(1), base, { now: NOW });
  t.deepEqual(alone.proposals, [proposals[0]]);
});

const WALLET = dropped(
  'wallet.id',
  Buffer.from(
    JSON.stringify({
      credentials: { certificate: certificateOf('Org2/admin').toString(), privateKey: '' },
      mspId: 'Org1MSP',
      type: 'X.509',
    }),
  ),
);

/** What is said about each identity. */
const saidIn = ({ identities }: PageModel): readonly unknown[] =>
  identities.flatMap((result): readonly unknown[] =>
    'error' in result
      ? [result.error]
      : result.report.identities.map((each) => [
          result.name,
          each.place,
          each.mspid,
          each.valid,
          each.problems.map(({ kind }) => kind),
        ]),
  );

test('certificates, wallets and serialized identities wait for a config, and are explained on it', async (t) => {
  const model = await modelWith(
    dropped('admin.pem', certificateOf('Org1/admin')),
    WALLET,
    dropped('creator.bin', serializedIdentity('Org2/peer0')),
  );
  t.deepEqual([model.identities, model.tab], [[], 'channel']);
  await model.add([BASE]);
  t.is(model.tab, 'identities');
  t.deepEqual(saidIn(model), [
    ['admin.pem', 'certificate', 'Org1MSP', true, []],
    ['wallet.id', 'wallet', 'Org1MSP', false, ['issued-by-other', 'key-mismatch']],
    ['creator.bin', 'serialized identity', 'Org2MSP', true, []],
  ]);
});

test('an MSP folder is explained, also without a key, and does not hide an update', async (t) => {
  const model = await modelWith(BASE, HARMLESS, ...person('me', 'Org1/admin'));
  t.is(model.tab, 'review');
  const [certificate] = person('keyless', 'Org2/peer0');
  await model.add([certificate!]);
  t.deepEqual(saidIn(model), [
    ['me', 'MSP folder', 'Org1MSP', true, []],
    ['keyless', 'MSP folder', 'Org2MSP', true, []],
  ]);
  t.deepEqual([model.tab, model.signers.length], ['review', 1]);
  const alone = await modelWith(BASE, ...person('me', 'Org1/admin'));
  t.is(alone.tab, 'identities');
});

for (const [what, identity, expected] of [
  ['valid', { valid: true, problems: [], mspids: ['A'] }, { kind: 'good', text: 'Valid' }],
  ['not valid', { valid: false, problems: [], mspids: [] }, { kind: 'bad', text: 'Not valid' }],
  [
    'valid with a problem',
    { valid: true, problems: [{ kind: 'is-ca', text: '', todo: '' }], mspids: ['A'] },
    { kind: 'open', text: 'Valid, with problems' },
  ],
  [
    'valid in two MSPs',
    { valid: true, problems: [], mspids: ['A', 'B'] },
    { kind: 'open', text: 'Valid in several MSPs: which one counts cannot be known' },
  ],
] as const)
  test(`verdict on an identity: ${what}`, (t) => {
    t.deepEqual(identityVerdict(identity), expected);
  });

test('the powers with an update are shown when people ask for them', async (t) => {
  const model = await modelWith(BASE, TAKEOVER, HARMLESS);
  await model.showPowers(model.found.proposals[1]!);
  t.deepEqual([model.tab, model.powers.chosen?.names], ['powers', ['clerks.pb']]);
  t.not(model.powers.shown, undefined);
  // A newer file begins again.
  await model.add([update('more.pb', '/Channel/Application/Others', 'ANY Readers')]);
  t.is(model.tab, 'review');
  t.deepEqual([model.powers.chosen?.names, model.powers.shown], [['clerks.pb'], undefined]);
});

test('two people sign one after the other, and both signatures are in the update', async (t) => {
  const model = await modelWith(
    BASE,
    HARMLESS,
    ...person('one', 'Org1/admin'),
    ...person('two', 'Org2/admin'),
  );
  for (const signer of model.signers as readonly Signer[]) {
    await model.sign(model.found.proposals[0]!, signer);
    t.is(model.message, 'clerks.pb is signed: download it, and send it on');
  }
  const { signatures } = readEnvelope(model.found.proposals[0]!.bytes);
  t.deepEqual(
    signatures.map(({ header }) => readSerializedIdentity(creatorOf(header)).mspid),
    ['Org1MSP', 'Org2MSP'],
  );
});

test('a dangerous update is signed only after people say that they know it', async (t) => {
  const model = await modelWith(BASE, TAKEOVER, ...person('me', 'Org1/admin'));
  const [proposal] = model.found.proposals;
  const [signer] = model.signers as readonly Signer[];
  t.is(model.signing(proposal!.review!), 'dangerous');
  await model.sign(proposal!, signer!);
  t.is(readEnvelope(model.found.proposals[0]!.bytes).signatures.length, 0);
  model.allow(proposal!.review!, true);
  await model.sign(proposal!, signer!);
  t.is(readEnvelope(model.found.proposals[0]!.bytes).signatures.length, 1);
});

test('the update of the editor is reviewed like one that was dropped', async (t) => {
  const model = await modelWith(dropped('b0.pb', BLOCKS[0]!));
  const row = rowsOf(model.newest!.config!.config.channelGroup, NOW).find(
    ({ path }) => path === '/Channel/Orderer/BatchTimeout',
  );
  await model.editor.chooseElement(row!);
  t.deepEqual(
    model.editor.inputs.map((input) => model.editor.textOf(input)),
    ['/Channel/Orderer/BatchTimeout', '{\n  "timeout": "500ms"\n}'],
  );
  await model.editor.write('value', '9s');
  await model.editor.apply();
  await model.finish();
  t.is(model.tab, 'review');
  t.deepEqual(namesIn(model), [[model.editor.update.name]]);
});

const versionLine = ({ found }: PageModel): readonly string[] =>
  (found.proposals[0]?.review?.unknown ?? []).filter((line) => line.includes('Fabric'));

test('with the versions of the nodes, a review does not ask for them, and an unknown version changes nothing', async (t) => {
  const model = await modelWith(BASE, HARMLESS);
  t.is(versionLine(model).length, 1);
  await model.chooseFabric(' 3.0, 3.1 ');
  t.deepEqual([versionLine(model), model.fabric, model.message], [[], ['3.0', '3.1'], '']);
  await model.chooseFabric('3.0, 1.0');
  t.deepEqual([versionLine(model), model.fabric], [[], ['3.0', '3.1']]);
  t.regex(model.message, /1\.0/);
  await model.chooseFabric('');
  t.is(versionLine(model).length, 1);
});

test('a certificate is explained as one of the MSP that is chosen', async (t) => {
  const model = await modelWith(BASE, dropped('cert.pem', certificateOf('Org1/admin')));
  const mspOf = (): unknown => {
    const [result] = model.identities;
    const identity = result !== undefined && 'report' in result ? result.report.identities[0] : undefined;
    return [identity?.mspid, identity?.valid];
  };
  t.deepEqual(model.mspids, ['Org1MSP', 'Org2MSP', 'Org3MSP', 'OrdererMSP', 'OrdererBMSP']);
  t.deepEqual(mspOf(), ['Org1MSP', true]);
  await model.chooseMsp('Org2MSP');
  t.deepEqual([mspOf(), model.mspid, model.tab], [['Org2MSP', false], 'Org2MSP', 'identities']);
  await model.chooseMsp(undefined);
  t.deepEqual(mspOf(), ['Org1MSP', true]);
});
