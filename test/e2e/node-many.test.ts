// One agent beside two peers and an orderer: /nodes, status, labels, prefixes, and log levels.

import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { runProgram, type Outcome } from '../helpers/program.js';
import { check, eventually } from './daemon.js';
import { nameOf, startBeside, startYounger, type NodeAgent } from './fabric/agent.js';
import { failedChecks, metricsOf, putSpec, send, type Endpoint } from './fabric/endpoint.js';
import { compareRelay, seriesOf, withLabel } from './fabric/exposition.js';
import { startNetwork, type FabricNetwork } from './fabric/network.js';
import { CHANNEL } from './fabric/network-files.js';
import type { FabricNode } from './fabric/node.js';
import { addBlock, sendProposals } from './fabric/traffic.js';
import { prepareStatsd } from './recording-statsd.js';

/** How long the agent uses a reading, and a bit. */
const READING = 1_200;
const HEIGHT = `ledger_blockchain_height{channel="${CHANNEL}"}`;

/** An entry of /nodes, as far as the tests read it. */
interface ListedNode {
  readonly name: string;
  readonly kind: string;
  readonly up: boolean;
  readonly reason?: string;
  readonly version?: string;
  readonly healthy: boolean;
  readonly last_reading?: string;
  readonly channels: readonly { readonly name: string; readonly height?: number }[];
}

const start = async (t: ExecutionContext): Promise<{ network: FabricNetwork; nodes: FabricNode[] }> => {
  const network = await startNetwork(t, { organisations: 2 });
  return { network, nodes: [...network.peers, network.orderers[0]] };
};

async function nodesOf(agent: Endpoint): Promise<readonly ListedNode[]> {
  const { status, body } = await send(agent, '/nodes');
  check(status === 200, `/nodes is ${status}: ${body}`);
  return (JSON.parse(body) as { nodes: readonly ListedNode[] }).nodes;
}

const status = (t: ExecutionContext, { url }: Endpoint, ...args: string[]): Promise<Outcome> =>
  runProgram(t, ['status', '--url', url, ...args]);

test.serial('/nodes and status show every node, and which one is down', async (t) => {
  const { network, nodes } = await start(t);
  const agent = await startBeside(t, nodes);
  const height = await addBlock(network);
  const listed = await eventually(async () => {
    const found = await nodesOf(agent);
    for (const { name, channels } of found)
      check(channels[0]?.height === height, `${name} is at ${channels[0]?.height}`);
    return found;
  });
  t.like(listed, {
    length: 3,
    0: { name: 'peer1', kind: 'peer', up: true, healthy: true, version: 'v3.1.5' },
    1: { name: 'peer2', kind: 'peer', up: true, healthy: true, version: 'v3.1.5' },
    2: { name: 'orderer', kind: 'orderer', up: true, healthy: true, version: 'v3.1.5' },
  });
  t.deepEqual(
    listed.map(({ channels }) => channels.map(({ name }) => name)),
    [[CHANNEL], [CHANNEL], [CHANNEL]],
  );
  for (const { last_reading: read = '' } of listed) t.true(Math.abs(Date.now() - Date.parse(read)) < 30_000);

  const good = await status(t, agent);
  t.is(good.status, 0, good.stdout + good.stderr);
  for (const name of ['peer1', 'peer2', 'orderer', CHANNEL]) t.true(good.stdout.includes(name), good.stdout);

  await nodes[1]?.stop('SIGKILL');
  await eventually(async () => check((await failedChecks(agent)).status === 503, '/healthz is not 503'));
  t.deepEqual(Object.keys((await failedChecks(agent)).failed), ['peer2']);
  t.is((await send(agent, '/readyz')).status, 200);
  const [, second] = await eventually(async () => {
    const found = await nodesOf(agent);
    check(found[1]?.up === false, 'peer2 is up');
    return found;
  });
  t.like(second, {
    name: 'peer2',
    up: false,
    state: 'down',
    healthy: false,
    channels: [{ name: CHANNEL, height, stale: true }],
  });
  t.regex(second?.reason ?? '', /refused/);

  const bad = await status(t, agent);
  t.is(bad.status, 1);
  t.regex(bad.stdout, /peer2.*\bdown\b/i);
  const json = await status(t, agent, '--json');
  t.is(json.status, 1);
  t.notThrows(() => JSON.parse(json.stdout) as unknown);
  t.true(json.stdout.includes('"peer2"'));
});

