import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { FailedChecks } from '../../../../core/contract/index.js';
import type { DetailedPart } from '../../../../core/contract/internal/index.js';
import type { ChannelDocument, FactValues } from '../../../../core/contract/internal/index.js';
import { checkOptions } from '../../../../core/host/load.js';
import channelConfig from '../../../../plugins/health/channel-config/index.js';
import { LedgerFolders } from '../../../../core/fabric/ledger.js';
import { createNodeTestContext } from '../../../../core/testing/context.js';
import {
  CommonChannelHeader,
  CommonConfigEnvelope,
  CommonEnvelope,
  CommonPayload,
} from '../../../../proto/messages.js';
import { writeMessage } from '../../../../proto/typed.js';
import { channelOf, readConfigFile } from '../../../../translator/channel/index.js';
import type { BftEntry } from '../../../../translator/channel/consenters.js';
import { writeConfig } from '../../../../translator/channel/write.js';
import { setMsp } from '../../../../translator/edit/index.js';
import { Ledger, parseBlock, type StoredBlock } from '../../../../translator/ledger/index.js';
import { declaration } from '../../../helpers/agent.js';
import {
  publishedIn,
  startChecker,
  type CheckerParts,
  type StartedChecker,
} from '../../../helpers/checker.js';
import { FactStore } from '../../../../core/nodes/index.js';
import { stopClock } from '../../../helpers/clock.js';
import { firstBlock } from '../../../helpers/first-block.js';
import { temporaryFolder } from '../../../helpers/folder.js';
import { makeCertificate, type Made } from '../../../helpers/made-certificates.js';
import { BLOCKS, configBlock } from '../../../helpers/migration.js';
import { networkBlock } from '../../../helpers/network-block.js';
import { emptyBlock, peerLedgers, writeLedger } from '../../../helpers/stored-ledger.js';

type Options = Parameters<typeof channelConfig.create>[0]['options'];

const optionsFor = (ledger: string): Options => ({
  ledger,
  tlsCert: '',
  kind: 'orderer',
  msp: '',
  listen: '',
  mspid: '',
  minimum: 0,
  allow: [],
});

const start = async (
  t: ExecutionContext,
  ledger: string,
  options: Partial<Options> = {},
  parts: CheckerParts = {},
): Promise<StartedChecker> => startChecker(t, channelConfig, { ...optionsFor(ledger), ...options }, parts);

/** Block 0 of a network with certificates that expire in years. */
const { data, ...rest } = parseBlock(networkBlock());
const BLOCK: StoredBlock = { ...rest, data, dataHash: createHash('sha256').update(data[0]!).digest() };
const [CONSENTER] = channelOf(readConfigFile(networkBlock()).config).orderer.consenters;
const CENTURIES = 100 * 365 * 86_400_000;

test('the configs of all channels are read, and their certificates are shown with their use', async (t) => {
  const { directory, append, remove } = peerLedgers(t);
  append('ch1', BLOCK);
  append('ch2', BLOCK, emptyBlock(1n));
  const { check, series } = await start(t, directory);
  t.deepEqual(await check(), {});
  const days = Object.keys(await series('x509_channel_cert_days_left')).map(
    (labels) => JSON.parse(labels) as Readonly<Record<string, string>>,
  );
  const ofOne = days.filter(({ channel }) => channel === 'ch1');
  t.deepEqual(ofOne.map(({ organisation, use }) => `${organisation} ${use}`).toSorted(), [
    ' consenter_client_tls',
    ' consenter_server_tls',
    'OrdererMSP ca',
    'OrdererMSP tls_ca',
    'Org1MSP ca',
    'Org1MSP tls_ca',
    'Org2MSP ca',
    'Org2MSP tls_ca',
  ]);
  t.is(days.length, 2 * ofOne.length);
  t.deepEqual(Object.values(await series('channel_config_block')), [0, 0]);
  t.deepEqual(Object.values(await series('channel_config_maintenance')), [0, 0]);
  t.deepEqual(await series('channel_config_consenter'), {});

  remove('ch1');
  remove('ch2');
  t.deepEqual(await check(), {});
  for (const family of [
    'x509_channel_cert_days_left',
    'x509_channel_cert_not_after',
    'channel_config_block',
    'channel_config_maintenance',
  ])
    t.deepEqual(await series(family), {}, family);
});

