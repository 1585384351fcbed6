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
import type { Dropped } from '../../../translator/page/files.js';
import { PageModel } from '../../../translator/page/model.js';
import type { Signer } from '../../../translator/page/msp-folders.js';
import { reviewAll } from '../../../translator/page/proposals.js';
import { rowsOf } from '../../../translator/page/rows.js';
import { readChannelCases } from '../../helpers/channel-cases.js';
import { certificateOf, IDENTITIES } from '../../helpers/channel-vectors.js';
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
  const { proposals } = await reviewAll(files, base, NOW);
  t.deepEqual(
    proposals.map(({ names, review, error }) => [...names, review === undefined, typeof error]),
    [
      ['broken.pb', true, 'string'],
      ['clerks.pb', false, 'undefined'],
    ],
  );
  const alone = await reviewAll(files.slice(1), base, NOW);
  t.deepEqual(alone.proposals, [proposals[0]]);
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
