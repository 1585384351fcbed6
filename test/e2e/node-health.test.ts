// The agent beside one node that is killed and started again: health, /metrics and StatsD.

import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { check, eventually } from './daemon.js';
import {
  componentsWhenDown,
  HEALTH_INTERVAL,
  nameOf,
  startBeside,
  startYounger,
  type NodeAgent,
} from './fabric/agent.js';
import { addLife, compareTotals, type CounterTotals } from './fabric/counters.js';
import { failedChecks, metricsOf, send } from './fabric/endpoint.js';
import { fabricSeries, seriesOf } from './fabric/exposition.js';
import { startNetwork, type FabricNetwork } from './fabric/network.js';
import { CHANNEL } from './fabric/network-files.js';
import type { FabricNode } from './fabric/node.js';
import { addBlock, sendProposals } from './fabric/traffic.js';
import { prepareStatsd, type RecordingStatsd } from './recording-statsd.js';
import { startStopwatch } from '../helpers/stopwatch.js';

/** How much longer than the interval it may take until a dead node is reported: the time of a refused connection and of requests. */
const SLACK = 1_500;
/** More than two pushes. */
const TWO_PUSHES = 2_500;
const HEIGHT = `ledger_blockchain_height{channel="${CHANNEL}"}`;

interface Fixture {
  readonly network: FabricNetwork;
  readonly node: FabricNode;
  readonly agent: NodeAgent;
  readonly statsd: RecordingStatsd;
}

for (const kind of ['orderer', 'peer'] as const) {
  for (const isTls of [false, true]) {
    const how = isTls ? 'with mutual TLS' : 'without TLS';
    test.serial(
      `${kind} ${how}: killed, it is reported and not pushed; started again, all is back`,
      async (t) => {
        const network = await startNetwork(t, { operationsTls: isTls });
        const node = network[`${kind}s`][0];
        const statsd = await prepareStatsd(t);
        await statsd.start();
        await node.stop();
        const agent = await startBeside(t, [node], { statsd: { port: statsd.port }, isTls });
        const fixture = { network, node, agent, statsd };
        await isDown(t, fixture);

        await startYounger(node);
        const first = await servesAndCounts(t, fixture, new Map());
        await isKilled(t, fixture);

        await node.start();
        const second = await servesAndCounts(t, fixture, first);
        t.true([...second].every(([bucket, total]) => total > (first.get(bucket) ?? 0)));
        await sleep(TWO_PUSHES);
        t.deepEqual(compareTotals(second, statsd.recorded().counters), []);
      },
    );
  }
}

/** The node is down: health and readiness fail and name it, the agent itself lives. */
async function isDown(t: ExecutionContext, { node, agent }: Fixture): Promise<void> {
  const name = nameOf(node);
  await eventually(async () => {
    const { status } = await failedChecks(agent);
    check(status === 503, `/healthz is ${status}`);
  });
  // The checkers that read from the node may use a reading of the last second.
  const failed = await eventually(async () => {
    const { failed: found } = await failedChecks(agent);
    const expected = componentsWhenDown(node);
    check(Object.keys(found).join() === expected.join(), JSON.stringify(found));
    return found;
  });
  t.regex(failed[name] ?? '', /refused/);
  t.is((await send(agent, '/readyz')).status, 503);
  t.is((await send(agent, '/livez')).status, 200);
  // Without a client certificate too.
  t.is((await send(agent.anonymous, '/healthz')).status, 503);
  t.is((await send(agent.anonymous, '/livez')).status, 200);
  t.is((await send(agent, `/healthz/${name}`)).status, 503);
}

/** The node serves: after some traffic everything that it counted has been pushed. Returns the totals of all its lives. */
async function servesAndCounts(
  t: ExecutionContext,
  { network, node, agent, statsd }: Fixture,
  before: CounterTotals,
): Promise<CounterTotals> {
  await eventually(async () => {
    const { status, failed } = await failedChecks(agent);
    check(status === 200, `/healthz is ${status}: ${JSON.stringify(failed)}`);
  });
  t.is((await send(agent, '/readyz')).status, 200);
  await addBlock(network);
  sendProposals(network, 2);
  const totals = await eventually(async () => {
    const values = seriesOf(await metricsOf(node.operations));
    const counted = addLife(node.kind, before, values);
    const differences = compareTotals(counted, statsd.recorded().counters);
    check(differences.length === 0, differences.join('\n'));
    return counted;
  });
  const relayed = seriesOf(await metricsOf(agent));
  t.is(relayed.get(`fabric_ops_agent_source_up{node="${nameOf(node)}"}`), 1);
  t.true(relayed.has(HEIGHT));
  return totals;
}

/** Kills the node: the agent notices within one interval, its series end at once, and nothing about it is pushed. */
async function isKilled(t: ExecutionContext, fixture: Fixture): Promise<void> {
  const { node, agent, statsd } = fixture;
  const lives = fabricSeries(seriesOf(await metricsOf(node.operations)));
  await node.stop('SIGKILL');
  const elapsed = startStopwatch(t);
  await eventually(async () => {
    const { status } = await failedChecks(agent);
    check(status === 503, `/healthz is ${status}`);
  });
  const reportedAfter = elapsed();
  t.true(reportedAfter < HEALTH_INTERVAL + SLACK, `reported after ${Math.round(reportedAfter)} ms`);
  await isDown(t, fixture);

  // Scrapes of one second share a rendering.
  await sleep(1_100);
  const left = seriesOf(await metricsOf(agent));
  t.deepEqual(
    [...lives.keys()].filter((series) => left.has(series)),
    [],
    'series of the dead node',
  );
  t.is(left.get(`fabric_ops_agent_source_up{node="${nameOf(node)}"}`), 0);
  // A push that had begun may still arrive.
  await sleep(TWO_PUSHES);
  const pushed = linesOfNode(statsd);
  await sleep(TWO_PUSHES);
  t.deepEqual(linesOfNode(statsd), pushed, 'lines about the dead node');
  t.true(statsd.recorded().lines.size > pushed.size, 'the agent does not push its own metrics');
}

/** The number of lines for each bucket of the node. */
const linesOfNode = (statsd: RecordingStatsd): ReadonlyMap<string, number> =>
  new Map([...statsd.recorded().lines].filter(([bucket]) => !bucket.startsWith('fabric_ops_agent.')));
