// The checkers that --node declares, with real nodes: certificates, consensus and height.

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { NEW_CHANNEL_WAL, WAL_SEGMENT } from '../../plugins/health/disk/raft-wal.js';
import { TestCa } from '../helpers/certificates.js';
import { temporaryFolder } from '../helpers/folder.js';
import { runProgram, startProgram, urlOf } from '../helpers/program.js';
import { check, eventually } from './daemon.js';
import { startBeside } from './fabric/agent.js';
import { failedChecks, metricsOf, send, type Endpoint } from './fabric/endpoint.js';
import { CHANNEL, extendCertificates, genesisBlock } from './fabric/network-files.js';
import { startNetwork, startOrderer } from './fabric/network.js';
import { addBlock } from './fabric/traffic.js';
import { job, startPrometheus } from './prometheus.js';

const RULES = readFileSync('config/deploy/prometheus/node-alerts.yaml', 'utf8');

/** Waits until exactly these components fail; returns their reasons. */
const untilFailed = (agent: Endpoint, ...components: readonly string[]): Promise<Record<string, string>> =>
  eventually(async () => {
    const { failed } = await failedChecks(agent);
    check(Object.keys(failed).join() === components.join(), JSON.stringify(failed));
    return failed;
  });

/** Waits until these components of a node have warnings, and nothing fails; returns their reasons. That the agent is late on a busy machine does not count. */
const untilWarned = (agent: Endpoint, ...components: readonly string[]): Promise<Record<string, string>> =>
  eventually(async () => {
    const { nodes, warnings } = JSON.parse((await send(agent, '/nodes')).body) as {
      nodes: { warnings: Reason[] }[];
      warnings: Reason[];
    };
    const found = [...warnings, ...nodes.flatMap((node) => node.warnings)].filter(
      ({ component }) => component !== 'agent',
    );
    const all = Object.fromEntries(found.map(({ component, reason }) => [component, reason]));
    check(Object.keys(all).join() === components.join(), JSON.stringify(all));
    check((await send(agent, '/healthz')).status === 200, '/healthz is not 200');
    check((await send(agent, '/readyz')).status === 200, '/readyz is not 200');
    return all;
  });

/** The bytes that the files of a directory take. */
const allocatedIn = (directory: string): number =>
  readdirSync(directory)
    .map((name) => 512 * statSync(join(directory, name)).blocks)
    .reduce((sum, each) => sum + each, 0);

interface Reason {
  readonly component: string;
  readonly reason: string;
}

