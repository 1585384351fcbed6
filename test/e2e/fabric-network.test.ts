// The networks that the other tests use, without the agent.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { temporaryFolder } from '../helpers/folder.js';
import { check, eventually } from './daemon.js';
import { fabricBuckets, statsdVariables } from './fabric/buckets.js';
import { COUNTERS, compareTotals } from './fabric/counters.js';
import { metricsOf, putSpec, send } from './fabric/endpoint.js';
import { compareRelay, fabricSeries, seriesOf } from './fabric/exposition.js';
import { startNetwork } from './fabric/network.js';
import { CHANNEL } from './fabric/network-files.js';
import { findFabric, NEWEST } from './fabric/programs.js';
import { addBlock, sendProposals } from './fabric/traffic.js';
import { prepareStatsd } from './recording-statsd.js';

const HEIGHT = `ledger_blockchain_height{channel="${CHANNEL}"}`;

for (const version of NEWEST) {
  for (const operationsTls of [false, true]) {
    const how = operationsTls ? 'with mutual TLS' : 'without TLS';
    test.serial(`nodes of ${version} serve metrics and health ${how} and add blocks`, async (t) => {
      const start = performance.now();
      const network = await startNetwork(t, { version, operationsTls });
      t.log(`started in ${Math.round(performance.now() - start)} ms`);
      const nodes = [...network.orderers, ...network.peers];
      for (const { operations, name } of nodes) {
        t.like(JSON.parse((await send(operations, '/healthz')).body), { status: 'OK' }, name);
        t.like(JSON.parse((await send(operations, '/version')).body), { Version: version }, name);
      }
      const height = await addBlock(network);
      t.is(height, 2);
      const [peer] = network.peers;
      await eventually(async () => {
        const found = seriesOf(await metricsOf(peer.operations)).get(HEIGHT);
        check(found === height, `the height is ${found}`);
      });
      sendProposals(network, 1);
      t.true((seriesOf(await metricsOf(peer.operations)).get('endorser_proposals_received') ?? 0) > 0);
      if (operationsTls) {
        const { url, tls = {} } = peer.operations;
        const anonymous = { url, tls: { ca: tls.ca } };
        t.is((await send(anonymous, '/metrics')).status, 401);
      }
    });
  }
}

test.serial(
  'a node that is killed starts again with its data, and keeps its address and its log',
  async (t) => {
    const network = await startNetwork(t);
    const height = await addBlock(network);
    for (const node of [network.orderers[0], network.peers[0]]) {
      await node.stop('SIGKILL');
      await t.throwsAsync(send(node.operations, '/healthz'), { code: 'ECONNREFUSED' });
      const before = node.log().length;
      await node.start();
      t.true(node.log().length > before);
    }
    t.is(await addBlock(network), height + 1);
  },
);

test.serial('three orderers elect a leader, and two organisations have a peer each', async (t) => {
  const network = await startNetwork(t, { orderers: 3, organisations: 2 });
  await addBlock(network);
  const isLeader = `consensus_etcdraft_is_leader{channel="${CHANNEL}"}`;
  const leaders = await eventually(async () => {
    const values = await Promise.all(
      network.orderers.map(async ({ operations }) => seriesOf(await metricsOf(operations)).get(isLeader)),
    );
    check(values.includes(1), `leaders: ${values.join(', ')}`);
    return values;
  });
  t.deepEqual(
    leaders.toSorted((a = 0, b = 0) => a - b),
    [0, 0, 1],
  );
  for (const { operations, name } of network.peers) {
    await eventually(async () =>
      check(seriesOf(await metricsOf(operations)).get(HEIGHT) === 2, `${name} has no block yet`),
    );
    t.like(JSON.parse((await send(operations, '/healthz')).body), { status: 'OK' }, name);
  }
});