test('the consenters of a channel have its maintenance and the block with which it began, until it ends', async (t) => {
  const { directory, append } = peerLedgers(t);
  const facts = new FactStore();
  const recorded = publishedIn(facts, 'consenters');
  const { check } = await start(t, directory, {}, { node: 'peer0', facts });
  const found: unknown[] = [];
  for (const [number, block] of BLOCKS.entries()) {
    append('ch1', parseBlock(block));
    const failed = await check();
    t.is(failed['ch1/maintenance'], undefined);
    found.push([number, recorded.at(-1)?.[0]?.consensus, recorded.at(-1)?.[0]?.maintenance]);
  }
  t.deepEqual(found, [
    [0, 'etcdraft', undefined],
    [1, 'etcdraft', undefined],
    [2, 'etcdraft', { since: 2 }],
    [3, 'BFT', { since: 2 }],
    [4, 'BFT', { since: 2 }],
    [5, 'BFT', undefined],
  ]);
});

test('an agent that starts during the maintenance finds the block with which it began', async (t) => {
  const { directory, append } = peerLedgers(t);
  const facts = new FactStore();
  const recorded = publishedIn(facts, 'consenters');
  append('ch1', ...BLOCKS.slice(0, 4).map(parseBlock));
  await (await start(t, directory, {}, { node: 'peer0', facts })).check();
  t.deepEqual(recorded.at(-1)?.[0]?.maintenance, { since: 2 });
});

test('certificates that expire are warnings with what to do', async (t) => {
  const { directory, append } = peerLedgers(t);
  append('ch1', BLOCK);
  const reasons = await (await start(t, directory, { minimum: CENTURIES })).check();
  t.regex(
    reasons['ch1/orderer.example.com:7050/consenter_server_tls'] ?? '',
    /^.*CN=.* expires on \d{4}-.*Z, in \d+ days: renew it with the same key, or replace it with configtxlator consenter rotate BLOCK orderer\.example\.com:7050 --tls-cert FILE$/,
  );
  t.regex(
    reasons['ch1/Org1MSP/ca'] ?? '',
    /^.*CN=.* expires on .*: replace it in the MSP with configtxlator org set-msp$/,
  );
});

test('an orderer whose TLS certificate has the key of no consenter is a warning', async (t) => {
  const { directory, append } = peerLedgers(t);
  append('ch1', BLOCK);
  const folder = temporaryFolder(t);
  const tlsCert = join(folder, 'tls.pem');
  writeFileSync(tlsCert, makeCertificate({ commonName: 'orderer2' }).pem);
  const { check, series } = await start(t, directory, { tlsCert });
  t.deepEqual(await check(), {
    'ch1/consenter':
      'the TLS certificate of this orderer belongs to no consenter: it receives blocks but does not order',
  });
  t.deepEqual(Object.values(await series('channel_config_consenter')), [0]);

  writeFileSync(tlsCert, CONSENTER!.serverTlsCert);
  t.deepEqual(await check(), {});
  t.deepEqual(Object.values(await series('channel_config_consenter')), [1]);

  writeFileSync(tlsCert, 'nothing');
  t.deepEqual(await check(), { tlsCert: `${tlsCert}: contains no certificate` });
});

test('a TLS certificate that cannot be read is a warning, as soon as there is a channel', async (t) => {
  const { directory, append } = peerLedgers(t);
  const tlsCert = join(temporaryFolder(t), 'tls.pem');
  const { check, severities } = await start(t, directory, { tlsCert });
  t.deepEqual(await check(), {});
  append('ch1', BLOCK);
  t.deepEqual(await check(), { tlsCert: `${tlsCert}: no such file` });
  t.deepEqual(severities(), { tlsCert: 'warning' });
  writeFileSync(tlsCert, ' '.repeat(1024 * 1024 + 1));
  t.deepEqual(await check(), { tlsCert: `${tlsCert}: it is larger than 1048576 bytes` });
});

test('a peer with the TLS key of a consenter is not shown as this consenter', async (t) => {
  const { directory, append } = peerLedgers(t);
  append('ch1', BLOCK);
  const tlsCert = join(temporaryFolder(t), 'tls.pem');
  writeFileSync(tlsCert, CONSENTER!.serverTlsCert);
  const facts = new FactStore();
  const recorded = publishedIn(facts, 'consenters');
  const options = { ...optionsFor(directory), tlsCert, kind: 'peer' } as const;
  const { check, series } = await startChecker(t, channelConfig, options, { node: 'peer0', facts });
  t.deepEqual(await check(), {});
  t.is(recorded[0]![0]!.own, undefined);
  t.deepEqual(await series('channel_config_consenter'), {});
});

