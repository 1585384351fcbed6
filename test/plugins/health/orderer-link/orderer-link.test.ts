import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import ordererLink from '../../../../plugins/health/orderer-link/index.js';
import type { FailedChecks, SourceReadings } from '../../../../core/contract/index.js';
import type { DetailedPart } from '../../../../core/contract/internal/index.js';
import type { ChannelResponses } from '../../../../core/contract/internal/index.js';
import { checkOptions } from '../../../../core/host/load.js';
import { addConsenter, setMsp } from '../../../../translator/edit/index.js';
import { configBlock } from '../../../helpers/migration.js';
import {
  fakeReadings,
  publishedIn,
  startChecker,
  type CheckerParts,
  type StartedChecker,
} from '../../../helpers/checker.js';
import { declaration } from '../../../helpers/agent.js';
import { FactStore } from '../../../../core/nodes/index.js';
import { certificateOf, IDENTITIES } from '../../../helpers/channel-vectors.js';
import { blockNaming } from '../../../helpers/first-block.js';
import { temporaryFolder } from '../../../helpers/folder.js';
import { freePort } from '../../../helpers/free-port.js';
import { frame, grpcServer, respond } from '../../../helpers/grpc-server.js';
import { makeCertificate, type Made } from '../../../helpers/made-certificates.js';
import { PATIENCE } from '../../../helpers/patience.js';
import { listeningOrderer, type ListeningOrderer } from '../../../helpers/stand-in-orderer.js';
import { emptyBlock, peerLedgers, type PeerLedgers } from '../../../helpers/stored-ledger.js';
import { until } from '../../../helpers/until.js';

type Options = Parameters<typeof ordererLink.create>[0]['options'];

/** The MSP directory of a peer. */
function mspOf(t: ExecutionContext): string {
  const folder = temporaryFolder(t);
  for (const [name, text] of [
    ['signcerts', certificateOf('Org1/admin')],
    ['keystore', IDENTITIES['Org1/admin']!.key],
  ] as const) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'file.pem'), text);
  }
  return folder;
}

const optionsFor = (t: ExecutionContext, directory: string): Options => ({
  ledger: directory,
  mspid: 'Org1MSP',
  msp: mspOf(t),
  certificate: '',
  key: '',
  tls: false,
  tlsCert: '',
  tlsKey: '',
  overrides: [],
  hasOwnNetwork: false,
  network: [],
  interval: 100,
  timeout: PATIENCE,
  maxLag: 10,
  lagTimeout: 0,
});

/** A peer with one channel, and its orderers that have the same blocks. */
interface Stage {
  readonly ledgers: PeerLedgers;
  readonly orderers: readonly ListeningOrderer[];
  readonly options: Options;
  readonly start: (options?: Partial<Options>, parts?: CheckerParts) => Promise<StartedChecker>;
}

async function stage(t: ExecutionContext, count: number): Promise<Stage> {
  const orderers = await Promise.all(Array.from({ length: count }, async () => listeningOrderer(t)));
  const block = blockNaming(orderers.map(({ address }) => address));
  for (const orderer of orderers) orderer.blocks = [block];
  const ledgers = peerLedgers(t);
  ledgers.append('ch1', block);
  const options = optionsFor(t, ledgers.directory);
  const start: Stage['start'] = async (changed, parts) =>
    startChecker(t, ordererLink, { ...options, ...changed }, parts);
  return { ledgers, orderers, options, start };
}

const FORBIDDEN = 403;
const REFUSED = 'forbidden: the identity is not valid for the channel, or may not read it (403)';
const same =
  (expected: object) =>
  async (checker: StartedChecker): Promise<boolean> =>
    JSON.stringify(await checker.check()) === JSON.stringify(expected);

