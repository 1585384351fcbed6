// What the agent pushes for a node: the same buckets as the node sends itself, and exact histograms.

import { readdirSync } from 'node:fs';
import test, { type ExecutionContext } from 'ava';
import { check, eventually } from './daemon.js';
import { startBeside, startYounger, stopAgent, type NodeAgent, untilOlder } from './fabric/agent.js';
import { comparableValues, fabricBuckets, prometheusVariables, statsdVariables } from './fabric/buckets.js';
import { addLife, compareTotals } from './fabric/counters.js';
import { metricsOf } from './fabric/endpoint.js';
import { seriesOf } from './fabric/exposition.js';
import { runPeerCommand, startNetwork, type FabricNetwork } from './fabric/network.js';
import { CHANNEL } from './fabric/network-files.js';
import type { FabricNode } from './fabric/node.js';
import { addBlock, sendProposals } from './fabric/traffic.js';
import { startGraphite, type Graphite } from './graphite.js';
import { prepareStatsd, type Recording } from './recording-statsd.js';

/** Values that grow by one with each block. */
const HEIGHTS = /\.(?:blockchain_height|committed_block_number|state\.height)\./;
const PROPOSALS = 2;
/** Sums are sent in whole microseconds; in milliseconds. */
const PRECISION = 0.001;

test.serial(
  'the agent pushes the buckets and values that the nodes send themselves with provider statsd',
  async (t) => {
    const network = await startNetwork(t);
    const nodes = [network.orderers[0], network.peers[0]];

    const sent = await record(t, network, async (port) => {
      for (const node of nodes) await node.start(statsdVariables(node.kind, port, node.name));
      return async () => undefined;
    });
    const nodeBuckets = fabricBuckets(sent);
    const relayed = await record(
      t,
      network,
      async (port) => {
        // The agents get the variables of the nodes.
        for (const node of nodes) {
          await node.start(prometheusVariables(node.kind));
          await node.stop();
        }
        // The agents are older than the nodes, so that the counters of these are pushed in full.
        const agents: NodeAgent[] = [];
        for (const node of nodes)
          agents.push(await startBeside(t, [node], { statsd: { port, prefix: node.name } }));
        for (const node of nodes) await node.start();
        return async () => {
          for (const agent of agents) t.is(await stopAgent(agent), 0);
        };
      },
      // Some only appear after some seconds.
      nodeBuckets,
    );
    const ownBuckets = fabricBuckets(relayed);
    t.deepEqual(
      {
        missing: nodeBuckets.filter((bucket) => !ownBuckets.includes(bucket)),
        more: ownBuckets.filter((bucket) => !nodeBuckets.includes(bucket)),
      },
      { missing: [], more: [] },
    );
    const [own, node] = [comparableValues(relayed), comparableValues(sent)];
    t.true(node.size > 40, `only ${node.size} values can be compared`);
    for (const [bucket, value = NaN] of node)
      t.is(own.get(bucket), HEIGHTS.test(bucket) ? value + 1 : value, bucket);
  },
);

/**
 * Stops the nodes, starts them with a new daemon, makes traffic, and waits until the daemon has received everything.
 *
 * @param start starts what pushes to the port; resolves with what stops it
 * @param buckets those that must have arrived, as `bucket|type`
 */
async function record(
  t: ExecutionContext,
  network: FabricNetwork,
  start: (port: number) => Promise<() => Promise<unknown>>,
  buckets: readonly string[] = [],
): Promise<Recording> {
  const nodes = [network.orderers[0], network.peers[0]];
  for (const node of nodes) await node.stop();
  const statsd = await prepareStatsd(t);
  await statsd.start();
  const stop = await start(statsd.port);
  const height = await addBlock(network);
  sendProposals(network, PROPOSALS);
  await eventually(async () => {
    const { counters, values, lines } = statsd.recorded();
    const missing = buckets.filter((bucket) => !lines.has(bucket));
    check(missing.length === 0, `${missing.length} buckets did not arrive, such as ${missing[0]}`);
    const proposals = counters.get('peer1.endorser.proposals_received');
    check(proposals === 2 * PROPOSALS, `${proposals} proposals`);
    const successful = counters.get('peer1.endorser.successful_proposals');
    check(successful === 2 * PROPOSALS, `${successful} successful proposals`);
    for (const { name } of nodes) {
      const last = values(`${name}.ledger.blockchain_height.${CHANNEL}`, 'g').at(-1);
      check(last === height, `${name} has ${last} of ${height} blocks`);
    }
    const gossip = values(`peer1.gossip.state.height.${CHANNEL}`, 'g').at(-1);
    check(gossip === height, `gossip has ${gossip} of ${height} blocks`);
    // Gossip reports its members only every few seconds.
    const members = values(`peer1.gossip.membership.total_peers_known.${CHANNEL}`, 'g');
    check(members.length > 0, 'gossip has not counted its members');
  });
  await stop();
  return statsd.recorded();
}

