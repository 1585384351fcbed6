// The state of the page, without a browser: files, reviews, signatures.

import test from 'ava';
import {
  creatorOf,
  readConfig,
  readConfigFile,
  readEnvelope,
  writeConfig,
} from '../../../translator/channel/index.js';
import {
  removeOrganization,
  setByPath,
  setCapabilities,
  setPolicy,
  unsignedUpdate,
} from '../../../translator/edit/index.js';
import { blockBytes, parseBlock } from '../../../translator/ledger/index.js';
import { readSerializedIdentity } from '../../../translator/msp/index.js';
import { identityVerdict } from '../../../translator/page/identities.js';
import type { UnreadFile } from '../../../translator/page/files.js';
import { headlineOf } from '../../../translator/page/headline.js';
import { PageModel, type ShownGains, type Work } from '../../../translator/page/model.js';
import { ENGINE } from '../../../translator/page/engine.js';
import { reviewAll } from '../../../translator/page/proposals.js';
import { rowsOf } from '../../../translator/page/rows.js';
import { readChannelCases } from '../../helpers/channel-cases.js';
import { certificateOf, IDENTITIES, serializedIdentity } from '../../helpers/channel-vectors.js';
import { makeCertificate } from '../../helpers/made-certificates.js';
import { BLOCKS, configBlock } from '../../helpers/migration.js';
import { storedBlocks } from '../../helpers/stored-ledger.js';
import { until } from '../../helpers/until.js';

const NOW = new Date('2026-11-24T00:00:00Z');
interface DroppedFile extends UnreadFile {
  readonly bytes: Uint8Array;
}

const dropped = (path: string, bytes: Uint8Array): DroppedFile => ({
  path,
  bytes,
  read: async () => ({ path, bytes, size: bytes.length }),
});

const CONFIG = readConfig(readChannelCases().configs.get('app3')!);
const update = (name: string, path: string, rule: string): DroppedFile =>
  dropped(name, unsignedUpdate(CONFIG, setPolicy(CONFIG, path, rule).config, 'channel').bytes);
const BASE = dropped('config.pb', writeConfig(CONFIG));
const HARMLESS = update('clerks.pb', '/Channel/Application/Clerks', 'ANY Readers');
const TAKEOVER = update('takeover.pb', '/Channel/Admins', 'ANY Admins');

const person = (folder: string, name: string): readonly UnreadFile[] => [
  dropped(`${folder}/signcerts/cert.pem`, certificateOf(name)),
  dropped(`${folder}/keystore/key_sk`, Buffer.from(IDENTITIES[name]!.key)),
];

const modelWith = async (...files: readonly UnreadFile[]): Promise<PageModel> => {
  const model = new PageModel(() => NOW);
  await model.add(files);
  return model;
};

const namesIn = ({ found }: PageModel): readonly (readonly string[])[] =>
  found.proposals.map(({ names }) => names);

test('without files the page has no results and no message', async (t) => {
  const model = await modelWith();
  t.deepEqual([model.newest, model.place, model.message, model.isBusy], [undefined, 'channel', '', false]);
});

test('an update waits for a config, then its review is shown first', async (t) => {
  const model = await modelWith(HARMLESS);
  t.deepEqual([namesIn(model), model.place], [[], 'channel']);
  await model.add([BASE]);
  t.deepEqual([namesIn(model), model.place], [[['clerks.pb']], 'review']);
});

test('a file replaces a file with the same name, and the dangerous update comes first', async (t) => {
  const model = await modelWith(BASE, dropped('clerks.pb', Buffer.from('not an update')), TAKEOVER);
  t.is(model.files.filter(({ error }) => error !== undefined).length, 1);
  await model.add([HARMLESS]);
  t.deepEqual(namesIn(model), [['takeover.pb'], ['clerks.pb']]);
});