for (const [node, holder] of [
  ['orderer3', 'orderer3 (orderer.example.com:7050)'],
  [undefined, 'orderer.example.com:7050'],
] as const)
  test(`the cause of a certificate that expires names ${holder}, if the node with its key is ${node ?? 'unknown'}`, async (t) => {
    const { directory, append } = peerLedgers(t);
    append('ch1', BLOCK);
    const tlsCert = join(temporaryFolder(t), 'tls.pem');
    writeFileSync(tlsCert, CONSENTER!.serverTlsCert);
    const options = { ...optionsFor(directory), tlsCert, minimum: CENTURIES };
    const { checker } = await startChecker(t, channelConfig, options, { node });
    const { parts } = await t.throwsAsync<FailedChecks>(async () =>
      checker.check(new AbortController().signal),
    );
    const part = (parts as readonly DetailedPart[]).find(
      ({ component }) => component === 'ch1/orderer.example.com:7050/consenter_server_tls',
    );
    t.true(part!.causes![0]!.reason.includes(` of ${holder} expires on `), part!.causes![0]!.reason);
  });

/** A ledger with a BFT channel, the certificates of one of its consenters, and an MSP directory with a signing certificate. */
function bftStage(t: ExecutionContext, signing: (consenter: BftEntry) => Uint8Array) {
  const { directory, append } = peerLedgers(t);
  const { config } = configBlock(5);
  append('ch1', firstBlock({ config }));
  const [consenter] = channelOf(config).orderer.consenters as readonly BftEntry[];
  const msp = temporaryFolder(t, { 'signcerts/cert.pem': Buffer.from(signing(consenter!)).toString() });
  const tlsCert = join(temporaryFolder(t), 'tls.pem');
  const facts = new FactStore();
  const recorded = publishedIn(facts, 'consenters');
  const options = { ...optionsFor(directory), tlsCert, msp };
  return { consenter: consenter!, msp, tlsCert, recorded, options, parts: { node: 'orderer', facts } };
}

test('a BFT consenter is known by its signing certificate, and its TLS certificate may be any one', async (t) => {
  const stage = bftStage(t, ({ identity }) => identity);
  writeFileSync(stage.tlsCert, makeCertificate({ commonName: 'orderer1' }).pem);
  const { check, series } = await startChecker(t, channelConfig, stage.options, stage.parts);
  t.deepEqual(await check(), {});
  t.deepEqual(Object.values(await series('channel_config_consenter')), [1]);
  t.like(stage.recorded.at(-1)?.[0], {
    consensus: 'BFT',
    own: '127.0.0.1:27070',
    leaderHeartbeatTimeout: 60_000,
  });
});

test('without an MSP directory it is unknown whether an orderer is a BFT consenter', async (t) => {
  const stage = bftStage(t, ({ identity }) => identity);
  const options = { ...stage.options, tlsCert: '', msp: '' };
  const { check, series } = await startChecker(t, channelConfig, options, stage.parts);
  t.deepEqual(await check(), {});
  t.deepEqual(await series('channel_config_consenter'), {});
});

test('an MSP directory without a signing certificate is a warning for a BFT orderer', async (t) => {
  const stage = bftStage(t, () => Buffer.from('no certificate'));
  const { check, severities } = await startChecker(
    t,
    channelConfig,
    { ...stage.options, tlsCert: '' },
    stage.parts,
  );
  t.deepEqual(await check(), { msp: `${stage.msp}: signcerts contains no certificate` });
  t.deepEqual(severities(), { msp: 'warning' });
});

test('the MSP directory of an orderer without BFT channels is not read', async (t) => {
  const { directory, append } = peerLedgers(t);
  append('ch1', BLOCK);
  const { check } = await start(t, directory, { msp: join(temporaryFolder(t), 'missing') });
  t.deepEqual(await check(), {});
});

test('an orderer whose signing certificate belongs to no BFT consenter is a warning', async (t) => {
  const stage = bftStage(t, () => makeCertificate({ commonName: 'orderer1' }).pem);
  writeFileSync(stage.tlsCert, stage.consenter.serverTlsCert);
  const { check } = await startChecker(t, channelConfig, stage.options, stage.parts);
  t.deepEqual(await check(), {
    'ch1/consenter':
      'the signing certificate of this orderer belongs to no consenter: it receives blocks but does not order',
  });
  t.is(stage.recorded.at(-1)?.[0]?.own, undefined);
});