test('a peer is healthy if all orderers serve it, and each orderer gets one request for each interval', async (t) => {
  const { orderers, start } = await stage(t, 2);
  const { check, series } = await start({ interval: 3_600_000 });
  t.deepEqual(await check(), {});
  t.deepEqual(await check(), {});
  t.deepEqual(
    orderers.map((each) => each.requests()),
    [1, 1],
  );
  const up = await series('orderer_link_up');
  t.deepEqual(Object.values(up), [1, 1]);
  t.deepEqual(Object.values(await series('orderer_link_channel_height')), [1]);
  t.deepEqual(Object.values(await series('orderer_link_lag')), [0]);
});

test('one orderer that refuses is a warning with the words of the orderer, and ends by itself', async (t) => {
  const { orderers, start } = await stage(t, 2);
  const [, second] = orderers;
  second!.refusal = FORBIDDEN;
  const checker = await start();
  t.deepEqual(await checker.check(), {
    ch1: `1 of 2 orderers serve this peer: ${second!.address}: ${REFUSED}`,
  });
  second!.refusal = undefined;
  await until(async () => same({})(checker));
  t.pass();
});

test('all orderers that refuse this peer are critical', async (t) => {
  const { orderers, start } = await stage(t, 2);
  for (const orderer of orderers) orderer.refusal = FORBIDDEN;
  const { checker } = await start();
  const error = await t.throwsAsync(async () => checker.check(new AbortController().signal));
  const why = orderers.map(({ address }) => `${address}: ${REFUSED}`).join('; ');
  t.like(error, {
    parts: [
      {
        component: 'ch1',
        severity: 'critical',
        reason: `all 2 orderers refuse this peer, which gets no blocks: ${why}`,
      },
    ],
  });
});

for (const [what, block, expected] of [
  ['an older block of another node', -1, 'critical'],
  ['a newer block of another node', 1, undefined],
] as const)
  test(`orderers that refuse a peer while ${what} is in maintenance are ${expected ?? 'no failure'}`, async (t) => {
    const { orderers, start } = await stage(t, 2);
    for (const orderer of orderers) orderer.refusal = FORBIDDEN;
    const facts = new FactStore();
    const config = { channel: 'ch1', block, consensus: 'etcdraft', consenters: [], maintenance: {} };
    facts.of('orderer1/channel-config', 'orderer1').publish('consenters', [config]);
    const { check, severities } = await start({}, { node: 'peer0', facts });
    await check();
    t.is(severities()['ch1'], expected);
  });

test('orderers that refuse a peer whose ledger is in maintenance are no failure', async (t) => {
  const { ledgers, start } = await stage(t, 1);
  const orderer = await listeningOrderer(t);
  orderer.refusal = FORBIDDEN;
  ledgers.remove('ch1');
  ledgers.append('ch1', blockNaming([orderer.address], configBlock(2).config));
  const { check } = await start({}, { node: 'peer0' });
  t.deepEqual(await check(), {});
});

test('a refused reader identity gives no information about the peer, and needs no file of the peer', async (t) => {
  const { orderers, start, options } = await stage(t, 1);
  const [orderer] = orderers;
  orderer!.refusal = FORBIDDEN;
  const reader = {
    certificate: join(options.msp, 'signcerts/file.pem'),
    key: join(options.msp, 'keystore/file.pem'),
  };
  const { checker } = await start({ msp: '', ...reader });
  const error = await t.throwsAsync(async () => checker.check(new AbortController().signal));
  t.like(error, {
    parts: [
      {
        component: 'ch1',
        severity: 'warning',
        reason: `the only orderer refuses the identity of options.certificate, so it is unknown whether they serve the peer: ${orderer!.address}: ${REFUSED}`,
      },
    ],
  });
});

