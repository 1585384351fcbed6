// `/nodes`: the data from the readings, the failed checks and the nodes themselves.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import test from 'ava';
import { LeveledLoggers, type SourceState } from '../../../core/contract/index.js';
import { channelsOf } from '../../../core/nodes/channels.js';
import { createNodeClient, createVersionReader, readVersion } from '../../../core/nodes/client.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { FabricNode, Nodes } from '../../../core/nodes/node.js';
import { stopClock, stopTimeouts } from '../../helpers/clock.js';
import {
  channelGauge,
  fetchEndpoint,
  send,
  startNodesServer,
  startStandInNode,
} from '../../helpers/stand-in-node.js';
import { until } from '../../helpers/until.js';

const list = async (url: string): Promise<unknown> => (await fetch(`${url}/nodes`)).json();
const READ_AT = Date.UTC(2026, 10, 22);
const up = (
  families: Parameters<typeof channelsOf>[0]['families'],
  startTime = 1,
): Omit<SourceState, 'name'> => ({
  isUp: true,
  readAt: READ_AT,
  reading: { startTime, families },
});

/** The version of a node, without the limit on the wait, for a busy machine. */
const versionOf = (url: string): ReturnType<typeof createVersionReader> =>
  createVersionReader(createNodeClient('peer0', fetchEndpoint(url)), 50_000);

test('an agent without nodes has an empty list', async (t) => {
  const { url } = await startNodesServer(t, []);
  t.deepEqual(await list(url), { nodes: [], warnings: [] });
});

test('nodes have their version, failed checks, last reading and channels', async (t) => {
  const [peer, orderer] = [await startStandInNode(t), await startStandInNode(t)];
  orderer.version = 'v2.5.12';
  const { url, failedChecks, warnings } = await startNodesServer(t, [
    {
      name: 'peer0',
      endpoint: fetchEndpoint(peer.url),
      state: () => up([channelGauge('ledger_blockchain_height', { ch2: 7, ch1: 37 })]),
    },
    {
      name: 'orderer',
      endpoint: fetchEndpoint(orderer.url, 'orderer'),
      state: () => ({
        ...up([
          channelGauge('consensus_etcdraft_is_leader', { ch1: 1 }),
          channelGauge('consensus_etcdraft_cluster_size', { ch1: 3 }),
          channelGauge('consensus_etcdraft_active_nodes', { ch1: 2 }),
        ]),
        restarts: [READ_AT, READ_AT],
      }),
    },
  ]);
  warnings.push(
    { component: 'docker', reason: 'of no node' },
    { component: 'peer0/disk/ledger', reason: '5.1 GiB of 40.0 GiB are free' },
  );
  failedChecks.push(
    { component: 'docker', reason: 'not of a node' },
    { component: 'peer0/couchdb', reason: 'connection refused' },
    { component: 'peer01', reason: 'another node' },
  );
  // On a busy machine the versions may arrive too late for the first list.
  await until(async () => JSON.stringify(await list(url)).split('"version"').length === 3);
  t.deepEqual(await list(url), {
    nodes: [
      {
        name: 'peer0',
        kind: 'peer',
        up: true,
        state: 'ailing',
        version: 'v3.0.0',
        healthy: false,
        failed_checks: [{ component: 'peer0/couchdb', reason: 'connection refused' }],
        warnings: [{ component: 'peer0/disk/ledger', reason: '5.1 GiB of 40.0 GiB are free' }],
        started_at: '1970-01-01T00:00:01.000Z',
        restarts_last_hour: 0,
        last_reading: '2026-11-22T00:00:00.000Z',
        channels: [
          { name: 'ch1', height: 37 },
          { name: 'ch2', height: 7 },
        ],
        past: [],
      },
      {
        name: 'orderer',
        kind: 'orderer',
        up: true,
        state: 'up',
        version: 'v2.5.12',
        healthy: true,
        failed_checks: [],
        warnings: [],
        started_at: '1970-01-01T00:00:01.000Z',
        restarts_last_hour: 2,
        last_reading: '2026-11-22T00:00:00.000Z',
        channels: [
          {
            name: 'ch1',
            consensus: { type: 'etcdraft', is_leader: true, cluster_size: 3, active_nodes: 2 },
          },
        ],
        past: [],
      },
    ],
    warnings: [{ component: 'docker', reason: 'of no node' }],
  });
});