test('an MSP directory of a BFT orderer that cannot be read is a warning, and its TLS certificate says which consenter it is', async (t) => {
  const stage = bftStage(t, ({ identity }) => identity);
  writeFileSync(stage.tlsCert, stage.consenter.serverTlsCert);
  rmSync(join(stage.msp, 'signcerts'), { recursive: true });
  const { check, series } = await startChecker(t, channelConfig, stage.options, stage.parts);
  t.deepEqual(Object.keys(await check()), ['msp']);
  t.deepEqual(await series('channel_config_consenter'), {});
  t.is(stage.recorded.at(-1)?.[0]?.own, '127.0.0.1:27070');
});

test('the consenters of the configs are recorded for the node, with the one that it is itself', async (t) => {
  const { directory, append, remove } = peerLedgers(t);
  append('ch1', BLOCK);
  const tlsCert = join(temporaryFolder(t), 'tls.pem');
  writeFileSync(tlsCert, CONSENTER!.serverTlsCert);
  const facts = new FactStore();
  const recorded = publishedIn(facts, 'consenters');
  const options = { ...optionsFor(directory), tlsCert };
  const { check } = await startChecker(t, channelConfig, options, { node: 'orderer', facts });
  await check();
  remove('ch1');
  await check();
  const address = 'orderer.example.com:7050';
  t.like(recorded, [
    [{ channel: 'ch1', block: 0, consensus: 'etcdraft', consenters: [{ address }], own: address }],
    [],
  ]);
});

for (const [type, listen, own] of [
  ['etcdraft', 'orderer.example.com:7050', 'orderer.example.com:7050'],
  ['etcdraft', 'orderer.example.com:7051', undefined],
  ['BFT', '127.0.0.1:27070', '127.0.0.1:27070'],
  ['BFT', '', undefined],
] as const)
  test(`an orderer of ${type} that listens at '${listen}' and has another key is the consenter ${own ?? 'that nobody knows'}`, async (t) => {
    const stage = bftStage(t, () => makeCertificate({ commonName: 'orderer1' }).pem);
    const { directory, append } = peerLedgers(t);
    append('ch1', BLOCK);
    const tlsCert = join(temporaryFolder(t), 'tls.pem');
    writeFileSync(tlsCert, makeCertificate({ commonName: 'orderer1' }).pem);
    const options = type === 'BFT' ? stage.options : { ...optionsFor(directory), tlsCert };
    const { check } = await startChecker(t, channelConfig, { ...options, listen }, stage.parts);
    await check();
    const { own: found, hasOtherKey } = stage.recorded.at(-1)![0]!;
    t.deepEqual([found, hasOtherKey], [own, own === undefined ? undefined : true]);
  });

test('an orderer with the key of a consenter is this consenter, wherever it listens, and one with an unknown key is none', async (t) => {
  const { directory, append } = peerLedgers(t);
  append('ch1', BLOCK);
  const tlsCert = join(temporaryFolder(t), 'tls.pem');
  writeFileSync(tlsCert, CONSENTER!.serverTlsCert);
  const facts = new FactStore();
  const recorded = publishedIn(facts, 'consenters');
  for (const given of [{ tlsCert, listen: 'other:1' }, { listen: 'orderer.example.com:7050' }]) {
    const options = { ...optionsFor(directory), ...given };
    const { check } = await startChecker(t, channelConfig, options, { node: 'orderer', facts });
    await check();
  }
  t.deepEqual(
    recorded.map(([found]) => [found?.own, found?.hasOtherKey]),
    [
      ['orderer.example.com:7050', undefined],
      [undefined, undefined],
    ],
  );
});

