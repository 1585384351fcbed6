// Fifty agents, each with three sinks, with one Prometheus, one OTLP receiver and one VictoriaMetrics for all of them. The three are killed
// and started again: no agent ends, and no counter is lost.

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { metricLine } from '../helpers/agent-endpoints.js';
import { temporaryFolder } from '../helpers/folder.js';
import { startOtlpReceiver, type OtlpBody, type OtlpReceiver } from '../helpers/otlp-receiver.js';
import { startProgram, urlOf, type RunningProgram } from '../helpers/program.js';
import { check, eventually } from './daemon.js';
import { preparePrometheus, type Prometheus } from './prometheus.js';
import { prepareVictoriaMetrics, type VictoriaMetrics } from './victoria-metrics.js';

const AGENTS = 50;
/** How many agents start at the same time. */
const GROUP = 10;
/** Time between two scrapes and between two pushes, in seconds. */
const INTERVAL = 5;
/** How long the receivers are down, in seconds: at least two pushes of each agent. */
const OUTAGE = 12;
/** Longest wait for the values of all agents, in milliseconds. A sink retries after at most 30 s. */
const TIMEOUT = 120_000;

/** A checker that counts its checks. */
const CHECKER = `export default {
  apiVersion: 1, kind: 'checker', name: 'work', options: {},
  create({ metrics }) {
    const checks = metrics.counter({ namespace: 'fleet', name: 'checks', help: 'Of the test.' });
    return { check() { checks.inc(); } };
  },
};
`;
const CHECKS = 'fabric_ops_agent_fleet_checks';

/** The values of a counter by the name of the agent. */
type Totals = Readonly<Record<string, number>>;

interface Agent {
  readonly name: string;
  readonly program: RunningProgram;
  readonly url: string;
}

/** Starts the agents in groups. */
async function startAgents(t: ExecutionContext, endpoint: string, graphite: number): Promise<Agent[]> {
  const names = Array.from({ length: AGENTS }, (_, index) => `agent${String(index).padStart(2, '0')}`);
  const writeInterval = `${INTERVAL}s`;
  const configurations = names.map((name) => [
    `${name}.yaml`,
    JSON.stringify({
      operations: { listenAddress: '127.0.0.1:0' },
      health: { interval: '1h', cacheFor: '0s' },
      plugins: [
        { plugin: 'prometheus' },
        { plugin: 'otlp', options: { endpoint, writeInterval, instance: name } },
        {
          plugin: 'graphite',
          options: { address: `127.0.0.1:${graphite}`, writeInterval, prefix: name },
        },
        { plugin: './work.js' },
      ],
    }),
  ]);
  const directory = temporaryFolder(t, {
    'package.json': '{"type":"module"}',
    'work.js': CHECKER,
    ...(Object.fromEntries(configurations) as Record<string, string>),
  });
  const agents: Agent[] = [];
  for (let first = 0; first < AGENTS; first += GROUP) {
    const group = names.slice(first, first + GROUP).map(async (name) => {
      const args = ['start', '--config', join(directory, `${name}.yaml`)];
      const program = startProgram(t, args, { cwd: directory });
      return { name, program, url: await urlOf(program) };
    });
    agents.push(...(await Promise.all(group)));
  }
  return agents;
}

/** Increments the counters, of each agent by another number. */
async function work(agents: readonly Agent[], least: number): Promise<void> {
  const requests = agents.map(async ({ url }, index) => {
    for (let time = 0; time < least + index; time += 1) await (await fetch(`${url}/healthz`)).text();
  });
  await Promise.all(requests);
}