test('a refused update and one that the channel has come after those that can be submitted, and nobody signs them', async (t) => {
  const applied = dropped('applied.pb', configBlock(2).lastUpdate!);
  const refused = dropped(
    'refused.pb',
    unsignedUpdate(realConfig, setByPath(realConfig, 'orderer.batchTimeout', '0s').config, realChannel).bytes,
  );
  const model = await modelWith(refused, applied, FOR_REAL, REAL, ...person('me', 'Org1/admin'));
  t.deepEqual(namesIn(model), [['batch.pb'], ['applied.pb'], ['refused.pb']]);
  const [, known] = model.found.proposals;
  t.deepEqual(headlineOf(known!.review!), {
    state: 'unknown',
    title: 'Applied: already in block 2',
    matters: '',
  });
  const { state, text, primary, canSubmit } = model.yourPart(known!)!;
  t.deepEqual(
    [state, text, primary, canSubmit],
    ['applied', 'The channel has it: nobody needs to sign it', undefined, false],
  );
  t.is(model.signing(known!.review!), 'applied');
  t.deepEqual(
    model.found.proposals.map((each) => model.rehearsalOf(each) === undefined),
    [false, true, true],
  );
});

test('the command that rehearses an update has the names of the dropped files, as words of a shell', async (t) => {
  const config = dropped("Ann's config.pb", BASE.bytes);
  const model = await modelWith(config, dropped('my update.pb', HARMLESS.bytes));
  t.is(
    model.rehearsalOf(model.found.proposals[0]!),
    String.raw`configtxlator rehearse 'my update.pb' --block 'Ann'\''s config.pb' --programs bin`,
  );
});

test('a config block in a file of a ledger has the name of a file in the command that rehearses an update', async (t) => {
  const ledger = dropped('blockfile_000000', Buffer.concat(storedBlocks({ blocks: 4, configs: [2] })));
  const model = await modelWith(ledger);
  const { config, channel = '' } = model.newest!.config!;
  const after = setByPath(config, 'orderer.batchSize.maxMessageCount', '50').config;
  await model.add([dropped('batch.pb', unsignedUpdate(config, after, channel).bytes)]);
  t.is(
    model.rehearsalOf(model.found.proposals[0]!),
    'configtxlator rehearse batch.pb --block config_block.pb --programs bin',
  );
});

test('updates are reviewed against the newest block that continues the oldest one', async (t) => {
  const files = BLOCKS.map((bytes, number) => dropped(`b${number}.pb`, bytes)).toReversed();
  const model = await modelWith(...files);
  t.deepEqual([model.newest?.name, model.baseNotes], ['b5.pb', []]);
  t.deepEqual(
    model.blocks.map(({ config }) => config.number),
    [0n, 1n, 2n, 3n, 4n, 5n],
  );
});

const REAL = dropped('real.block', BLOCKS[2]!);
const { channel: realChannel = '', config: realConfig } = configBlock(2);
const FOR_REAL = dropped(
  'batch.pb',
  unsignedUpdate(
    realConfig,
    setPolicy(realConfig, '/Channel/Application/Clerks', 'ANY Readers').config,
    realChannel,
  ).bytes,
);

/** The block of the channel with other content. */
function forged(number: bigint): DroppedFile {
  const block = parseBlock(REAL.bytes);
  return dropped('forged.block', blockBytes({ ...block, number, dataHash: new Uint8Array(32) }));
}

test('two blocks of one number with different contents: nothing is reviewed or can be signed, and both are named', async (t) => {
  const model = await modelWith(REAL, FOR_REAL, ...person('me', 'Org1/admin'));
  t.deepEqual([namesIn(model), model.signers.length], [[['batch.pb']], 1]);
  await model.add([forged(2n)]);
  t.deepEqual(
    [model.newest, namesIn(model), model.signers, model.baseNotes],
    [
      undefined,
      [],
      [],
      [
        'real.block and forged.block are different versions of block 2: remove the one that is not of the channel',
      ],
    ],
  );
  await model.remove('forged.block');
  t.deepEqual([model.newest?.name, model.baseNotes, namesIn(model)], ['real.block', [], [['batch.pb']]]);
});

test('a newer block that does not continue the older one is not used, and a review is not green any more', async (t) => {
  const model = await modelWith(REAL, FOR_REAL);
  const { review } = model.found.proposals[0]!;
  await model.add([forged(3n)]);
  t.is(model.newest?.name, 'real.block');
  t.deepEqual(model.baseNotes, [
    'forged.block is not used, because it does not continue block 2: its data do not match the hash in its header; if you trust it, remove real.block',
  ]);
  t.deepEqual(model.found.proposals[0]!.review, review);
  const calm = { ...review!, findings: [], unknown: [] };
  const isSure = model.baseNotes.length === 0;
  t.deepEqual([headlineOf(calm).state, headlineOf(calm, isSure).state], ['works', 'risk']);
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

/** The verdict on each identity. */
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
  t.deepEqual([model.identities, model.place], [[], 'channel']);
  await model.add([BASE]);
  t.is(model.place, 'identities');
  t.deepEqual(saidIn(model), [
    ['admin.pem', 'certificate', 'Org1MSP', true, []],
    ['wallet.id', 'wallet', 'Org1MSP', false, ['issued-by-other', 'key-mismatch']],
    ['creator.bin', 'serialized identity', 'Org2MSP', true, []],
  ]);
});