test('each new config block is an event with what changed and who signed it, oldest first', async (t) => {
  const { directory, append } = peerLedgers(t);
  const history = Ledger.open(writeLedger(t, { blocks: 6, configs: [2, 4] }));
  append('mychannel', history.read(0n), history.read(1n));
  const { context, emitted, logged } = createNodeTestContext(channelConfig, optionsFor(directory));
  const checker = channelConfig.create({ ...context, ledgers: new LedgerFolders() });
  const check = async (): Promise<void> => {
    try {
      await checker.check(new AbortController().signal);
    } catch (error) {
      t.is((error as { code?: string }).code, 'CHECKS_FAILED', (error as Error).stack);
    }
  };
  await check();
  t.deepEqual(emitted, []);
  append('mychannel', ...[2n, 3n, 4n, 5n].map((number) => history.read(number)));
  await check();
  await check();
  const [first, second] = emitted;
  t.is(emitted.length, 2);
  const changes = 'Application: value ACLs added; Application/ACLs: added: qscc/GetChainInfo needs Readers';
  const signers = 'Org1MSP CN=Admin@org1.example.com';
  t.like(first, {
    component: 'mychannel',
    reason: `config block 2, signed by ${signers}: ${changes}`,
    fields: {
      channel: 'mychannel',
      block: '2',
      time: '2026-09-21T14:15:20.000Z',
      signers,
      submitter: signers,
      changes,
    },
  });
  t.regex(first!.fields!['fingerprint']!, /^[0-9a-f]{64}$/);
  t.is(second!.fields!['block'], '4');
  t.deepEqual(
    logged.map(({ message }) => message),
    emitted.map(({ reason }) => `channel mychannel: ${reason}`),
  );
});

/** A checker of a folder with what it logs, its events, and its function for the documents of the channels. */
async function recordedChecker(directory: string) {
  const { context, emitted, logged, published } = createNodeTestContext(channelConfig, optionsFor(directory));
  const checker = channelConfig.create({ ...context, ledgers: new LedgerFolders() });
  const { signal } = new AbortController();
  await checker.start?.(signal);
  return {
    emitted,
    logged: () => logged.map(({ level, message }) => `${level} ${message}`),
    check: async () => checker.check(signal),
    read: async () => (published.get('configs') as FactValues['configs'])(signal),
  };
}

test('of 22 new config blocks the last 20 are events', async (t) => {
  const { directory, append } = peerLedgers(t);
  const numbers = Array.from({ length: 22 }, (_, index) => index + 1);
  const history = Ledger.open(writeLedger(t, { blocks: 23, configs: numbers }));
  append('mychannel', history.read(0n));
  const { check, emitted } = await recordedChecker(directory);
  await check();
  append('mychannel', ...numbers.map((number) => history.read(BigInt(number))));
  await check();
  t.deepEqual(
    emitted.map(({ fields }) => fields!['block']),
    numbers.slice(2).map(String),
  );
});

test('if a block before a new config block is damaged, the log says that not all changes can be read', async (t) => {
  const { directory, append } = peerLedgers(t);
  const history = Ledger.open(writeLedger(t, { blocks: 3, configs: [2] }));
  append('mychannel', history.read(0n), history.read(1n));
  const { check, emitted, logged, read } = await recordedChecker(directory);
  await check();
  const file = blockFile(directory, 'mychannel');
  flipAfter(file, 'Org1MSP');
  append('mychannel', history.read(2n));
  await check();
  t.deepEqual(emitted, []);
  const damage = `block 0 of channel mychannel does not match its hash: ${file} is damaged`;
  t.deepEqual(logged(), [
    `warn the config of channel mychannel has changed, but not all its changes can be read: ${damage}`,
  ]);
  const [document] = await read();
  t.deepEqual([document?.config?.block, document?.config?.last_change], [2, undefined]);
});

test('a document has no last change if the ledger of its channel was removed meanwhile', async (t) => {
  const { directory, append, remove } = peerLedgers(t);
  append('ch1', BLOCK);
  const { check, logged, read } = await recordedChecker(directory);
  await check();
  remove('ch1');
  const [document] = await read();
  t.deepEqual([document?.config?.block, document?.config?.last_change], [0, undefined]);
  const [line = '', ...others] = logged();
  t.regex(line, /^debug the last change of channel ch1 cannot be read: ENOENT: no such file/);
  t.deepEqual(others, []);
});

test('a document has no last change while only the ledger has the newer config that it made', async (t) => {
  const { directory, append } = peerLedgers(t);
  const history = Ledger.open(writeLedger(t, { blocks: 5, configs: [2, 4] }));
  append('mychannel', ...[0n, 1n, 2n, 3n].map((number) => history.read(number)));
  const { check, read } = await recordedChecker(directory);
  await check();
  append('mychannel', history.read(4n));
  const blocks = async (): Promise<unknown[]> => {
    const [document] = await read();
    return [document?.config?.block, document?.config?.last_change?.block];
  };
  t.deepEqual(await blocks(), [2, undefined]);
  await check();
  t.deepEqual(await blocks(), [4, 4]);
});