for (const [what, isUp, components, isShown] of [
  ['is down', false, [], true],
  ['is up and reports a failed check', true, ['peer0/couchdb'], true],
  ['is up and fails in its disk and in a channel', true, ['peer0/disk/ledger', 'peer0/consensus/ch1'], true],
  ['is up and fails only in files', true, ['peer0/disk/ledger', 'peer0/disk/msp'], false],
  ['is healthy', true, [], false],
] as const)
  test(`a node that ${what}: its log is ${isShown ? 'shown' : 'not shown'}`, async (t) => {
    const node = await startStandInNode(t);
    const file = join(temporaryFolder(t, { log: 'WARN a' }), 'log');
    const { url, failedChecks } = await startNodesServer(t, [
      {
        name: 'peer0',
        endpoint: fetchEndpoint(node.url),
        settings: { log: { file } },
        state: () => (isUp ? up([]) : { isUp, reason: 'connection refused' }),
      },
    ]);
    failedChecks.push(...components.map((component) => ({ component, reason: 'x' })));
    const { nodes } = (await list(url)) as { readonly nodes: readonly { readonly log?: unknown }[] };
    t.deepEqual(nodes[0]?.log, isShown ? { source: file, lines: ['WARN a'], last: 'WARN a' } : undefined);
  });

test('a node that is down has the reason and the time of the last reading, and whether it refuses connections', async (t) => {
  const node = await startStandInNode(t);
  const state = { isUp: false, isRefused: true, readAt: READ_AT, reason: 'connect ECONNREFUSED' } as const;
  const { url } = await startNodesServer(t, [
    { name: 'peer0', endpoint: fetchEndpoint(node.url), state: () => state },
  ]);
  t.deepEqual(await list(url), {
    nodes: [
      {
        name: 'peer0',
        kind: 'peer',
        up: false,
        state: 'down',
        past: [],
        reason: 'connect ECONNREFUSED',
        refused: true,
        healthy: false,
        failed_checks: [],
        warnings: [],
        restarts_last_hour: 0,
        last_reading: '2026-11-22T00:00:00.000Z',
        channels: [],
      },
    ],
    warnings: [],
  });
  t.deepEqual(node.received, []);
});

test('a node that was not read yet is down', async (t) => {
  const { url } = await startNodesServer(t, [
    { name: 'peer0', endpoint: fetchEndpoint('http://127.0.0.1:1') },
  ]);
  t.like(await list(url), { nodes: [{ up: false, reason: 'not read yet' }] });
});

test('a node without metrics is down while its own check fails', async (t) => {
  const node = await startStandInNode(t);
  const { url, failedChecks } = await startNodesServer(t, [
    { name: 'peer0', endpoint: { ...fetchEndpoint(node.url), metrics: false }, state: () => up([]) },
  ]);
  failedChecks.push({ component: 'peer0/docker', reason: 'stopped' });
  t.like(await list(url), { nodes: [{ up: true, healthy: false }] });
  failedChecks.push({ component: 'peer0', reason: 'connection refused' });
  t.like(await list(url), { nodes: [{ up: false, reason: 'connection refused' }] });
});

/** States of a node that cannot be shown. */
const UNSHOWABLE: readonly (readonly [what: string, state: Omit<SourceState, 'name'>, shown: object])[] = [
  ['that started at 9e15', up([], 9e15), { name: 'odd', up: true }],
  ['that was read at NaN', { ...up([]), readAt: NaN }, { name: 'odd', up: true }],
  [
    'whose families throw',
    {
      isUp: true,
      reading: {
        get families(): never {
          throw new Error('odd families');
        },
      },
    },
    { name: 'odd', up: false, reason: 'the state of the node cannot be shown: odd families' },
  ],
];
for (const [what, state, shown] of UNSHOWABLE)
  test(`a node ${what} leaves the other nodes in the list`, async (t) => {
    const node = await startStandInNode(t);
    const { url } = await startNodesServer(t, [
      { name: 'odd', endpoint: fetchEndpoint(node.url), state: () => state },
      { name: 'peer0', endpoint: fetchEndpoint(node.url), state: () => up([]) },
    ]);
    t.like(await list(url), { nodes: [shown, { name: 'peer0', up: true }] });
  });