test('an MSP folder is explained, also without a key, and does not hide an update', async (t) => {
  const model = await modelWith(BASE, HARMLESS, ...person('me', 'Org1/admin'));
  t.is(model.place, 'review');
  const [certificate] = person('keyless', 'Org2/peer0');
  await model.add([certificate!]);
  t.deepEqual(saidIn(model), [
    ['me', 'MSP folder', 'Org1MSP', true, []],
    ['keyless', 'MSP folder', 'Org2MSP', true, []],
  ]);
  t.deepEqual([model.place, model.signers.length], ['review', 1]);
  const alone = await modelWith(BASE, ...person('me', 'Org1/admin'));
  t.is(alone.place, 'identities');
});

for (const [what, identity, expected] of [
  ['valid', { valid: true, problems: [], mspids: ['A'] }, { state: 'works', text: 'Valid' }],
  ['not valid', { valid: false, problems: [], mspids: [] }, { state: 'stopped', text: 'Not valid' }],
  [
    'valid with a problem',
    { valid: true, problems: [{ kind: 'is-ca', text: '', todo: '' }], mspids: ['A'] },
    { state: 'risk', text: 'Valid, with problems' },
  ],
  [
    'valid in two MSPs',
    { valid: true, problems: [], mspids: ['A', 'B'] },
    { state: 'risk', text: 'Valid in several MSPs: which one counts cannot be known' },
  ],
] as const)
  test(`verdict on an identity: ${what}`, (t) => {
    t.deepEqual(identityVerdict(identity), expected);
  });

test('the worst update is shown at first, with what it gives and takes, and another one can be chosen', async (t) => {
  const model = await modelWith(BASE, HARMLESS, TAKEOVER);
  t.deepEqual(model.chosen?.names, ['takeover.pb']);
  const shown = model.gainsOf(model.chosen!);
  t.true(shown !== undefined && 'gains' in shown && shown.gains.control.length > 0);
  await model.choose(model.found.proposals[1]!);
  t.deepEqual(model.chosen?.names, ['clerks.pb']);
  t.like(model.gainsOf(model.chosen!), { gains: { control: [], services: [] } });
  // The chosen update stays chosen when others are added.
  await model.add([update('more.pb', '/Channel/Application/Others', 'ANY Readers')]);
  t.deepEqual(model.chosen?.names, ['clerks.pb']);
});

test('a file and a folder are removed, and with the last update its part of the page', async (t) => {
  const model = await modelWith(BASE, HARMLESS, ...person('me', 'Org1/admin'));
  await model.remove('clerks.pb');
  t.deepEqual([model.files.map(({ name }) => name), model.found.proposals], [['config.pb'], []]);
  t.is(model.place, 'channel');
  await model.remove('me');
  t.deepEqual([model.msps, model.signers], [[], []]);
  await model.remove('config.pb');
  t.deepEqual([model.files, model.newest], [[], undefined]);
});

test('two people sign one after the other, and both signatures are in the update', async (t) => {
  const model = await modelWith(
    BASE,
    HARMLESS,
    ...person('one', 'Org1/admin'),
    ...person('two', 'Org2/admin'),
  );
  const files: string[] = [];
  for (const { name } of model.signers) {
    await model.sign(model.found.proposals[0]!, name);
    files.push(model.fileNameOf(model.found.proposals[0]!));
  }
  t.deepEqual(files, ['clerks.signed-Org1.pb', 'clerks.signed-Org1-Org2.pb']);
  const { signatures } = readEnvelope(model.found.proposals[0]!.bytes);
  t.deepEqual(
    signatures.map(({ header }) => readSerializedIdentity(creatorOf(header)).mspid),
    ['Org1MSP', 'Org2MSP'],
  );
});