/** What the agents themselves say. */
async function ownTotals(agents: readonly Agent[]): Promise<Totals> {
  const entries = agents.map(async ({ name, url }) => {
    const line = (await metricLine(url, CHECKS)) ?? '';
    return [name, Number(line.slice(CHECKS.length + 1))] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** The result of an expression in Prometheus. */
async function inPrometheus({ get }: Prometheus, expression: string): Promise<Totals> {
  const data = await get(`query?query=${encodeURIComponent(expression)}`);
  const { result } = data as { result: { metric: { agent: string }; value: [number, string] }[] };
  return byName(result.map(({ metric, value }) => [metric.agent, Number(value[1])]));
}

/** A data point of the counter, as an agent sent it. */
interface Sent {
  readonly agent: string;
  readonly start: string;
  readonly value: number;
}

/** The data points of the counter in one request. */
function sentIn({ resourceMetrics }: OtlpBody): Sent[] {
  return resourceMetrics.flatMap(({ resource, scopeMetrics }) => {
    const agent =
      resource.attributes.find(({ key }) => key === 'service.instance.id')?.value.stringValue ?? '';
    return scopeMetrics
      .flatMap(({ metrics }) => metrics)
      .filter(({ name }) => name === CHECKS)
      .flatMap(
        ({ sum }) => (sum as { dataPoints: { asDouble: number; startTimeUnixNano: string }[] }).dataPoints,
      )
      .map(({ asDouble, startTimeUnixNano }) => ({ agent, start: startTimeUnixNano, value: asDouble }));
  });
}

const sentTo = (receiver: OtlpReceiver): Sent[] => receiver.bodies().flatMap(sentIn);

const inReceiver = (receiver: OtlpReceiver): Totals =>
  byName(sentTo(receiver).map(({ agent, value }) => [agent, value]));

/** The points of the counter in VictoriaMetrics by the name of the agent. */
async function pointsIn({
  series,
}: VictoriaMetrics): Promise<Map<string, readonly (readonly [number, number])[]>> {
  const found = await series('{__name__=~"agent[0-9]+[.]fabric_ops_agent[.]fleet[.]checks"}');
  return new Map(found.map(({ labels, points }) => [labels.__name__?.split('.')[0] ?? '', points]));
}

const inVictoriaMetrics = async (victoria: VictoriaMetrics): Promise<Totals> =>
  byName([...(await pointsIn(victoria))].map(([name, points]) => [name, points.at(-1)?.[1] ?? NaN]));

/** The last value of each name, in the order of the names. */
function byName(values: readonly (readonly [string, number])[]): Totals {
  const last = Object.fromEntries(values);
  return Object.fromEntries(Object.entries(last).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Waits until every agent has the expected value. */
async function reached(where: string, expected: Totals, read: () => Promise<Totals>): Promise<void> {
  await eventually(async () => {
    const found = await read();
    const wrong = Object.keys(expected).filter((name) => found[name] !== expected[name]);
    check(
      wrong.length === 0,
      `${where}: ${wrong.map((name) => `${name} has ${found[name]} of ${expected[name]}`).join(', ')}`,
    );
  }, TIMEOUT);
}

/** The dropped samples that an agent counts, as lines of /metrics. */
async function droppedBy({ name, url }: Agent): Promise<string[]> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return text
    .split('\n')
    .filter((line) => /^fabric_ops_agent_\w*(?:dropped|rejected)_total\b/.test(line) && !line.endsWith(' 0'))
    .map((line) => `${name}: ${line}`);
}

/** What the agents of the test are connected to. */
interface Receivers {
  readonly prometheus: Prometheus;
  readonly victoria: VictoriaMetrics;
  readonly otlp: () => OtlpReceiver;
}

/** Waits until each receiver has what the agents themselves say. */
async function allHave(agents: readonly Agent[], { prometheus, victoria, otlp }: Receivers): Promise<Totals> {
  // A reading of /metrics is cached for half a second.
  await sleep(1_000);
  const own = await ownTotals(agents);
  await reached('Prometheus', own, () => inPrometheus(prometheus, CHECKS));
  await reached('the OTLP receiver', own, () => Promise.resolve(inReceiver(otlp())));
  await reached('VictoriaMetrics', own, () => inVictoriaMetrics(victoria));
  return own;
}

/** Asserts that no agent dropped a sample or ended. */
async function assertHealthy(t: ExecutionContext, agents: readonly Agent[]): Promise<void> {
  t.deepEqual((await Promise.all(agents.map(droppedBy))).flat(), []);
  const ended = agents.filter(
    ({ program: { child } }) => child.exitCode !== null || child.signalCode !== null,
  );
  t.deepEqual(
    ended.map(({ name }) => name),
    [],
  );
}

/** Asserts that each agent sent at least two pushes of the outage when VictoriaMetrics was back. @param outage its begin and end, in seconds since the epoch */
async function assertQueued(
  t: ExecutionContext,
  agents: readonly Agent[],
  victoria: VictoriaMetrics,
  [from, to]: readonly [number, number],
): Promise<void> {
  const points = await pointsIn(victoria);
  const counts = agents.map(
    ({ name }) => (points.get(name) ?? []).filter(([time]) => time >= from && time <= to).length,
  );
  t.true(Math.min(...counts) >= 2, `queued pushes of the time without VictoriaMetrics: ${counts.join()}`);
}

test.serial(
  'fifty agents lose no counter when Prometheus, the OTLP receiver and VictoriaMetrics are killed and started again',
  async (t) => {
    t.timeout(8 * 60_000);
    const victoria = await prepareVictoriaMetrics(t, 2 * AGENTS);
    const first = await startOtlpReceiver(t);
    let otlp = first;
    const victoriaDaemon = await victoria.start();
    const agents = await startAgents(t, first.endpoint, victoria.port);
    const targets = agents.map(({ name, url }) => ({
      targets: [new URL(url).host],
      labels: { agent: name },
    }));
    const prometheus = await preparePrometheus(
      t,
      [JSON.stringify({ job_name: 'fabric-ops-agent', static_configs: targets })],
      { interval: `${INTERVAL}s` },
    );
    const prometheusDaemon = await prometheus.start();
    const receivers = { prometheus, victoria, otlp: () => otlp };
    await work(agents, 10);
    const before = await allHave(agents, receivers);
    t.is(Object.keys(before).length, AGENTS);

    const from = Date.now() / 1000;
    first.stop();
    await Promise.all([prometheusDaemon.stop('SIGKILL'), victoriaDaemon.stop('SIGKILL')]);
    await work(agents, 10);
    await sleep(OUTAGE * 1000);
    const to = Date.now() / 1000;
    await Promise.all([prometheus.start(), victoria.start()]);
    otlp = await startOtlpReceiver(t, undefined, undefined, Number(new URL(first.endpoint).port));
    await work(agents, 10);
    const after = await allHave(agents, receivers);

    for (const { name } of agents) t.true((after[name] ?? 0) >= (before[name] ?? NaN) + 20, name);
    t.deepEqual(
      await inPrometheus(prometheus, `resets(${CHECKS}[1h])`),
      byName(agents.map(({ name }) => [name, 0])),
    );
    const starts = new Set(
      [...sentTo(first), ...sentTo(otlp)].map(({ agent, start }) => `${agent} ${start}`),
    );
    t.is(starts.size, AGENTS, 'start times in OTLP');
    await assertQueued(t, agents, victoria, [from, to]);
    await assertHealthy(t, agents);
  },
);