test('orderers that cannot be reached, or do not respond, are critical', async (t) => {
  const { ledgers, start } = await stage(t, 1);
  const closed = `127.0.0.1:${await freePort()}`;
  const frozen = await listeningOrderer(t);
  frozen.refusal = 'silent';
  ledgers.remove('ch1');
  ledgers.append('ch2', blockNaming([closed, frozen.address]));
  const { check } = await start({ timeout: 3_000, interval: 60_000 });
  t.deepEqual(await check(), {
    ch2: `none of 2 orderers serves this peer, which gets no blocks: ${closed}: connection refused; ${frozen.address}: no response within 3 s`,
  });
});

test('the responses of the orderers are recorded for the peer, and none once requests cannot be signed', async (t) => {
  // Nothing listens there.
  const consenter = `127.0.0.1:${await freePort()}`;
  const tls = makeCertificate({ commonName: 'consenter' }).pem;
  const { config } = addConsenter(configBlock(0).config, { address: consenter, tls });
  const orderers = await Promise.all(Array.from({ length: 5 }, async () => listeningOrderer(t)));
  const block = blockNaming([...orderers.map(({ address }) => address), consenter], config);
  const statuses = [undefined, FORBIDDEN, 503, 404, 'silent'] as const;
  for (const [index, orderer] of orderers.entries()) {
    orderer.blocks = [block];
    orderer.refusal = statuses[index];
  }
  const ledgers = peerLedgers(t);
  ledgers.append('ch1', block);
  const facts = new FactStore();
  const recorded = publishedIn(facts, 'responses');
  const options = { ...optionsFor(t, ledgers.directory), timeout: 3_000 };
  const { check } = await startChecker(t, ordererLink, options, { facts });
  await check();
  const [[channel]] = recorded as [[ChannelResponses]];
  t.is(channel.channel, 'ch1');
  t.deepEqual(
    channel.responses.map((each) => [each.address, each.consenter, each.state]),
    [
      [orderers[0]!.address, undefined, 'alive'],
      [orderers[1]!.address, undefined, 'alive'],
      [orderers[2]!.address, undefined, 'unavailable'],
      [orderers[3]!.address, undefined, 'no-channel'],
      [orderers[4]!.address, undefined, 'silent'],
      [consenter, consenter, 'silent'],
    ],
  );
  rmSync(join(options.msp, 'keystore/file.pem'));
  await until(async () => recorded.at(-1)!.length === 0);
});

test('an address override that does not work is critical for the peer, and gives no information about the consenter', async (t) => {
  const { orderers, start } = await stage(t, 1);
  const { address } = orderers[0]!;
  const closed = `127.0.0.1:${await freePort()}`;
  const facts = new FactStore();
  const recorded = publishedIn(facts, 'responses');
  const overrides = [{ from: address, to: closed }];
  const { checker } = await start({ overrides }, { facts });
  const error = await t.throwsAsync(async () => checker.check(new AbortController().signal));
  const reason = `the only orderer does not serve this peer, which gets no blocks: ${closed}, which addressOverrides uses instead of ${address}: connection refused`;
  t.like(error, { parts: [{ component: 'ch1', severity: 'critical', reason }] });
  t.is(recorded[0]?.[0]?.responses[0]?.state, 'unknown');
  t.is(orderers[0]!.requests(), 0);
});

test('one of several address overrides that does not work is a warning that the verdict of the channel does not explain', async (t) => {
  const { orderers, start } = await stage(t, 2);
  const closed = `127.0.0.1:${await freePort()}`;
  const { checker } = await start({ overrides: [{ from: orderers[0]!.address, to: closed }] });
  const error = await t.throwsAsync<FailedChecks>(async () => checker.check(new AbortController().signal));
  const [part] = error.parts as readonly DetailedPart[];
  t.regex(part!.reason, /^1 of 2 orderers serve this peer: .*, which addressOverrides uses instead of /);
  t.deepEqual([part!.severity, part!.follows], ['warning', undefined]);
});