test('a person signs once: after that, the part of the person is to send the update on', async (t) => {
  const model = await modelWith(BASE, HARMLESS, ...person('me', 'Org1/admin'));
  const part = () => model.yourPart(model.found.proposals[0]!)!;
  t.deepEqual(part().primary, { do: 'sign', folder: 'me', label: 'Sign as Org1 admin' });
  await model.sign(model.found.proposals[0]!, 'me');
  await model.sign(model.found.proposals[0]!, 'me');
  t.is(readEnvelope(model.found.proposals[0]!.bytes).signatures.length, 1);
  t.deepEqual(
    [part().state, part().primary, part().others],
    ['signed', { do: 'download', label: 'Download clerks.signed-Org1.pb' }, []],
  );
});

test('nobody is asked for a signature that would not count', async (t) => {
  const orderers = update('batch.pb', '/Channel/Orderer/Clerks', 'ANY Readers');
  const model = await modelWith(BASE, orderers, ...person('me', 'Org1/admin'));
  const [proposal] = model.found.proposals;
  const { state, primary, others } = model.yourPart(proposal!)!;
  t.deepEqual([state, primary, others], ['idle', undefined, []]);
  await model.sign(proposal!, 'me');
  t.is(readEnvelope(model.found.proposals[0]!.bytes).signatures.length, 0);
});

test('a dangerous update is signed only after people confirm that they know the dangers', async (t) => {
  const model = await modelWith(BASE, TAKEOVER, ...person('me', 'Org1/admin'));
  const [proposal] = model.found.proposals;
  t.is(model.signing(proposal!.review!), 'dangerous');
  t.is(model.yourPart(proposal!)!.primary, undefined);
  await model.sign(proposal!, 'me');
  t.is(readEnvelope(model.found.proposals[0]!.bytes).signatures.length, 0);
  model.allow(proposal!.review!, true);
  await model.sign(proposal!, 'me');
  t.is(readEnvelope(model.found.proposals[0]!.bytes).signatures.length, 1);
});

test('the update of the editor is reviewed like a dropped update', async (t) => {
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
  t.is(model.place, 'review');
  t.deepEqual(namesIn(model), [[model.editor.update.name]]);
});

const versionLine = ({ found }: PageModel): readonly string[] =>
  (found.proposals[0]?.review?.unknown ?? []).filter((line) => line.includes('Fabric'));

test('with the versions of the nodes, a review does not ask for them, and an unknown version changes nothing', async (t) => {
  const { config } = setCapabilities(CONFIG, 'channel', ['V1_4_3']);
  const model = await modelWith(
    BASE,
    dropped('capabilities.pb', unsignedUpdate(CONFIG, config, 'channel').bytes),
  );
  t.is(versionLine(model).length, 1);
  await model.chooseFabric(' 3.0, 3.1 ');
  t.deepEqual([versionLine(model), model.fabric, model.message], [[], ['3.0', '3.1'], '']);
  await model.chooseFabric('3.0, 1.0');
  t.deepEqual([versionLine(model), model.fabric], [[], ['3.0', '3.1']]);
  t.regex(model.message, /1\.0/);
  await model.chooseFabric('');
  t.is(versionLine(model).length, 1);
});

test('a certificate is explained for the chosen MSP', async (t) => {
  const model = await modelWith(BASE, dropped('cert.pem', certificateOf('Org1/admin')));
  const mspOf = (): unknown => {
    const [result] = model.identities;
    const identity = result !== undefined && 'report' in result ? result.report.identities[0] : undefined;
    return [identity?.mspid, identity?.valid];
  };
  t.deepEqual(model.mspids, ['OrdererBMSP', 'OrdererMSP', 'Org1MSP', 'Org2MSP', 'Org3MSP']);
  t.deepEqual(mspOf(), ['Org1MSP', true]);
  await model.chooseMsp('Org2MSP');
  t.deepEqual([mspOf(), model.mspid, model.place], [['Org2MSP', false], 'Org2MSP', 'identities']);
  await model.chooseMsp(undefined);
  t.deepEqual(mspOf(), ['Org1MSP', true]);
});

test('2,000 files are read at a time, one after the other, and the message counts the files that were not read', async (t) => {
  let [running, most] = [0, 0];
  const files = Array.from({ length: 2003 }, (_, index) => {
    const file = dropped(`${index}.txt`, Buffer.from('not an update'));
    const read: UnreadFile['read'] = async () => {
      most = Math.max(most, (running += 1));
      const found = await file.read();
      running -= 1;
      return found;
    };
    return { ...file, read };
  });
  const model = await modelWith(...files);
  t.deepEqual([model.files.length, most], [2000, 1]);
  t.is(model.message, '3 of 2003 files were not read: the page reads at most 2000 at a time');
  await model.add(files.slice(0, 1));
  t.is(model.message, '');
});