test.serial(
  'nodes with provider statsd send the counters that the tests count, by their names there',
  async (t) => {
    const network = await startNetwork(t);
    const nodes = [network.orderers[0], network.peers[0]];
    const statsd = await prepareStatsd(t);
    await statsd.start();
    await addBlock(network);
    sendProposals(network, 1);
    const counted = new Map<string, number>();
    for (const node of nodes) {
      await eventually(async () => {
        const values = seriesOf(await metricsOf(node.operations));
        for (const { series } of COUNTERS[node.kind])
          check((values.get(series) ?? 0) > 0, `${series} counts nothing`);
      });
      await node.stop();
      await node.start(statsdVariables(node.kind, statsd.port, node.name));
      for (const { bucket } of COUNTERS[node.kind])
        counted.set(
          `${node.name}.${bucket}`,
          bucket.startsWith('endorser') || bucket.includes('Endorser') ? 2 : 1,
        );
    }
    await addBlock(network);
    sendProposals(network, 1);
    const compare = (): string[] => compareTotals(counted, statsd.recorded().counters);
    await eventually(async () => check(compare().length === 0, compare().join('\n')));
    await eventually(async () => {
      const { length } = fabricBuckets(statsd.recorded());
      check(length > 60, `${length} buckets`);
    });
    t.deepEqual(compareTotals(new Map([['absent', 1]]), statsd.recorded().counters), [
      'absent: counted 1, pushed 0',
    ]);
  },
);

test.serial('the log level of a node changes its output', async (t) => {
  const { peers } = await startNetwork(t);
  const [peer] = peers;
  t.notRegex(peer.log(), / DEBU/);
  t.is((await putSpec(peer.operations, 'debug')).status, 204);
  await eventually(async () => check(/ DEBU/.test(peer.log()), 'no debug line'));
});

test.serial(
  'a comparison of the metrics of a node with themselves finds no difference, and finds changes',
  async (t) => {
    const { orderers } = await startNetwork(t);
    const [{ operations }] = orderers;
    const [before, relayed, after] = [
      seriesOf(await metricsOf(operations)),
      seriesOf(await metricsOf(operations)),
      seriesOf(await metricsOf(operations)),
    ];
    t.deepEqual(compareRelay(before, relayed, after), []);
    const fabric = fabricSeries(before);
    t.true(fabric.size > 20, `${fabric.size} series`);
    const height = `ledger_blockchain_height{channel="${CHANNEL}"}`;
    t.deepEqual(compareRelay(fabric, new Map([...relayed, [height, 99]]), after), [
      `${height} is 99, on the node 1 and then 1`,
    ]);
    t.is(compareRelay(fabric, new Map(), after).length, fabric.size);
  },
);

test('programs are found in FABRIC_BIN, else unpacked once, else the error says where to get them', (t) => {
  const directory = temporaryFolder(t);
  const [archives, cache, bin] = ['archives', 'cache', 'release/bin'].map((name) =>
    join(directory, name),
  ) as [string, string, string];
  const places = { environment: {}, archives, cache };
  t.throws(() => findFabric('v2.5.16', places), {
    message: `no programs of Fabric v2.5.16: set FABRIC_BIN_2_5 to the directory of the programs, or put v2.5.16.tar.gz into ${archives}; they are in hyperledger-fabric-<platform>-2.5.16.tar.gz of https://github.com/hyperledger/fabric/releases/tag/v2.5.16`,
  });

  mkdirSync(bin, { recursive: true });
  const environment = { FABRIC_BIN_2_5: bin };
  t.throws(() => findFabric('v2.5.16', { ...places, environment }), {
    message: 'no orderer, peer of Fabric v2.5.16 in FABRIC_BIN_2_5',
  });
  for (const program of ['orderer', 'peer']) writeFileSync(join(bin, program), '');
  const config = join(directory, 'release/config');
  t.throws(() => findFabric('v2.5.16', { ...places, environment }), {
    message: `no sample configuration of Fabric v2.5.16 in FABRIC_BIN_2_5: no ${config}`,
  });
  mkdirSync(config);
  t.deepEqual(findFabric('v2.5.16', { ...places, environment }), { bin, config });

  mkdirSync(join(directory, 'fabric-v2.5.16'));
  mkdirSync(archives);
  execFileSync('cp', ['-r', bin, config, join(directory, 'fabric-v2.5.16')]);
  execFileSync('tar', ['-C', directory, '-czf', join(archives, 'v2.5.16.tar.gz'), 'fabric-v2.5.16']);
  const unpacked = findFabric('v2.5.16', places);
  t.is(unpacked.bin, join(cache, 'fabric-v2.5.16/bin'));
  t.true(existsSync(join(unpacked.bin, 'orderer')));
  writeFileSync(join(archives, 'v2.5.16.tar.gz'), 'not read again');
  t.deepEqual(findFabric('v2.5.16', places), unpacked);
  t.deepEqual(readdirSync(cache), ['fabric-v2.5.16']);
});