/** Histograms of a peer by series, with the labels, and their buckets. */
const HISTOGRAMS = [
  ['ledger_block_processing_time', `{channel="${CHANNEL}"}`, `ledger.block_processing_time.${CHANNEL}`],
  [
    'endorser_proposal_duration',
    `{chaincode="qscc",channel="${CHANNEL}",success="true"}`,
    `endorser.proposal_duration.${CHANNEL}.qscc.true`,
  ],
  [
    'grpc_server_unary_request_duration',
    '{code="OK",method="ProcessProposal",service="protos_Endorser"}',
    'grpc.server.unary_request_duration.protos_Endorser.ProcessProposal.OK',
  ],
] as const;

test.serial('count and sum of histograms are exact in a real StatsD daemon with Graphite', async (t) => {
  const network = await startNetwork(t);
  const [node] = network.peers;
  const graphite = await startGraphite(t);
  await graphite.startStatsd();
  await node.stop();
  const agent = await startBeside(t, [node], { statsd: { port: graphite.port, prefix: 'p' } });
  await startYounger(node);
  for (let round = 0; round < 3; round += 1) {
    await addBlock(network);
    sendProposals(network, 3);
  }
  for (const [family, labels, bucket] of HISTOGRAMS) {
    const timer = `stats.timers.p.${bucket}`;
    await eventually(async () => {
      const values = seriesOf(await metricsOf(node.operations));
      const count = values.get(`${family}_count${labels}`) ?? 0;
      check(count > 0, `${family} has no values`);
      check((await sumOf(graphite, `${timer}.count`)) === count, `${family} is not complete`);
    });
    const values = seriesOf(await metricsOf(node.operations));
    const expected = (values.get(`${family}_sum${labels}`) ?? 0) * 1_000;
    const found = await sumOf(graphite, `${timer}.sum`);
    t.true(Math.abs(found - expected) <= PRECISION, `${family}: ${found} ms, on the node ${expected} ms`);
    for (const [time, lower] of await graphite.points(`${timer}.lower`))
      t.true(lower >= 0, `${family} has a timing of ${lower} ms at ${time}`);
  }
  t.regex(await graphite.command('stats'), /^messages.bad_lines_seen: 0$/m);
  t.is(await stopAgent(agent), 0);
});

const sumOf = async (graphite: Graphite, series: string): Promise<number> =>
  (await graphite.points(series)).reduce((total, [, value]) => total + value, 0);

/** Both have dots, as names of hosts have. */
const [PEER, ORDERER] = ['peer0.org1.example.com', 'orderer.example.com'];
const DOTTED_CHANNEL = 'supply.chain-1';