for (const [what, refusal] of [
  ['served the peer', undefined],
  ['refused the peer', FORBIDDEN],
] as const)
  test(`an address override that ${what} once gives information about the consenter when it does not respond`, async (t) => {
    const ledgers = peerLedgers(t);
    const orderer = await listeningOrderer(t);
    const block = blockNaming(['orderer.invalid:7050']);
    orderer.blocks = [block];
    orderer.refusal = refusal;
    ledgers.append('ch1', block);
    const facts = new FactStore();
    const recorded = publishedIn(facts, 'responses');
    const overrides = [{ from: 'orderer.invalid:7050', to: orderer.address }];
    const options = { ...optionsFor(t, ledgers.directory), overrides, timeout: 1_000 };
    await startChecker(t, ordererLink, options, { facts });
    const stateNow = (): string | undefined => recorded.at(-1)?.[0]?.responses[0]?.state;
    await until(() => stateNow() === 'alive');
    orderer.refusal = 'silent';
    await until(() => stateNow() === 'silent');
    t.pass();
  });

test('an orderer gets the request at the address that the peer uses, with the last override of its address', async (t) => {
  const ledgers = peerLedgers(t);
  const orderer = await listeningOrderer(t);
  const block = blockNaming(['orderer.invalid:7050']);
  orderer.blocks = [block];
  ledgers.append('ch1', block);
  const overrides = [
    { from: 'orderer.invalid:7050', to: 'other.invalid:7050' },
    { from: 'orderer.invalid:7050', to: orderer.address, caCertsFile: '' },
  ];
  const options = { ...optionsFor(t, ledgers.directory), overrides };
  const { check } = await startChecker(t, ordererLink, options);
  t.deepEqual(await check(), {});
});

for (const [what, content] of [
  ['that does not exist', undefined],
  ['without a certificate', 'no certificate'],
] as const)
  test(`an address override with a caCertsFile ${what} has no effect, as for the peer`, async (t) => {
    const { orderers, start } = await stage(t, 1);
    const caCertsFile = join(temporaryFolder(t), 'ca.pem');
    if (content !== undefined) writeFileSync(caCertsFile, content);
    const overrides = [{ from: orderers[0]!.address, to: `127.0.0.1:${await freePort()}`, caCertsFile }];
    const { check } = await start({ overrides });
    t.deepEqual(await check(), {});
  });

/** A peer in a container whose channel names two orderers of its network; the first one listens at another address of this host. */
async function containerStage(t: ExecutionContext): Promise<{ orderer: ListeningOrderer; options: Options }> {
  const ledgers = peerLedgers(t);
  const orderer = await listeningOrderer(t);
  const block = blockNaming(['orderer1.invalid:7050', 'orderer2.invalid:7050']);
  orderer.blocks = [block];
  ledgers.append('ch1', block);
  return { orderer, options: { ...optionsFor(t, ledgers.directory), hasOwnNetwork: true } };
}

test('an orderer in the network of the container of the peer gets the request at its address on this host, and another one is not judged', async (t) => {
  const { orderer, options } = await containerStage(t);
  const network = [{ from: 'orderer1.invalid:7050', to: orderer.address }];
  const { check } = await startChecker(t, ordererLink, { ...options, network });
  t.deepEqual(await check(), {});
  t.is(orderer.requests(), 1);
});

test('without an address on this host of any orderer it is unknown whether they serve a peer in a container', async (t) => {
  const { options } = await containerStage(t);
  const { checker } = await startChecker(t, ordererLink, options);
  const error = await t.throwsAsync(async () => checker.check(new AbortController().signal));
  const reason =
    'it is unknown whether the orderers serve this peer: these addresses are in the network of its container, where the agent is not: orderer1.invalid:7050, orderer2.invalid:7050; name these orderers with --node and --node-env, or run the agent in this network';
  t.like(error, { parts: [{ component: 'ch1', severity: 'warning', reason }] });
});