test('a file that the browser cannot read has its reason, and the others are reviewed', async (t) => {
  const read = async (): Promise<never> => {
    throw new Error('permission was lost');
  };
  const model = await modelWith(BASE, { path: 'gone.pb', read }, HARMLESS);
  t.is(model.files.find(({ name }) => name === 'gone.pb')?.error, 'it cannot be read: permission was lost');
  t.deepEqual(namesIn(model), [['clerks.pb']]);
});

/** A page with reviews that the test ends, in any order. */
async function heldModel(...files: readonly UnreadFile[]) {
  const ends: (() => void)[] = [];
  let isHeld = false;
  const model = new PageModel(() => NOW, {
    ...ENGINE,
    reviewAll: async (...args) => {
      const found = await ENGINE.reviewAll(...args);
      if (isHeld) await new Promise<void>((resolve) => ends.push(resolve));
      return found;
    },
  });
  await model.add(files);
  isHeld = true;
  /** Waits for a number of reviews. */
  const begun = (count: number): Promise<void> => until(() => ends.length === count);
  return { model, begun, end: (index: number) => ends[index]!() };
}

test('two choices of versions: the first choice, which ends later, does not replace the second choice', async (t) => {
  const { model, begun, end } = await heldModel(BASE, HARMLESS);
  const before = model.found;
  const first = model.chooseFabric('2.5.12');
  await begun(1);
  const second = model.chooseFabric('3.0, 3.1');
  await begun(2);
  // Until then the page shows the former state.
  t.deepEqual([model.fabric, model.isBusy], [[], true]);
  t.is(model.found, before);
  end(1);
  await second;
  const shown = model.found;
  t.deepEqual([model.fabric, versionLine(model), model.isBusy], [['3.0', '3.1'], [], true]);
  end(0);
  await first;
  t.deepEqual([model.fabric, model.isBusy], [['3.0', '3.1'], false]);
  t.is(model.found, shown);
});

test('an update that is added during the review of another one: both are shown, and the older review never alone', async (t) => {
  const { model, begun, end } = await heldModel(BASE);
  const first = model.add([HARMLESS]);
  await begun(1);
  const second = model.add([TAKEOVER]);
  await begun(2);
  end(0);
  await first;
  t.deepEqual([namesIn(model), model.files.length, model.place], [[], 1, 'channel']);
  end(1);
  await second;
  t.deepEqual([namesIn(model), model.place], [[['takeover.pb'], ['clerks.pb']], 'review']);
});

test('a newer block that is read during a review: the shown review is against the newer block', async (t) => {
  const [older, newer] = [0, 1].map((number) => dropped(`b${number}.pb`, BLOCKS[number]!));
  const { config, channel = '' } = readConfigFile(Buffer.from(BLOCKS[0]!));
  const { bytes: envelope } = unsignedUpdate(
    config,
    setPolicy(config, '/Channel/Application/Clerks', 'ANY Readers').config,
    channel,
  );
  const { model, begun, end } = await heldModel(older!);
  const first = model.add([dropped('clerks.pb', envelope)]);
  await begun(1);
  const second = model.add([newer!]);
  await begun(2);
  end(1);
  await second;
  end(0);
  await first;
  const { found } = await modelWith(older!, newer!, dropped('clerks.pb', envelope));
  t.is(model.newest?.name, 'b1.pb');
  t.deepEqual(model.found, found);
});

test('a file of an older drop that is read later does not replace a file of a newer drop', async (t) => {
  const model = await modelWith(BASE);
  let end = (): void => undefined;
  const read: UnreadFile['read'] = async () => {
    await new Promise<void>((resolve) => (end = resolve));
    return { path: 'clerks.pb', bytes: TAKEOVER.bytes, size: TAKEOVER.bytes.length };
  };
  const first = model.add([{ path: 'clerks.pb', read }]);
  await model.add([HARMLESS]);
  end();
  await first;
  t.deepEqual(Buffer.from(model.found.proposals[0]!.bytes), Buffer.from(HARMLESS.bytes));
});