test('the channels of BFT have the id of the leader', (t) => {
  const families = [
    channelGauge('consensus_BFT_is_leader', { ch1: 0 }),
    channelGauge('consensus_BFT_leader_id', { ch1: 2 }),
    channelGauge('consensus_BFT_cluster_size', { ch1: 4 }),
    channelGauge('consensus_BFT_committed_block_number', { ch1: 9 }),
  ];
  t.deepEqual(channelsOf({ families }, []), [
    { name: 'ch1', consensus: { type: 'BFT', is_leader: false, leader_id: 2, cluster_size: 4 } },
  ]);
});

test('heights that no channel can have, and names that are too long, are omitted', (t) => {
  const long = 'c'.repeat(250);
  const families = [
    channelGauge('ledger_blockchain_height', { negative: -1, fraction: 1.5, huge: 1e308, [long]: 1, ch1: 2 }),
  ];
  t.deepEqual(channelsOf({ families }, []), [{ name: 'ch1', height: 2 }]);
});

test('of more than 1000 channels the first ones are listed', (t) => {
  const heights = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`c${index}`, index]));
  t.is(channelsOf({ families: [channelGauge('ledger_blockchain_height', heights)] }, []).length, 1000);
});

test('values that are not numbers and channels with special names are harmless', (t) => {
  const families = [
    channelGauge('ledger_blockchain_height', {
      nan: Number.NaN,
      inf: Number.POSITIVE_INFINITY,
      constructor: 1,
    }),
    channelGauge('ledger_blockchain_height', JSON.parse('{"__proto__":2}') as Record<string, number>),
  ];
  t.deepEqual(channelsOf({ families }, []), [
    { name: '__proto__', height: 2 },
    { name: 'constructor', height: 1 },
  ]);
});

test('a removed channel has no other members', (t) => {
  const families = [channelGauge('ledger_blockchain_height', { b: 1 })];
  t.deepEqual(channelsOf({ families }, ['a', 'c']), [
    { name: 'a', removed: true },
    { name: 'b', height: 1 },
    { name: 'c', removed: true },
  ]);
});

test('the version is requested once, and again after a restart of the node', async (t) => {
  const node = await startStandInNode(t);
  const version = versionOf(node.url);
  const state = (startTime: number): SourceState => ({ name: 'peer0', ...up([], startTime) });
  t.is(await version(state(1)), 'v3.0.0');
  node.version = 'v3.1.0';
  t.is(await version(state(1)), 'v3.0.0');
  t.is(await version(state(2)), 'v3.1.0');
  t.is(node.received.length, 2);
});

test('the version is requested again after the node was down', async (t) => {
  const node = await startStandInNode(t);
  const version = versionOf(node.url);
  const state: SourceState = { name: 'peer0', isUp: true };
  t.is(await version(state), 'v3.0.0');
  node.version = 'v3.1.0';
  t.is(await version({ ...state, isUp: false }), 'v3.0.0');
  t.is(await version(state), 'v3.1.0');
});

for (const [what, body] of Object.entries({
  'not JSON': 'x',
  'no object': '[]',
  'without a version': '{}',
  'a version that is a number': '{"Version":3}',
  'too large': `{"x":"${'x'.repeat(1024 * 1024)}","Version":"v3.0.0"}`,
})) {
  test(`a response to /version that is ${what} gives no version, and is not requested again at once`, async (t) => {
    const node = await startStandInNode(t);
    node.override = (_, response) => void response.end(body);
    const version = versionOf(node.url);
    t.is(await version({ name: 'peer0', isUp: true }), undefined);
    t.is(await version({ name: 'peer0', isUp: true }), undefined);
    t.is(node.received.length, 1);
  });
}

test('concurrent requests share one request for the version', async (t) => {
  const node = await startStandInNode(t);
  const { url } = await startNodesServer(t, [
    { name: 'peer0', endpoint: fetchEndpoint(node.url), state: () => up([]) },
  ]);
  await Promise.all(Array.from({ length: 20 }, () => list(url)));
  t.is(node.received.length, 1);
});