test('an orderer of the network of a container that fails is named beside those that are not judged, which have no series', async (t) => {
  const { orderer, options } = await containerStage(t);
  orderer.refusal = FORBIDDEN;
  const network = [{ from: 'orderer1.invalid:7050', to: orderer.address }];
  const { check, series } = await startChecker(t, ordererLink, { ...options, network });
  t.true((await check())['ch1']?.endsWith(`in this network; orderer1.invalid:7050: ${REFUSED}`));
  t.deepEqual(Object.values(await series('orderer_link_up')), [0]);
});

test('an address override with CAs that only the peer may be able to read cannot be checked', async (t) => {
  const { orderers, start } = await stage(t, 1);
  // Not a file, for the user that runs the tests may be one who can read everything.
  const caCertsFile = temporaryFolder(t);
  const { checker } = await start({ overrides: [{ from: orderers[0]!.address, to: 'o:1', caCertsFile }] });
  await t.throwsAsync(async () => checker.check(new AbortController().signal), {
    code: 'CHECK_WARNING',
    message: new RegExp(`^cannot be checked: ${caCertsFile}: `),
  });
});

test('the log of the peer says why its ledger does not grow', async (t) => {
  const { orderers, start } = await stage(t, 1);
  const [orderer] = orderers;
  orderer!.blocks = [...orderer!.blocks, emptyBlock(1n)];
  const line = (channel: string, to: string): string =>
    `2026-11-26 05:13:41.151 UTC 0073 WARN [peer.blocksprovider] FetchBlocks -> Could not connect to ordering service: could not dial endpoint '${to}' channel=${channel}`;
  const readings: SourceReadings = {
    ...fakeReadings(new Map()),
    logLines: async (source) =>
      source === 'peer0' ? [line('ch1', 'a:1'), line('ch1', 'b:1'), line('ch10', 'c:1'), 'WARN other'] : [],
  };
  const checker = await start({}, { node: 'peer0', readings });
  await until(
    same({
      ch1: "the ledger does not grow and is 1 blocks behind: it has 1 blocks, the orderers have 2; the log of the peer has: Could not connect to ordering service: could not dial endpoint 'b:1' channel=ch1",
    }).bind(undefined, checker),
  );
  t.pass();
});

test('the log of a peer that is not behind is not read', async (t) => {
  const { start } = await stage(t, 1);
  let reads = 0;
  const readings: SourceReadings = {
    ...fakeReadings(new Map()),
    logLines: async () => {
      reads += 1;
      return [];
    },
  };
  const { check } = await start({}, { node: 'peer0', readings });
  t.deepEqual(await check(), {});
  t.is(reads, 0);
});

test('an orderer that listens again is found again at the next interval', async (t) => {
  const ledgers = peerLedgers(t);
  const orderer = await listeningOrderer(t);
  ledgers.append('ch1', blockNaming([orderer.address]));
  orderer.refusal = 'silent';
  const checker = await startChecker(t, ordererLink, { ...optionsFor(t, ledgers.directory), timeout: 200 });
  t.deepEqual(Object.keys(await checker.check()), ['ch1']);
  orderer.blocks = [blockNaming([orderer.address])];
  orderer.refusal = undefined;
  await until(async () => same({})(checker));
  t.pass();
});

for (const [what, refusal, isReopened] of [
  ['responds is used again', undefined, false],
  ['refuses is used again', FORBIDDEN, false],
  ['does not respond is reopened', 'silent', true],
] as const)
  test(`the connection to an orderer that ${what} in the next round`, async (t) => {
    const { orderers, start } = await stage(t, 1);
    const [orderer] = orderers;
    orderer!.refusal = refusal;
    await start({ timeout: isReopened ? 200 : PATIENCE });
    await until(() => orderer!.requests() > 1);
    t.is(orderer!.connections() > 1, isReopened);
  });