test.serial(
  'in Graphite the series of a metric have one depth, whatever dots the names of nodes and channels have',
  async (t) => {
    const network = await startNetwork(t, { channels: [CHANNEL, DOTTED_CHANNEL] });
    const nodes = [network.peers[0], network.orderers[0]];
    const graphite = await startGraphite(t);
    await graphite.startStatsd();
    for (const node of nodes) await node.stop();
    await startBeside(t, nodes, {
      statsd: { port: graphite.port, prefix: 'u' },
      names: [PEER, ORDERER],
    });
    await startYounger(...nodes);
    await addBlock(network);
    sendProposals(network, PROPOSALS);
    // A proposal without a channel: the label is empty.
    runPeerCommand(network.tools, network.peers[0], ['channel', 'list']);
    const [peer, orderer] = ['peer0_org1_example_com', 'orderer_example_com'];
    await eventually(async () => {
      const heights = seriesIn(graphite)
        .filter((series) => /^gauges\/u\/[^/]+\/ledger\/blockchain_height\/[^/]+$/.test(series))
        .map((series) => series.split('/'))
        .map(([, , node, , , channel]) => `${node} ${channel}`);
      const expected = [peer, orderer].flatMap((node) => [`${node} ${CHANNEL}`, `${node} supply_chain-1`]);
      check(
        expected.every((each) => heights.includes(each)),
        `only the heights of ${heights.join(', ')}`,
      );
      const proposals = seriesIn(graphite).filter((series) => /proposal_duration.*cscc/.test(series));
      check(proposals.length > 0, 'no proposal without a channel');
    });
    const families = new Map<string, ReadonlySet<string>>();
    for (const [index, name] of [peer, orderer].entries())
      families.set(name, familiesOf(seriesOf(await metricsOf(nodes[index]!.operations)).keys()));
    const misplaced = seriesIn(graphite).filter((series) => {
      const [kind, prefix, node = '', ...parts] = series.split('/');
      // Those of the Go runtime have other names in Prometheus.
      if (prefix !== 'u' || node === 'fabric_ops_agent' || parts[0] === 'go') return false;
      const rest = (kind === 'gauges' ? parts : parts.slice(0, -1)).map((part) =>
        // The unit of timings.
        kind === 'timers' ? part.replace(/_milliseconds$/, '_seconds') : part,
      );
      const found = families.get(node) ?? new Set();
      return !rest.some((_, index) =>
        found.has(`${rest.slice(0, index + 1).join('_')} ${rest.length - index - 1}`),
      );
    });
    t.deepEqual(misplaced, []);
  },
);

/** The series of a Graphite, as paths below `stats` without the extension. */
const seriesIn = ({ storage }: Graphite): string[] =>
  readdirSync(storage, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.startsWith('stats/') && file.endsWith('.wsp'))
    .map((file) => file.slice('stats/'.length, -'.wsp'.length));

/** Each family of an exposition with the number of its labels: `ledger_blockchain_height 1`. */
const familiesOf = (series: Iterable<string>): ReadonlySet<string> =>
  new Set(
    [...series].flatMap((each) => {
      const [name = '', labels = ''] = each.split('{', 2);
      const count = labels.split('="').length - 1;
      // That of a histogram is a counter in Prometheus, and so are others with this name.
      return [`${name} ${count}`, `${name.replace(/_count$/, '')} ${count}`];
    }),
  );

test.serial(
  'an agent that starts after the node pushes only what the node counts from then on',
  async (t) => {
    const network = await startNetwork(t);
    const [node] = network.peers;
    sendProposals(network, PROPOSALS);
    const before = countsOf(node, seriesOf(await metricsOf(node.operations)));
    const statsd = await prepareStatsd(t);
    await statsd.start();
    await untilOlder();
    await startBeside(t, [node], { statsd: { port: statsd.port } });
    const height = `ledger.blockchain_height.${CHANNEL}`;
    await eventually(async () =>
      check(statsd.recorded().values(height, 'g').length > 1, 'nothing is pushed'),
    );
    t.false(statsd.recorded().counters.has('endorser.proposals_received'));

    sendProposals(network, PROPOSALS);
    const growth = await eventually(async () => {
      const now = countsOf(node, seriesOf(await metricsOf(node.operations)));
      const difference = new Map(
        [...now].map(([bucket, total]) => [bucket, total - (before.get(bucket) ?? 0)]),
      );
      const differences = compareTotals(difference, statsd.recorded().counters);
      check(differences.length === 0, differences.join('\n'));
      return difference;
    });
    t.is(growth.get('endorser.proposals_received'), 2 * PROPOSALS);
  },
);

const countsOf = (node: FabricNode, values: ReadonlyMap<string, number>): ReadonlyMap<string, number> =>
  addLife(node.kind, new Map(), values);