test('the versions of a node that has restarted are known if both were read and differ', async (t) => {
  const peer = await startStandInNode(t);
  const node = new FabricNode(
    { name: 'peer0', kind: 'peer' },
    fetchEndpoint(peer.url),
    new LeveledLoggers({ write: () => undefined }).logger('nodes'),
  );
  const found: unknown[] = [];
  for (const version of ['v2.5.16', 'v2.5.16', 'v3.1.5', undefined, 'v3.2.0']) {
    peer.version = version as string;
    found.push(await node.started());
  }
  t.deepEqual(found, [
    undefined,
    undefined,
    { before: 'v2.5.16', now: 'v3.1.5' },
    undefined,
    { before: 'v3.1.5', now: 'v3.2.0' },
  ]);
});

test('a node that is down keeps the channels of its last reading, which are stale, until it is read again', async (t) => {
  const peer = await startStandInNode(t);
  let state = up([channelGauge('ledger_blockchain_height', { ch1: 7 })]);
  const { url } = await startNodesServer(t, [
    { name: 'peer0', endpoint: fetchEndpoint(peer.url), state: () => state },
  ]);
  const channels = async (): Promise<readonly object[]> => {
    const { nodes } = (await list(url)) as { nodes: { channels: object[] }[] };
    return nodes[0]?.channels ?? [];
  };
  const [channel] = await channels();
  t.like(channel, { name: 'ch1', height: 7 });
  t.false('stale' in channel!);
  state = { isUp: false, readAt: READ_AT, reason: 'connection refused' };
  t.deepEqual(await channels(), [{ ...channel, stale: true }]);
  t.deepEqual(await channels(), [{ ...channel, stale: true }]);
  state = up([channelGauge('ledger_blockchain_height', { ch1: 7 })]);
  t.deepEqual(await channels(), [channel]);
  state = up([]);
  t.deepEqual(await channels(), []);
});

for (const [what, state, failed, shown] of [
  ['that was not read yet', { isUp: false }, undefined, 'unknown'],
  ['whose check fails before the first reading', { isUp: false }, {}, 'down'],
  ['whose check is late before the first reading', { isUp: false }, { isLate: true }, 'silent'],
  [
    'whose reading is late',
    { isUp: false, reason: 'x', isLate: true, failure: 'other' },
    undefined,
    'silent',
  ],
  ['whose reading timed out', { isUp: false, reason: 'x', failure: 'timeout' }, undefined, 'silent'],
  [
    'whose reading and check are late',
    { isUp: false, reason: 'x', failure: 'tls' },
    { isLate: true },
    'silent',
  ],
  ['that is unreachable', { isUp: false, reason: 'x', failure: 'unreachable' }, undefined, 'down'],
  [
    'with a name that was never resolved',
    { isUp: false, reason: 'x', failure: 'unreachable', isUnresolved: true },
    {},
    'unresolved',
  ],
  ['that sends no metrics', { isUp: false, reason: 'x', failure: 'invalid' }, undefined, 'unreadable'],
  ['whose reading failed without a kind', { isUp: false, reason: 'x' }, undefined, 'down'],
  ['that is up although its check fails', { isUp: true }, {}, 'ailing'],
  ['that is up', { isUp: true }, undefined, 'up'],
] as const)
  test(`the state of a node ${what} is ${shown}`, async (t) => {
    const node = await startStandInNode(t);
    const { url, failedChecks } = await startNodesServer(t, [
      { name: 'peer0', endpoint: fetchEndpoint(node.url), state: () => state },
    ]);
    if (failed !== undefined) failedChecks.push({ component: 'peer0', reason: 'down', ...failed });
    t.like(await list(url), { nodes: [{ state: shown, up: state.isUp }] });
  });

/** A node of these settings, without a server. */
const nodeWith = (settings: object, url = 'http://127.0.0.1:1'): FabricNode =>
  new FabricNode(
    { name: 'peer0', kind: 'peer', ...settings },
    fetchEndpoint(url),
    new LeveledLoggers({ write: () => undefined }).logger('nodes'),
  );

test('a node that is down because a signal stopped it is restarting, one that is up is not', async (t) => {
  const health = { failedChecks: [], warnings: [], past: [], isRestarting: true };
  const node = nodeWith({ address: { host: '::1', port: 9443 } });
  const down = await node.describe({ name: 'peer0', isUp: false }, health, () => false);
  t.deepEqual([down.restarting, down.address], [true, '[::1]:9443']);
  const other = await node.describe(
    { name: 'peer0', isUp: false },
    { ...health, isRestarting: false },
    () => false,
  );
  t.is(other.restarting, undefined);
  const again = await node.describe({ name: 'peer0', isUp: true }, health, () => false);
  t.deepEqual([again.restarting, again.reason, again.refused], [undefined, undefined, undefined]);
});