test('a ledger that is behind the orderers and does not grow is a warning', async (t) => {
  const { ledgers, orderers, start } = await stage(t, 1);
  const [orderer] = orderers;
  orderer!.blocks = [...orderer!.blocks, emptyBlock(1n), emptyBlock(2n)];
  const checker = await start();
  const behind = {
    ch1: 'the ledger does not grow and is 2 blocks behind: it has 1 blocks, the orderers have 3',
  };
  await until(async () => same(behind)(checker));
  t.deepEqual(Object.values(await checker.series('orderer_link_lag')), [2]);
  ledgers.append('ch1', emptyBlock(1n), emptyBlock(2n));
  await until(async () => same({})(checker));
  t.deepEqual(Object.values(await checker.series('orderer_link_lag')), [0]);
});

test('the series of a channel end with its ledger', async (t) => {
  const { ledgers, start } = await stage(t, 1);
  const { check, series } = await start();
  t.deepEqual(await check(), {});
  t.is(Object.keys(await series('orderer_link_up')).length, 1);
  ledgers.remove('ch1');
  await until(async () => Object.keys(await series('orderer_link_up')).length === 0);
  t.deepEqual(await series('orderer_link_lag'), {});
});

test('a key of the peer that is not there is a warning, which says what needs none', async (t) => {
  const { start, options } = await stage(t, 1);
  rmSync(join(options.msp, 'keystore/file.pem'));
  const { checker } = await start();
  await t.throwsAsync(async () => checker.check(new AbortController().signal), {
    code: 'CHECK_WARNING',
    message: `cannot be checked: ${options.msp}: keystore is empty; the private key of the certificate is needed; a reader identity needs no file of the peer: options.mspid, certificate and key`,
  });
});

test('a ledger that is damaged is a warning of its channel', async (t) => {
  const { ledgers, orderers, start } = await stage(t, 1);
  ledgers.append('ch0', emptyBlock(0n));
  const { check } = await start();
  const reasons = await check();
  t.deepEqual(Object.keys(reasons), ['ch0']);
  await until(() => orderers[0]!.requests() > 2);
  t.deepEqual(await check(), reasons, 'also in later rounds');
});

/** A peer with one channel, and its orderer, which requires TLS client certificates of its own CA. */
async function tlsStage(t: ExecutionContext) {
  const ca = makeCertificate({ commonName: 'tlsca' });
  const keyOf = ({ key }: Made): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();
  const server = makeCertificate({ commonName: 'orderer', issuer: ca, names: ['IP:127.0.0.1'] });
  const tls = { cert: server.pem, key: keyOf(server), ca: ca.pem, requestCert: true };
  const orderer = await listeningOrderer(t, { ...tls, rejectUnauthorized: true });
  const files = {
    roots: [makeCertificate({ commonName: 'ca' }).pem],
    intermediates: [],
    admins: [],
    revocationLists: [],
    tlsRoots: [ca.pem],
    tlsIntermediates: [],
    units: [],
    nodeOus: undefined,
  };
  const { config } = setMsp(configBlock(0).config, 'OrdererMSP', { files }, 'Orderer');
  const block = blockNaming([orderer.address], config);
  orderer.blocks = [block];
  const ledgers = peerLedgers(t);
  ledgers.append('ch1', block);
  const folder = temporaryFolder(t);
  const [tlsCert, tlsKey] = [join(folder, 'client.pem'), join(folder, 'client.key')];
  /** Gives the peer a client certificate. */
  const issue = (issuer = ca): void => {
    const client = makeCertificate({ commonName: 'peer0', issuer });
    writeFileSync(tlsCert, client.pem);
    writeFileSync(tlsKey, keyOf(client));
  };
  issue();
  const options = { ...optionsFor(t, ledgers.directory), tls: true, tlsCert, tlsKey };
  const start: Stage['start'] = async (changed, parts) =>
    startChecker(t, ordererLink, { ...options, ...changed }, parts);
  return { orderer, tlsCert, tlsKey, issue, start };
}