test('the documents of the channels are not read once the request is aborted', async (t) => {
  const { directory, append } = peerLedgers(t);
  append('ch1', BLOCK);
  const facts = new FactStore();
  const { check } = await startChecker(t, channelConfig, optionsFor(directory), { node: 'peer0', facts });
  await check();
  const read = facts.about('configs', 'peer0')!;
  await t.throwsAsync(async () => read(AbortSignal.abort(new Error('the client has gone'))), {
    message: 'the client has gone',
  });
});

test('the document of a channel has its config, and the update that made it', async (t) => {
  const { directory, append } = peerLedgers(t);
  const history = Ledger.open(writeLedger(t, { blocks: 4, configs: [2] }));
  append('mychannel', ...[0n, 1n, 2n, 3n].map((number) => history.read(number)));
  append('other', BLOCK);
  const facts = new FactStore();
  const { check } = await startChecker(t, channelConfig, optionsFor(directory), { node: 'peer0', facts });
  const read = async (): Promise<readonly ChannelDocument[]> =>
    facts.about('configs', 'peer0')!(new AbortController().signal);
  t.deepEqual(await read(), []);
  await check();
  const [mychannel, other] = await read();
  t.like(mychannel, {
    name: 'mychannel',
    height: 4,
    problem: undefined,
    config: {
      block: 2,
      consensus: 'etcdraft',
      capabilities: { channel: ['V2_0'], orderer: ['V2_0'], application: ['V2_5'] },
      maintenance: false,
      last_change: {
        block: 2,
        signers: ['Org1MSP CN=Admin@org1.example.com'],
        changes: [
          'Application: value ACLs added',
          'Application/ACLs: added: qscc/GetChainInfo needs Readers',
        ],
      },
    },
  });
  const { consenters, organisations } = mychannel!.config!;
  t.deepEqual(
    consenters.map(({ address, certificates }) => [address, certificates.map(({ use }) => use)]),
    [['orderer.example.com:7050', ['consenter_client_tls', 'consenter_server_tls']]],
  );
  t.deepEqual(
    organisations.map(({ mspid, certificates }) => [mspid, certificates.map(({ use }) => use)]),
    ['OrdererMSP', 'Org1MSP', 'Org2MSP'].map((mspid) => [mspid, ['ca', 'tls_ca']]),
  );
  t.regex(organisations[0]!.certificates[0]!.not_after!, /^\d{4}-.*Z$/);
  t.deepEqual(
    [other?.name, other?.height, other?.config?.last_change?.changes],
    ['other', 1, ['the first block of the channel']],
  );

  append('other', emptyBlock(1n));
  await check();
  t.is((await read())[1]?.height, 2);
});

test('the document of a channel whose config cannot be read has the reason', async (t) => {
  const { directory, append } = peerLedgers(t);
  append('ch1', emptyBlock(0n));
  const facts = new FactStore();
  const { check } = await startChecker(t, channelConfig, optionsFor(directory), { node: 'peer0', facts });
  const { ch1 } = await check();
  const [document] = await facts.about('configs', 'peer0')!(new AbortController().signal);
  t.deepEqual(document, { name: 'ch1', height: 1, problem: ch1, config: undefined });
});

test('a channel that is created while the agent runs is no event', async (t) => {
  const { directory, append } = peerLedgers(t);
  const { context, emitted } = createNodeTestContext(channelConfig, optionsFor(directory));
  const checker = channelConfig.create({ ...context, ledgers: new LedgerFolders() });
  await checker.check(new AbortController().signal);
  append('mychannel', BLOCK);
  await checker.check(new AbortController().signal);
  t.deepEqual(emitted, []);
});

test('a config that cannot be read is a warning of its channel in each check, and the others are read', async (t) => {
  const { directory, append } = peerLedgers(t);
  append('ch1', emptyBlock(0n));
  append('ch2', BLOCK);
  const { check, series } = await start(t, directory);
  const first = await check();
  t.deepEqual(Object.keys(first), ['ch1']);
  t.deepEqual(await check(), first);
  t.is(Object.keys(await series('channel_config_maintenance')).length, 1);
});