test.serial(
  'an expired signing certificate of an orderer is critical, and the former one is healthy again',
  async (t) => {
    const { orderers } = await startNetwork(t);
    const [orderer] = orderers;
    const agent = await startBeside(t, [orderer]);
    await untilFailed(agent);
    const metrics = await metricsOf(agent);
    for (const kind of ['signing', 'ca', 'tls', 'tls_ca'])
      t.regex(metrics, new RegExp(`x509_cert_not_after\\{.*kind="${kind}"`), kind);
    t.regex(metrics, new RegExp(`fabric_ops_agent_participation_channel_height\\{.*channel="${CHANNEL}"`));
    t.regex(metrics, /fabric_ops_agent_disk_free_bytes\{path="/);
    const wal = join(orderer.directory, 'data/wal');
    t.true(
      metrics.includes(
        `fabric_ops_agent_disk_wal_needed_bytes{path="${wal}"} ${WAL_SEGMENT + NEW_CHANNEL_WAL}\n`,
      ),
    );
    t.is(allocatedIn(join(wal, CHANNEL)), NEW_CHANNEL_WAL);
    const { stdout } = await runProgram(t, ['status', '--all', '--url', agent.url]);
    t.regex(stdout, /^ *CN=orderer1\.example\.com .* in \d+ days /m);

    const directory = temporaryFolder(t);
    const expired = new TestCa(directory, 'other').issue('expired', undefined, [
      '20200101000000Z',
      '20200201000000Z',
    ]);
    const folder = join(orderer.identity.msp, 'signcerts');
    const [name = ''] = readdirSync(folder);
    const file = join(folder, name);
    copyFileSync(file, join(directory, 'former.pem'));
    copyFileSync(expired.cert, file);
    const component = `orderer/certificates/msp/signcerts/${name}`;
    const { [component]: reason = '' } = await untilFailed(agent, component);
    t.regex(
      reason,
      /^CN=expired expired on 2020-02-01T00:00:00Z, \d+ days ago: other orderers send it no blocks, and it will not start again \(\/.*\)$/,
    );
    // Scrapes of the same second get the same text.
    await sleep(1_100);
    t.regex(await metricsOf(agent), /x509_cert_expired\{.*CN=expired".*\} 1\n/);

    const prometheus = await startPrometheus(t, [job('fabric-ops-agent', agent.url)], RULES);
    const alert = 'ALERTS{alertname="FabricNodeCertificateExpired",alertstate="firing"}';
    await eventually(async () => check((await prometheus.query(alert)) === '1', 'the alert does not fire'));

    copyFileSync(join(directory, 'former.pem'), file);
    await untilWarned(agent);
    await sleep(1_100);
    t.false((await metricsOf(agent)).includes('CN=expired'));
  },
);

test.serial(
  'two of three orderers die: the consensus of the channel fails, and recovers with one of them',
  async (t) => {
    const { orderers } = await startNetwork(t, { orderers: 3 });
    const [first, second, third] = orderers;
    const quick = { plugin: 'consensus', name: 'orderer/quick', options: { leaderTimeout: '3s' } };
    const agent = await startBeside(t, [first], { plugins: [quick] });
    await untilFailed(agent);
    await third?.stop('SIGKILL');
    await eventually(async () =>
      check(
        (await metricsOf(agent)).includes(`consensus_etcdraft_active_nodes{channel="${CHANNEL}"} 2`),
        'not two active nodes',
      ),
    );
    t.is((await send(agent, '/healthz')).status, 200);
    await second?.stop('SIGKILL');
    const component = `orderer/quick/${CHANNEL}`;
    const { [component]: reason = '' } = await untilFailed(agent, component);
    t.regex(
      reason,
      /^(1 of 3 orderers are active; the channel needs 2|the orderer knows no raft leader), for \d+s$/,
    );
    await second?.start();
    await untilFailed(agent);
  },
);

test.serial('a peer that receives no blocks needs attention until it receives them', async (t) => {
  const network = await startNetwork(t);
  const [peer] = network.peers;
  const quick = { plugin: 'height', name: `${peer.name}/quick`, options: { timeout: '3s' } };
  const agent = await startBeside(t, [peer, network.orderers[0]], { plugins: [quick] });
  await untilFailed(agent);
  await peer.stop();
  // Neither leader of its organisation nor a candidate: it does not connect to the orderer.
  await peer.start({ CORE_PEER_GOSSIP_ORGLEADER: 'false', CORE_PEER_GOSSIP_USELEADERELECTION: 'false' });
  const height = await addBlock(network);
  const component = `${peer.name}/quick/${CHANNEL}`;
  const { [component]: reason } = await untilWarned(agent, component);
  t.is(reason, `the ledger does not grow: it has ${height - 1} blocks, orderer has ${height}`);
  await peer.stop();
  await peer.start({ CORE_PEER_GOSSIP_ORGLEADER: 'true' });
  await untilWarned(agent);
});

test.serial('a channel that an orderer joins and leaves appears and disappears', async (t) => {
  const network = await startNetwork(t);
  const { directory, tools } = network;
  extendCertificates(tools, directory, { orderers: 2, organisations: 1 });
  const { node, join: joinChannel, remove } = await startOrderer(t, network, 2);
  const agent = await startBeside(t, [node]);
  const untilListed = (isListed: boolean): Promise<void> =>
    eventually(async () => {
      const series = new RegExp(`fabric_ops_agent_participation_channel_height\\{.*channel="${CHANNEL}"`);
      check(series.test(await metricsOf(agent)) === isListed, `${CHANNEL} is listed: not ${isListed}`);
    });
  await untilListed(false);
  await joinChannel(genesisBlock(directory));
  await untilListed(true);
  t.is((await send(agent, '/healthz')).status, 200);
  const relayed = new RegExp(`^(?!fabric_ops_agent_).*channel="${CHANNEL}"`, 'm');
  t.regex(await metricsOf(agent), relayed);
  await remove();
  await untilListed(false);
  // The orderer itself still shows the channel.
  t.regex((await send(agent, '/nodes/orderer/metrics')).body, relayed);
  // A reading that was made while the checker asked has the series until the next check.
  await eventually(async () => check(!relayed.test(await metricsOf(agent)), 'the channel is relayed'));
  const { nodes } = JSON.parse((await send(agent, '/nodes')).body) as { nodes: { channels: unknown }[] };
  t.deepEqual(nodes[0]?.channels, [{ name: CHANNEL, removed: true }]);
  const { stdout } = await runProgram(t, ['status', '--all', '--url', agent.url]);
  t.regex(stdout, new RegExp(`^${CHANNEL} +orderer +- +removed$`, 'm'));
  await joinChannel(genesisBlock(directory));
  await untilListed(true);
  t.regex(await metricsOf(agent), relayed);
});

test.serial('a file system that fills up fails, and recovers when files are removed', async (t) => {
  const [peer] = (await startNetwork(t)).peers;
  const mounted = join(temporaryFolder(t), 'mounted');
  mkdirSync(mounted);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', mounted]);
  t.teardown(() => execFileSync('umount', [mounted]));
  const small = {
    plugin: 'disk',
    name: 'small',
    options: { paths: [mounted], minimum: '50%', warning: '50%' },
  };
  const agent = await startBeside(t, [peer], { plugins: [small] });
  await untilFailed(agent);
  writeFileSync(join(mounted, 'blocks'), Buffer.alloc(700 * 1024));
  const component = 'small/mounted';
  const { [component]: reason } = await untilFailed(agent, component);
  t.is(reason, `324.0 KiB of 1.0 MiB are free; the minimum is 50% (${mounted})`);
  rmSync(join(mounted, 'blocks'));
  await untilFailed(agent);
});

test.serial(
  'a file system that fills slowly is a warning before it is full, and a burst does not warn',
  async (t) => {
    const directory = temporaryFolder(t);
    const options = { paths: [directory], fullWithin: '30m', shortestTrend: '4s', longestTrend: '20s' };
    const settings = {
      operations: { listenAddress: '127.0.0.1:0' },
      health: { interval: '500ms' },
      plugins: [{ plugin: 'prometheus' }, { plugin: 'disk', options }],
    };
    const own = temporaryFolder(t, { 'agent.yaml': JSON.stringify(settings) });
    const program = startProgram(t, ['start', '--config', join(own, 'agent.yaml')], {
      under: [
        'unshare',
        '--mount',
        'sh',
        '-c',
        'mount -t tmpfs -o size=256m tmpfs "$0" && exec "$@"',
        directory,
      ],
    });
    const agent = { url: await urlOf(program) };
    // The file system is mounted for the agent only.
    const inside = `/proc/${program.child.pid}/root${directory}`;
    writeFileSync(join(inside, 'burst'), Buffer.alloc(60 * 2 ** 20));
    await eventually(async () =>
      check(/disk_growth_bytes_per_day\{.*\} 0\n/.test(await metricsOf(agent)), 'the growth is not 0'),
    );
    await untilWarned(agent);

    let written = 0;
    const writer = setInterval(() => {
      written += 1;
      writeFileSync(join(inside, `slow${written}`), Buffer.alloc(2 ** 17));
    }, 250);
    t.teardown(() => clearInterval(writer));
    const component = `disk/${basename(directory)}`;
    const { [component]: reason = '' } = await untilWarned(agent, component);
    clearInterval(writer);
    t.regex(
      reason,
      /^full in \d+ minutes?: 19\d\.\d MiB of 256\.0 MiB are free, and it grows by \d+\.\d GiB a day; sooner than 30 minutes is a warning \(/,
    );
    t.regex(await metricsOf(agent), /fabric_ops_agent_disk_seconds_until_full\{path=/);
    await untilWarned(agent);
  },
);