test('with TLS the CAs of the channel are trusted, and the client certificate of the peer is sent', async (t) => {
  const { orderer, start } = await tlsStage(t);
  const { check } = await start();
  t.deepEqual(await check(), {});
  await until(() => orderer.requests() > 2);
  t.is(orderer.connections(), 1);
});

test('a renewed client certificate is used in the next round, and the former connection is closed', async (t) => {
  const { orderer, issue, start } = await tlsStage(t);
  const { check } = await start();
  t.deepEqual(await check(), {});
  issue();
  await until(() => orderer.connections() === 2 && orderer.openConnections() === 1);
  t.deepEqual(await check(), {});
});

test('a client certificate of a CA that no orderer trusts is a warning until the restart of the peer, which uses the former one', async (t) => {
  const { orderer, issue, start, tlsCert } = await tlsStage(t);
  const known = new Map([['peer0', { families: [], startTime: 1 }]]);
  const checker = await start({}, { node: 'peer0', readings: fakeReadings(known) });
  t.deepEqual(await checker.check(), {});
  issue(makeCertificate({ commonName: 'another tlsca' }));
  await until(async () => '' in (await checker.check()));
  t.deepEqual(await checker.check(), {
    '': `no orderer accepts the TLS client certificate in ${tlsCert}, which was changed; this agent uses the former one, as the peer does until its restart: let the orderers trust the new one before it`,
  });
  t.deepEqual(checker.severities(), { '': 'warning' });
  const requests = orderer.requests();
  await until(() => orderer.requests() > requests + 1);
  known.set('peer0', { families: [], startTime: 2 });
  await until(async () => 'ch1' in (await checker.check()));
  t.deepEqual(checker.severities(), { ch1: 'critical' });
  issue();
  await until(async () => same({})(checker));
});

test('a checker that stops closes its connections, and opens no others', async (t) => {
  const { orderer, start } = await tlsStage(t);
  const { check, checker } = await start();
  t.deepEqual(await check(), {});
  t.is(orderer.openConnections(), 1);
  await checker.stop?.();
  await until(() => orderer.openConnections() === 0);
  // Two rounds of another checker take longer than one of the stopped checker would.
  const requests = orderer.requests();
  await start();
  await until(() => orderer.requests() > requests + 2);
  t.is(orderer.connections(), 2);
});

for (const [what, changed, reason] of [
  [
    'without a client certificate',
    { tlsCert: '', tlsKey: '' },
    'it requires a client certificate that it trusts',
  ],
  [
    'without TLS',
    { tls: false },
    'it closed the connection, probably because it uses TLS; see `options.tls`',
  ],
] as const)
  test(`a peer ${what} gets nothing from an orderer that requires it`, async (t) => {
    const { orderer, start } = await tlsStage(t);
    const { check } = await start(changed);
    t.deepEqual(await check(), {
      ch1: `the only orderer does not serve this peer, which gets no blocks: ${orderer.address}: ${reason}`,
    });
  });

for (const option of ['tlsCert', 'tlsKey'] as const)
  test(`a file of ${option} that is missing is a warning with its path`, async (t) => {
    const peer = await tlsStage(t);
    rmSync(peer[option]);
    const { check, severities } = await peer.start();
    t.deepEqual(await check(), {
      '': `cannot be checked: ${peer[option]}: no such file; a reader identity needs no file of the peer: options.mspid, certificate and key`,
    });
    t.deepEqual(severities(), { '': 'warning' });
  });

for (const [what, option, content, problem] of [
  ['a client certificate that is none', 'tlsCert', 'x', 'CERT: contains no certificate'],
  ['a private key that is none', 'tlsKey', 'x', 'KEY: contains no private key, or an encrypted one'],
  [
    'a private key of another certificate',
    'tlsKey',
    IDENTITIES['Org1/admin']!.key,
    'KEY does not belong to CERT',
  ],
] as const)
  test(`${what} is a warning that names the file`, async (t) => {
    const peer = await tlsStage(t);
    writeFileSync(peer[option], content);
    const { check, severities } = await peer.start();
    const named = problem.replace('KEY', peer.tlsKey).replace('CERT', peer.tlsCert);
    t.deepEqual(await check(), {
      '': `cannot be checked: ${named}; a reader identity needs no file of the peer: options.mspid, certificate and key`,
    });
    t.deepEqual(severities(), { '': 'warning' });
  });