test.serial('the series of each node have the label node, and its buckets its prefix', async (t) => {
  const { network, nodes } = await start(t);
  const statsd = await prepareStatsd(t);
  await statsd.start();
  for (const node of nodes) await node.stop();
  const agent = await startBeside(t, nodes, { statsd: { port: statsd.port, prefix: 'net' } });
  await startYounger(...nodes);
  const height = await addBlock(network);
  sendProposals(network, 1);

  await eventually(async () => {
    const recorded = statsd.recorded();
    for (const node of nodes) {
      const last = recorded.values(`net.${nameOf(node)}.ledger.blockchain_height.${CHANNEL}`, 'g').at(-1);
      check(last === height, `${node.name} is at ${last}`);
    }
    const proposals = recorded.counters.get('net.peer1.endorser.proposals_received');
    check(proposals === 2, `${proposals} proposals`);
  });
  const { lines } = statsd.recorded();
  t.deepEqual(
    [...lines.keys()].filter((bucket) => !/^net\.(?:peer1|peer2|orderer|fabric_ops_agent)\./.test(bucket)),
    [],
    'buckets with another prefix',
  );

  await sleep(READING);
  const before = await Promise.all(
    nodes.map(async ({ operations }) => seriesOf(await metricsOf(operations))),
  );
  const relayed = seriesOf(await metricsOf(agent));
  for (const [index, node] of nodes.entries()) {
    const label = `node="${nameOf(node)}"`;
    const after = seriesOf(await metricsOf(node.operations));
    t.deepEqual(compareRelay(before[index] ?? new Map(), relayed, after, label), [], node.name);
    t.is(relayed.get(withLabel(HEIGHT, label)), height);
  }
  t.false(relayed.has(HEIGHT));
});

test.serial('/nodes/<name> has what one node responds, and /logspec is of the agent', async (t) => {
  const { nodes } = await start(t);
  const agent = await startBeside(t, nodes);
  for (const node of nodes) {
    const path = `/nodes/${nameOf(node)}`;
    t.is((await send(agent, `${path}/version`)).body, (await send(node.operations, '/version')).body);
    t.like(JSON.parse((await send(agent, `${path}/healthz`)).body), { status: 'OK' });
    const [before, relayed, after] = [
      seriesOf(await metricsOf(node.operations)),
      seriesOf(await metricsOf(agent, `${path}/metrics`)),
      seriesOf(await metricsOf(node.operations)),
    ];
    t.deepEqual(compareRelay(before, relayed, after), [], node.name);
  }
  t.is((await send(agent, '/nodes/peer3/version')).status, 404);

  t.is((await putSpec(agent, 'debug')).status, 204);
  t.is((await send(agent, '/logspec')).body, '{"spec":"debug"}\n');
  await eventually(async () =>
    check(/ DEBU/.test(agent.program.stderr()), 'the agent writes no debug lines'),
  );
  t.deepEqual(await specs(agent, nodes), ['info', 'info', 'info']);
  await putSpecOf(agent, 'peer2', 'debug');
  t.deepEqual(await specs(agent, nodes), ['info', 'debug', 'info']);
});

async function putSpecOf(agent: NodeAgent, name: string, spec: string): ReturnType<typeof send> {
  const body = JSON.stringify({ spec });
  const response = await send(agent, `/nodes/${name}/logspec`, { method: 'PUT', body });
  check(response.status === 204, `${response.status} ${response.body}`);
  return response;
}

/** The levels of the nodes, read from the nodes; those that the agent shows must be the same. */
async function specs(agent: NodeAgent, nodes: readonly FabricNode[]): Promise<string[]> {
  const found: string[] = [];
  for (const node of nodes) {
    const { spec } = JSON.parse((await send(node.operations, '/logspec')).body) as { spec: string };
    const shown = JSON.parse((await send(agent, `/nodes/${nameOf(node)}/logspec`)).body) as { spec: string };
    check(shown.spec === spec, `the agent shows ${shown.spec} for ${node.name}, which has ${spec}`);
    found.push(spec);
  }
  return found;
}