test('a ledger folder that is missing is a warning', async (t) => {
  const directory = temporaryFolder(t);
  const missing = join(directory, 'missing');
  t.deepEqual(await (await start(t, missing)).check(), { ledger: `${missing}: no such file` });
  t.deepEqual(await (await start(t, directory)).check(), {
    ledger: `${directory} is not the ledger folder of a node: it has none of chains, ledgersData/chains/chains`,
  });
});

test('channel-config without a ledger folder is refused', async (t) => {
  await t.throwsAsync(start(t, ''), { message: 'options.ledger: must be set' });
});

/** The file of blocks of a channel of a peer. */
const blockFile = (directory: string, channel: string): string =>
  join(directory, 'ledgersData/chains/chains', channel, 'blockfile_000000');

/** Changes one bit of a file after some bytes that it contains once or more. */
function flipAfter(file: string, text: string): void {
  const bytes = readFileSync(file);
  const at = bytes.indexOf(text) + text.length;
  bytes[at] = bytes[at]! ^ 1;
  writeFileSync(file, bytes);
}

const RESTORE = 'replace the ledger of this channel in the node: restore it, or delete it and join again';

test('a changed byte in an old config block is critical, until the block is restored', async (t) => {
  const { directory, append } = peerLedgers(t);
  const history = Ledger.open(writeLedger(t, { blocks: 6, configs: [2, 4] }));
  append('mychannel', ...[0n, 1n, 2n, 3n, 4n, 5n].map((number) => history.read(number)));
  const file = blockFile(directory, 'mychannel');
  const intact = readFileSync(file);
  flipAfter(file, 'Org1MSP');
  const { check, severities } = await start(t, directory);
  const damage = {
    'mychannel/ledger': `block 0 of channel mychannel does not match its hash: ${file} is damaged; ${RESTORE}`,
  };
  t.deepEqual(await check(), damage);
  t.deepEqual(severities(), { 'mychannel/ledger': 'critical' });
  t.deepEqual(await check(), damage);
  writeFileSync(file, intact);
  t.deepEqual(await check(), {});
});

test.serial('a byte that changes while the agent runs is found some minutes later', async (t) => {
  const { directory, append } = peerLedgers(t);
  const history = Ledger.open(writeLedger(t, { blocks: 4, configs: [2] }));
  append('mychannel', ...[0n, 1n, 2n, 3n].map((number) => history.read(number)));
  const { check } = await start(t, directory);
  const clock = stopClock(t);
  t.deepEqual(await check(), {});
  flipAfter(blockFile(directory, 'mychannel'), 'Org1MSP');
  t.deepEqual(await check(), {});
  clock.tick(5 * 60_000);
  t.deepEqual(Object.keys(await check()), ['mychannel/ledger']);
});

test('a changed byte in the newest config block is critical', async (t) => {
  const { directory, append } = peerLedgers(t);
  append('ch1', BLOCK);
  const file = blockFile(directory, 'ch1');
  flipAfter(file, 'Org1MSP');
  const { check, severities } = await start(t, directory);
  t.deepEqual(await check(), {
    'ch1/ledger': `block 0 of channel ch1 does not match its hash: ${file} is damaged; ${RESTORE}`,
  });
  t.deepEqual(severities(), { 'ch1/ledger': 'critical' });
});

test('the blocks after a snapshot are intact without block 0, and their newest config is known', async (t) => {
  const { directory, append } = peerLedgers(t);
  const history = Ledger.open(writeLedger(t, { blocks: 8, configs: [2, 5] }));
  append('mychannel', ...[4n, 5n, 6n, 7n].map((number) => history.read(number)));
  const { check, series } = await start(t, directory);
  t.deepEqual(await check(), {});
  t.deepEqual(Object.values(await series('channel_config_block')), [5]);
});

/** Block 0 of a network in which Org1MSP has these TLS CAs. */
function blockWithTlsCas(roots: readonly Made[], intermediates: readonly Made[] = []): StoredBlock {
  const { config } = readConfigFile(networkBlock());
  const pem = (certificates: readonly Made[]): Uint8Array[] => certificates.map((each) => each.pem);
  const files = {
    roots: pem([makeCertificate({ commonName: 'ca' })]),
    intermediates: [],
    admins: [],
    revocationLists: [],
    tlsRoots: pem(roots),
    tlsIntermediates: pem(intermediates),
    units: [],
    nodeOus: undefined,
  };
  const changed = setMsp(config, 'Org1MSP', { files }, 'Application').config;
  const payload = writeMessage(CommonPayload, {
    header: { channelHeader: writeMessage(CommonChannelHeader, { type: 1, channelId: 'ch1' }) },
    data: writeMessage(CommonConfigEnvelope, { config: writeConfig(changed) }),
  });
  const envelope = writeMessage(CommonEnvelope, { payload });
  return { ...BLOCK, data: [envelope], dataHash: createHash('sha256').update(envelope).digest() };
}

