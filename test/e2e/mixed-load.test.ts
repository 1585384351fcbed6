// Everything at the same time, over TLS: probes, scrapes, log levels, pushes, reloads, plugins with faults, and a peer that is killed again
// and again. MIXED_LOAD_SECONDS sets the time; a release is tested with 1800.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { temporaryFolder } from '../helpers/folder.js';
import { startBeside, stopAgent, type NodeAgent } from './fabric/agent.js';
import { metricsOf, putSpec, send } from './fabric/endpoint.js';
import { seriesOf } from './fabric/exposition.js';
import { startNetwork } from './fabric/network.js';
import type { FabricNode } from './fabric/node.js';
import { prepareStatsd } from './recording-statsd.js';

const SECONDS = Number(process.env.MIXED_LOAD_SECONDS ?? 40);
/** Clients of each kind; each waits some time between two requests, in milliseconds. */
const CLIENTS = 3;
const PAUSE = 400;
/** Times between two reloads and between two lives of the peer, in milliseconds. */
const RELOAD_INTERVAL = 3_000;
const LIFE = 8_000;
/** How much the memory may grow from the second to the last third, in bytes. */
const MAX_GROWTH = { rss: 20 * 2 ** 20, heap: 16 * 2 ** 20 } as const;

/** A checker with another fault in each check. */
const FAULTY = `let count = 0;
export default { apiVersion: 1, kind: 'checker', name: 'faulty', options: {}, create: () => ({
  check() {
    count += 1;
    if (count % 4 === 0) setTimeout(() => { throw new Error('in a timer'); }, 1);
    if (count % 4 === 1) return Promise.reject(new Error('rejected'));
    if (count % 4 === 2) return new Promise((resolve) => setTimeout(resolve, 500));
    if (count % 4 === 3) throw null;
  },
}) };`;

/** Memory of the agent, in bytes. */
interface Memory {
  readonly rss: number;
  /** Of live and dead objects. */
  readonly heap: number;
}

test.serial(`for ${SECONDS} s of mixed load no request fails, and memory is flat`, async (t) => {
  t.timeout((SECONDS + 180) * 1_000);
  const { peers } = await startNetwork(t, { operationsTls: true });
  const [node] = peers;
  const statsd = await prepareStatsd(t);
  await statsd.start();
  const directory = temporaryFolder(t, { 'faulty.mjs': FAULTY });
  const faulty = { plugin: join(directory, 'faulty.mjs') };
  const agent = await startBeside(t, [node], {
    statsd: { port: statsd.port },
    isTls: true,
    plugins: [faulty],
  });
  const memory: Memory[] = [];
  const failures: string[] = [];
  await runAll(agent, node, memory, failures);

  t.deepEqual(failures.slice(0, 10), []);
  const third = Math.floor(memory.length / 3);
  const [early, late] = [memory.slice(third, 2 * third), memory.slice(-third)];
  const growth = {
    rss: median(late.map(({ rss }) => rss)) - median(early.map(({ rss }) => rss)),
    heap: Math.min(...late.map(({ heap }) => heap)) - Math.min(...early.map(({ heap }) => heap)),
  };
  for (const kind of ['rss', 'heap'] as const) {
    const [low, high] = [
      Math.min(...memory.map((each) => each[kind])),
      Math.max(...memory.map((each) => each[kind])),
    ];
    t.log(`${kind}: ${mebibytes(low)} to ${mebibytes(high)} MiB, grew by ${mebibytes(growth[kind])} MiB`);
    t.true(growth[kind] < MAX_GROWTH[kind], `${kind} grew by ${mebibytes(growth[kind])} MiB`);
  }
  const faults = seriesOf(await metricsOf(agent)).get(
    'fabric_ops_agent_plugin_faults_total{kind="checker",phase="uncaught",plugin="faulty"}',
  );
  t.true((faults ?? 0) > 0, 'the plugin threw no uncaught error');
  t.is(await stopAgent(agent), 0);
});

/** Runs all clients, reloads and lives of the peer until the time is over. */
async function runAll(
  agent: NodeAgent,
  node: FabricNode,
  memory: Memory[],
  failures: string[],
): Promise<void> {
  const end = performance.now() + SECONDS * 1_000;
  const repeat = async (pause: number, step: () => Promise<unknown>): Promise<void> => {
    while (performance.now() < end) {
      await step().catch((error: unknown) => failures.push(String(error)));
      await sleep(pause);
    }
  };
  const expect = async (
    statuses: readonly number[],
    sent: ReturnType<typeof send>,
    what: string,
  ): Promise<void> => {
    const { status, body } = await sent;
    if (!statuses.includes(status)) failures.push(`${what}: ${status} ${body.slice(0, 200)}`);
  };
  const clients = Array.from({ length: CLIENTS }, () => [
    repeat(PAUSE, () => expect([200, 503], send(agent.anonymous, '/healthz'), 'GET /healthz')),
    repeat(PAUSE, () => expect([200], send(agent, '/metrics'), 'GET /metrics')),
    repeat(PAUSE, () => expect([200], send(agent.anonymous, '/livez'), 'GET /livez')),
    repeat(PAUSE, () =>
      expect([401], send(agent.anonymous, '/metrics'), 'GET /metrics without a certificate'),
    ),
    // 502 while the node is down: the level is that of the node.
    repeat(PAUSE, () => expect([204, 502, 503], putSpec(agent, 'info'), 'PUT /logspec')),
  ]);
  await Promise.all([
    ...clients.flat(),
    repeat(1_000, async () => void memory.push(await memoryOf(agent))),
    repeat(RELOAD_INTERVAL, async () => agent.program.child.kill('SIGHUP')),
    repeat(LIFE, async () => {
      await node.stop('SIGKILL');
      await sleep(LIFE / 4);
      await node.start();
    }),
  ]);
}

async function memoryOf(agent: NodeAgent): Promise<Memory> {
  const heap = seriesOf(await metricsOf(agent)).get('fabric_ops_agent_nodejs_heap_size_used_bytes') ?? NaN;
  const status = readFileSync(`/proc/${agent.program.child.pid ?? 0}/status`, 'utf8');
  return { rss: Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024, heap };
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);