test('an update that changes while it is signed keeps its new content, and is not signed', async (t) => {
  const model = await modelWith(BASE, HARMLESS, ...person('me', 'Org1/admin'));
  const [proposal] = model.found.proposals;
  const changed = update('clerks.pb', '/Channel/Application/Clerks', 'ALL Readers');
  await Promise.all([model.add([changed]), model.sign(proposal!, 'me')]);
  // Also an update that was reviewed before.
  await model.sign(proposal!, 'me');
  t.is(model.message, 'clerks.pb has changed: read its new review, then sign it');
  t.deepEqual(Buffer.from(model.found.proposals[0]!.bytes), Buffer.from(changed.bytes));
});

test('two people sign at the same time: no signature is lost silently', async (t) => {
  const model = await modelWith(
    BASE,
    HARMLESS,
    ...person('one', 'Org1/admin'),
    ...person('two', 'Org2/admin'),
  );
  const [proposal] = model.found.proposals;
  const messages = new Set<string>();
  model.onChange = () => void messages.add(model.message);
  await Promise.all(model.signers.map(({ name }) => model.sign(proposal!, name)));
  t.is(readEnvelope(model.found.proposals[0]!.bytes).signatures.length, 1);
  t.true(messages.has('clerks.pb has changed: read its new review, then sign it'));
});

test('a confirmation is for the dangers of one review: with other versions people are asked again', async (t) => {
  const model = await modelWith(BASE, TAKEOVER);
  const reviewOf = () => model.found.proposals[0]!.review!;
  model.allow(reviewOf(), true);
  await model.add([HARMLESS]);
  t.true(model.isAllowed(reviewOf()));
  await model.chooseFabric('3.1');
  t.false(model.isAllowed(reviewOf()));
});

test('two choices of an MSP: the certificate is explained for the last choice', async (t) => {
  const { model, begun, end } = await heldModel(BASE, dropped('cert.pem', certificateOf('Org1/admin')));
  const first = model.chooseMsp('Org2MSP');
  await begun(1);
  const second = model.chooseMsp('Org1MSP');
  await begun(2);
  end(1);
  await second;
  end(0);
  await first;
  t.deepEqual([model.mspid, saidIn(model)], ['Org1MSP', [['cert.pem', 'certificate', 'Org1MSP', true, []]]]);
});

test('an editor without edits has no update to share, and the message says so', async (t) => {
  const model = await modelWith(dropped('b0.pb', BLOCKS[0]!));
  await model.finish();
  t.is(model.message, 'the edit changes nothing: the channel has this config already');
});

test('while a channel is opened, its outline is known, and the progress of the review grows to 100', async (t) => {
  const model = new PageModel(() => NOW);
  const seen: (Work | undefined)[] = [];
  model.onChange = () => void seen.push(model.work);
  await model.add([BASE, HARMLESS]);
  t.is(model.work, undefined);
  t.deepEqual(seen[0], { what: 'Reading', percent: 0, outline: undefined });
  const reviewing = seen.flatMap((work) => (work?.what === 'Reviewing the update' ? [work] : []));
  const percents = reviewing.map(({ percent }) => percent);
  t.deepEqual([percents[0], percents.at(-1)], [0, 100]);
  t.deepEqual(
    percents,
    percents.toSorted((one, other) => one - other),
  );
  t.true(reviewing.every(({ outline }) => outline !== undefined && 'outline' in outline));
});

test('the outline of a channel is known before the worker is asked for anything', async (t) => {
  const seen: string[] = [];
  const calls = Object.entries(ENGINE).map(([name, call]) => [
    name,
    (...args: readonly unknown[]) => {
      seen.push(name);
      return (call as (...all: readonly unknown[]) => unknown)(...args);
    },
  ]);
  const model = new PageModel(() => NOW, Object.fromEntries(calls) as typeof ENGINE);
  model.onChange = () => {
    if (model.work?.outline !== undefined) seen.push('outline');
  };
  await model.add([BASE]);
  t.deepEqual([seen[0], seen.includes('organizationsOf')], ['outline', true]);
});

test('while a channel is shown, a change has no outline of another channel', async (t) => {
  const model = await modelWith(BASE);
  const seen: (Work | undefined)[] = [];
  model.onChange = () => void seen.push(model.work);
  await model.add([HARMLESS]);
  t.true(seen.some((work) => work?.what === 'Reviewing the update'));
  t.true(seen.every((work) => work?.outline === undefined));
});