const tlsRoot = makeCertificate({ commonName: 'tlsca' });
const tlsIntermediate = makeCertificate({ commonName: 'tlsica', issuer: tlsRoot, isCa: true });
const newRoot = makeCertificate({ commonName: 'tlsca' });
const ofRoot = makeCertificate({ commonName: 'peer0', issuer: tlsRoot });
const ofIntermediate = makeCertificate({ commonName: 'peer0', issuer: tlsIntermediate });
const ofNewRoot = makeCertificate({ commonName: 'peer0', issuer: newRoot });

/** A file with so many certificates, of which the last one is the intermediate CA of the first one. */
const chainOf = (count: number): readonly Made[] => [
  ofIntermediate,
  ...Array.from({ length: count - 2 }, () => ofNewRoot),
  tlsIntermediate,
];

for (const [what, chain, roots, intermediates, isVerified] of [
  ['of a root CA of the channel', [ofRoot], [tlsRoot], [], true],
  ['of an intermediate CA of the channel', [ofIntermediate], [tlsRoot], [tlsIntermediate], true],
  ['with an intermediate CA in its file', [ofIntermediate, tlsIntermediate], [tlsRoot], [], true],
  ['with an intermediate CA as the tenth certificate of its file', chainOf(10), [tlsRoot], [], true],
  ['with an intermediate CA as the eleventh certificate of its file', chainOf(11), [tlsRoot], [], false],
  ['of one of several CAs of the channel', [ofNewRoot], [tlsRoot, newRoot], [], true],
  ['of a new CA with the same name', [ofNewRoot], [tlsRoot], [], false],
  ['of an intermediate CA that is in neither', [ofIntermediate], [tlsRoot], [], false],
  ['in a channel whose MSP has no TLS CA', [ofRoot], [], [], false],
] as const)
  test(`a TLS certificate of a peer ${what} is ${isVerified ? 'no problem' : 'a warning'}`, async (t) => {
    const { directory, append } = peerLedgers(t);
    append('ch1', blockWithTlsCas(roots, intermediates));
    const tlsCert = join(temporaryFolder(t), 'tls.pem');
    writeFileSync(tlsCert, chain.map(({ pem }) => pem.toString()).join(''));

    const { check, severities } = await start(t, directory, { tlsCert, kind: 'peer', mspid: 'Org1MSP' });
    const reason = `${tlsCert}: no TLS CA of Org1MSP in channel ch1 has issued it: other organisations cannot verify this peer; add its CA to the MSP with configtxlator org set-msp, or use a certificate of a CA in that MSP`;
    const { 'ch1/tls-ca': found } = await check();
    t.is(found, isVerified ? undefined : reason);
    t.is(severities()['ch1/tls-ca'], isVerified ? undefined : 'warning');
  });

test('the TLS certificate of a peer is not judged if its organisation is not in the channel', async (t) => {
  const { directory, append } = peerLedgers(t);
  append('ch1', BLOCK);
  const tlsCert = join(temporaryFolder(t), 'tls.pem');
  writeFileSync(tlsCert, ofRoot.pem);
  const { check } = await start(t, directory, { tlsCert, kind: 'peer', mspid: 'Org9MSP' });
  t.deepEqual(await check(), {});
});

for (const [allow, isValid] of [
  [[], true],
  [['acl-policy-missing', 'no-admins'], true],
  [['no-admins', 'No-Admins'], false],
  [[7], false],
  ['no-admins', false],
] as const)
  test(`the option allow ${JSON.stringify(allow)} is ${isValid ? 'valid' : 'refused'}`, (t) => {
    const options = { ledger: '/ledger', allow };
    const { problems } = checkOptions(channelConfig, declaration({ plugin: 'channel-config', options }));
    const problem = `test.yaml:1: plugins[0]: plugin channel-config: options.allow: must be a list of ids of findings, such as \`acl-policy-missing\`: value was ${JSON.stringify(allow)}`;
    t.deepEqual(problems, isValid ? [] : [problem]);
  });