test('a response that is no block is a failure of its orderer, and the connection is opened again', async (t) => {
  const { address, opened, requests } = await grpcServer(t, respond(frame(0xff)));
  const place = `127.0.0.1:${address.port}`;
  const ledgers = peerLedgers(t);
  ledgers.append('ch1', blockNaming([place]));
  const facts = new FactStore();
  const recorded = publishedIn(facts, 'responses');
  const options = optionsFor(t, ledgers.directory);
  const { check } = await startChecker(t, ordererLink, options, { facts });
  t.deepEqual(await check(), {
    ch1: `the only orderer does not serve this peer, which gets no blocks: ${place}: proto: cannot parse invalid wire-format data`,
  });
  t.is(recorded[0]![0]!.responses[0]!.state, 'unknown');
  await until(() => requests.length > 1);
  t.true(opened() > 1);
});

test('a certificate of a reader identity that is larger than 1 MiB is a warning', async (t) => {
  const { start } = await stage(t, 1);
  const certificate = join(temporaryFolder(t), 'reader.pem');
  writeFileSync(certificate, ' '.repeat(1024 * 1024 + 1));
  const { check } = await start({ msp: '', certificate, key: certificate });
  t.deepEqual(await check(), {
    '': `cannot be checked: ${certificate}: it is larger than 1048576 bytes`,
  });
});

for (const [changed, message] of [
  [{ ledger: '' }, 'options.ledger: must be set'],
  [{ mspid: '' }, 'options.mspid: must be set'],
  [{ msp: '' }, 'options.msp or options.certificate must be set'],
  [{ certificate: '/c.pem' }, 'options.certificate and options.key must be set together'],
  [{ tlsKey: '/k.pem' }, 'options.tlsCert and options.tlsKey must be set together'],
  [{ interval: 1 }, 'options.interval: must be from 100ms to 1h'],
  [{ timeout: 3_600_001 }, 'options.timeout: must be from 100ms to 1h'],
  [{ maxLag: -1 }, 'options.maxLag: must not be negative'],
] as const)
  test(`orderer-link refuses ${JSON.stringify(changed)}`, async (t) => {
    const options = { ...optionsFor(t, '/ledger'), ...changed };
    await t.throwsAsync(startChecker(t, ordererLink, options), { message });
  });

for (const [overrides, isValid] of [
  [[], true],
  [[{ from: 'o1:7050', to: 'o2:7050' }], true],
  [[{ from: 'o1:7050', to: 'o2:7050', caCertsFile: '/ca.pem' }], true],
  [[{ from: 'o1:7050', to: 'o2:7050' }, null], false],
  [[{ from: 'o1:7050' }], false],
  [[{ to: 'o1:7050' }], false],
  [[{ from: 'o1:7050', to: 'o2:7050', caCertsFile: 7 }], false],
  ['o1:7050', false],
] as const)
  test(`the option overrides ${JSON.stringify(overrides)} is ${isValid ? 'valid' : 'refused'}`, (t) => {
    const given = { ledger: '/l', mspid: 'Org1MSP', msp: '/msp', overrides };
    const { problems } = checkOptions(ordererLink, declaration({ plugin: 'orderer-link', options: given }));
    t.deepEqual(
      problems,
      isValid
        ? []
        : [
            `test.yaml:1: plugins[0]: plugin orderer-link: options.overrides: must be a list such as [{from: HOST:PORT, to: HOST:PORT, caCertsFile: FILE}]: value was ${JSON.stringify(overrides)}`,
          ],
    );
  });