test('the gains of an update have a progress before they are known', async (t) => {
  const model = new PageModel(() => NOW);
  const seen: (ShownGains | undefined)[] = [];
  model.onChange = () => {
    if (model.chosen !== undefined) seen.push(model.gainsOf(model.chosen));
  };
  await model.add([BASE, HARMLESS]);
  const percents = seen.flatMap((each) => (each !== undefined && 'percent' in each ? [each.percent] : []));
  t.is(percents.at(-1), 100);
  t.true('gains' in seen.at(-1)!);
});

test('a confirmation can be taken back, and a harmless update needs none', async (t) => {
  const model = await modelWith(BASE, HARMLESS, TAKEOVER, ...person('me', 'Org1/admin'));
  const [takeover, harmless] = model.found.proposals;
  t.deepEqual(
    [takeover, harmless].map((each) => [model.signing(each!.review!), model.isAllowed(each!.review!)]),
    [
      ['dangerous', false],
      ['possible', true],
    ],
  );
  model.allow(takeover!.review!, true);
  model.allow(takeover!.review!, false);
  t.false(model.isAllowed(takeover!.review!));
  await model.sign(takeover!, 'me');
  t.is(readEnvelope(model.found.proposals[0]!.bytes).signatures.length, 0);
});

test('a config without a header has the channel of the update', async (t) => {
  const model = await modelWith(BASE);
  t.is(model.channel, undefined);
  await model.add([HARMLESS]);
  t.is(model.channel, 'channel');
  t.is((await modelWith(dropped('b0.pb', BLOCKS[0]!))).channel, 'ch1');
});

test('an operation that fails changes nothing, and the next one starts with what is shown', async (t) => {
  let isBroken = false;
  const model = new PageModel(() => NOW, {
    ...ENGINE,
    explainAll: async (...args) => {
      if (isBroken) throw new Error('the worker stopped');
      return ENGINE.explainAll(...args);
    },
  });
  await model.add([BASE]);
  isBroken = true;
  await model.add([TAKEOVER]);
  t.deepEqual([model.message, model.isBusy, namesIn(model)], ['the worker stopped', false, []]);
  isBroken = false;
  await model.add([HARMLESS]);
  t.deepEqual([model.message, namesIn(model)], ['', [['clerks.pb']]]);
});

test('a person whose organisation an update adds is told what he will be', async (t) => {
  const without = removeOrganization(CONFIG, 'Org1').config;
  const joins = dropped('join.pb', unsignedUpdate(without, CONFIG, 'channel').bytes);
  const other = dropped(
    'batch.pb',
    unsignedUpdate(
      without,
      setPolicy(without, '/Channel/Application/Clerks', 'ANY Readers').config,
      'channel',
    ).bytes,
  );
  const base = dropped('config.pb', writeConfig(without));
  const model = await modelWith(base, joins, other, ...person('me', 'Org1/admin'));
  const texts = model.found.proposals.map((each) => [each.names[0], model.yourPart(each)?.text]);
  t.deepEqual(
    new Map(texts as [string, string][]).get('join.pb'),
    'With this update you will be an admin of Org1',
  );
  t.regex(
    new Map(texts as [string, string][]).get('batch.pb')!,
    /belongs to no organisation of this channel/,
  );
});

for (const [ca, expected] of [
  ['ca.org7.example.com', [{ folder: 'org/msp', text: 'Add Org7MSP…', form: 'org add' }]],
  ['ca.org1.example.com', [{ folder: 'org/msp', text: 'Replace the MSP of Org1MSP…', form: 'org set-msp' }]],
  ['4711', [{ folder: 'org/msp', text: 'Add this organisation…', form: 'org add' }]],
] as const)
  test(`the MSP folder of an organisation with the CA ${ca} beside a channel is offered for it`, async (t) => {
    const { pem } = makeCertificate({ commonName: ca });
    const model = await modelWith(BASE, dropped('org/msp/cacerts/ca.pem', pem));
    t.deepEqual(model.offers, [...expected]);
  });

test('an update that the page made or signed is new, and a dropped one is not', async (t) => {
  const model = await modelWith(BASE, HARMLESS, ...person('me', 'Org1/admin'));
  const downloads = (): readonly string[] => {
    const { primary, others } = model.yourPart(model.found.proposals[0]!)!;
    return [primary, ...others].flatMap((each) => (each?.do === 'download' ? [each.label] : []));
  };
  t.deepEqual(downloads(), []);
  await model.sign(model.found.proposals[0]!, 'me');
  t.is(downloads().length, 1);
});