for (const [log, state, expected] of [
  ['INFO a\n', { isUp: false, reason: 'x', failure: 'unreachable' }, 'changed'],
  ['panic: no space left on device\n', { isUp: false, reason: 'x', failure: 'unreachable' }, 'down'],
  ['INFO a\n', { isUp: false, reason: 'x', failure: 'timeout' }, 'silent'],
  ['INFO a\n', { isUp: true }, 'up'],
] as const)
  test(`the state of a node is ${expected} after its file was changed, with ${JSON.stringify({ log, state })}`, async (t) => {
    const folder = temporaryFolder(t, { log, 'core.yaml': 'a' });
    const config = join(folder, 'core.yaml');
    const node = nodeWith({ log: { file: join(folder, 'log') }, files: [config] });
    const health = { failedChecks: [], warnings: [], past: [], isRestarting: false };
    const describe = async (): Promise<string | undefined> =>
      (await node.describe({ name: 'peer0', ...state }, health, () => false)).state;
    t.not(await describe(), 'changed');
    writeFileSync(config, 'other');
    t.is(await describe(), expected);
  });

test('the log of a node is known by its settings: its lines, its end, and its unchanged text', async (t) => {
  const text = 'INFO a\nWARN b\nINFO Received signal: 15 (terminated)\n';
  const file = join(temporaryFolder(t, { log: text }), 'log');
  const node = nodeWith({ log: { file } });
  t.deepEqual(await node.logLines(), ['WARN b']);
  t.is(await node.processEnd(), 'stopped');
  t.deepEqual([node.log?.source, await node.log?.read()], [file, text]);
  const other = nodeWith({});
  t.deepEqual([await other.logLines(), await other.processEnd(), other.log], [[], undefined, undefined]);
  t.is(nodeWith({ log: { unit: 'peer.service' } }).log?.source, 'journal of peer.service');
});

test('a node that a signal stops and that starts again has been stopped, until its new process is up; an older check run is about the process before', async (t) => {
  const start = (second: number): string =>
    `2026-11-26 19:46:0${second}.000 UTC 0001 INFO [x] serve -> Starting peer:\n`;
  const file = join(temporaryFolder(t, { log: start(1) }), 'log');
  const node = nodeWith({ log: { file } });
  await node.started();
  const observedAt = performance.now();
  t.is(await node.processEnd(observedAt), 'killed');
  writeFileSync(file, `INFO Received signal: 15 (terminated)\n${start(2)}`, { flag: 'a' });
  t.is(await node.processEnd(observedAt), 'stopped');
  await node.started();
  t.is(await node.processEnd(observedAt), 'returned');
  t.is(await node.processEnd(performance.now()), 'killed');
  const health = { failedChecks: [], warnings: [], past: [], isRestarting: false };
  t.true((await node.describe({ name: 'peer0', isUp: true }, health, () => false)).restarting);
  t.is((await node.describe({ name: 'peer0', isUp: false }, health, () => false)).restarting, undefined);
  await node.started();
  t.is(await node.processEnd(observedAt), 'killed');
  t.is((await node.describe({ name: 'peer0', isUp: true }, health, () => false)).restarting, undefined);
});

test('failures and warnings belong to the node with the longest name, and others to none', async (t) => {
  const nodes = new Nodes([], new LeveledLoggers({ write: () => undefined }).logger('nodes'));
  for (const name of ['peer1', 'peer10', 'peer1/a'])
    nodes.add({
      name,
      origin: 'x',
      plugin: { read: async () => ({ families: [] }), node: { kind: 'peer', request: async () => t.fail() } },
      requireRunning: () => undefined,
    });
  const components = ['peer1', 'peer1/disk', 'peer10/disk', 'peer1/a', 'peer1/a/disk', 'peer100', 'a/peer1'];
  const checks = components.map((component) => ({ component, reason: 'x' }));
  const found = await nodes.describe({
    states: async () => [],
    report: async () => ({ failedChecks: checks, warnings: checks }),
    pastOf: () => [],
    isRestarting: () => false,
    checksFiles: () => true,
  });
  const namesOf = (checked: readonly { readonly component: string }[]): string[] =>
    checked.map(({ component }) => component);
  t.deepEqual(
    found.nodes.map((node) => [node.name, namesOf(node.failed_checks), namesOf(node.warnings)]),
    [
      ['peer1', ['peer1', 'peer1/disk'], ['peer1', 'peer1/disk']],
      ['peer10', ['peer10/disk'], ['peer10/disk']],
      ['peer1/a', ['peer1/a', 'peer1/a/disk'], ['peer1/a', 'peer1/a/disk']],
    ],
  );
  t.deepEqual(namesOf(found.warnings), ['peer100', 'a/peer1']);
});

test('without a logging specification there is no level to watch', (t) => {
  const node = nodeWith({ logging: false });
  t.is(node.level, undefined);
  t.notThrows(node.watchLevel({ register: () => t.fail() }));
});

test('a name in a message has at most 100 characters, and a source that reads no node adds none', (t) => {
  const nodes = new Nodes([], new LeveledLoggers({ write: () => undefined }).logger('nodes'));
  nodes.add({
    name: 'database',
    origin: 'x',
    plugin: { read: async () => ({ families: [] }) },
    requireRunning: () => undefined,
  });
  t.deepEqual(nodes.names, []);
  t.throws(() => nodes.find('x'.repeat(101)), {
    code: 'NODE_UNKNOWN',
    message: `unknown node '${'x'.repeat(100)}'; the agent has no nodes`,
  });
});

test('a version has at most 100 characters, in a document of at most 512 KiB', async (t) => {
  const node = await startStandInNode(t);
  const client = createNodeClient('peer0', fetchEndpoint(node.url));
  node.version = 'v'.repeat(101);
  t.is(await readVersion(client), 'v'.repeat(100));
  for (const [size, version] of [
    [512 * 1024, 'v3.0.0'],
    [512 * 1024 + 1, undefined],
  ] as const) {
    node.override = (_, response) => void response.end('{"Version":"v3.0.0"}'.padEnd(size));
    t.is(await readVersion(client), version);
  }
  for (const [body, status] of [
    ['{"Version":"v3.0.0"}', 201],
    ['null', 200],
    [`{"Version":"v3.0.0","x":${'['.repeat(64)}${']'.repeat(64)}}`, 200],
    ['"Version"', 200],
  ] as const) {
    node.override = (_, response) => send(response, status, {}, body);
    t.is(await readVersion(client), undefined, body);
  }
});

test.serial('the version is requested again after 5 minutes, an unknown one after 10 s', async (t) => {
  const clock = stopClock(t);
  const node = await startStandInNode(t);
  const version = versionOf(node.url);
  const state: SourceState = { name: 'peer0', isUp: true };
  const requests = async (): Promise<number> => {
    await version(state);
    return node.received.length;
  };
  t.is(await requests(), 1);
  clock.tick(299_999);
  t.is(await requests(), 1);
  node.override = (_, response) => send(response, 500);
  clock.tick(1);
  t.is(await requests(), 2);
  clock.tick(9_999);
  t.is(await requests(), 2);
  clock.tick(1);
  t.is(await requests(), 3);
});

for (const [path, minTimeout, seconds] of [
  ['/version', 0, 5],
  ['/version', 4_000, 5],
  ['/version', 6_000, 6],
  ['/logspec', undefined, 5],
  ['/metrics', undefined, 10],
  ['/healthz', undefined, 35],
] as const)
  test.serial(
    `the response to ${path} may take ${seconds} s if its caller waits for ${minTimeout ?? 'no'} ms`,
    async (t) => {
      const clock = stopTimeouts(t);
      const client = createNodeClient('peer0', { request: () => new Promise(() => undefined) });
      let isOver = false;
      const late = t
        .throwsAsync(client.request({ method: 'GET', path }, minTimeout), {
          code: 'NODE_UNREACHABLE',
          message: `node peer0 is unreachable: the response took longer than ${seconds}s`,
        })
        .then(() => (isOver = true));
      clock.tick(1000 * seconds - 1);
      await nextTurn();
      t.false(isOver);
      clock.tick(1);
      await late;
    },
  );
