// The agent beside a peer for a long time: scraped and pushing each second, while the peer is killed and started three times.
// NODE_SOAK_SECONDS sets the time; a release is tested with 300.

import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { check, eventually } from './daemon.js';
import { startBeside, startYounger, stopAgent, type NodeAgent } from './fabric/agent.js';
import { addLife, compareTotals, type CounterTotals } from './fabric/counters.js';
import { metricsOf } from './fabric/endpoint.js';
import { seriesOf } from './fabric/exposition.js';
import { startNetwork, type FabricNetwork } from './fabric/network.js';
import type { FabricNode } from './fabric/node.js';
import { addBlock, sendProposals } from './fabric/traffic.js';
import { prepareStatsd, type RecordingStatsd } from './recording-statsd.js';

const SECONDS = Number(process.env.NODE_SOAK_SECONDS ?? 60);
/** Lives of the peer. */
const LIVES = 4;
/** How much the memory may grow between the second and the last quarter, in bytes. */
const MAX_GROWTH = { rss: 12 * 2 ** 20, heap: 8 * 2 ** 20 } as const;

/** Memory of the agent, in bytes. */
interface Memory {
  readonly rss: number;
  /** Of live and dead objects; the smallest value of some time is about that of live ones. */
  readonly heap: number;
}

test.serial(
  `for ${SECONDS} s with three restarts of the peer, memory is flat and no count is lost`,
  async (t) => {
    t.timeout((SECONDS + 240) * 1_000);
    const network = await startNetwork(t);
    const [node] = network.peers;
    const statsd = await prepareStatsd(t);
    await statsd.start();
    await node.stop();
    const agent = await startBeside(t, [node], { statsd: { port: statsd.port } });
    const observer = observe(t, agent);

    let totals: CounterTotals = new Map();
    for (let life = 0; life < LIVES; life += 1) {
      await startYounger(node);
      await makeTraffic(network, performance.now() + (SECONDS * 1_000) / LIVES);
      totals = await arePushed(node, statsd, totals);
      await node.stop('SIGKILL');
    }
    const { memory, failures } = await observer.stop();
    t.deepEqual(failures, [], 'scrapes that failed');
    t.deepEqual(compareTotals(totals, statsd.recorded().counters), []);
    t.true((totals.get('endorser.proposals_received') ?? 0) >= LIVES * 2);

    const quarter = Math.floor(memory.length / 4);
    const [early, late] = [memory.slice(quarter, 2 * quarter), memory.slice(-quarter)];
    t.log(`${memory.length} scrapes, RSS ${mebibytes(median(memory.map(({ rss }) => rss)))} MiB`);
    const growth = {
      rss: median(late.map(({ rss }) => rss)) - median(early.map(({ rss }) => rss)),
      heap: Math.min(...late.map(({ heap }) => heap)) - Math.min(...early.map(({ heap }) => heap)),
    };
    for (const kind of ['rss', 'heap'] as const) {
      t.log(`${kind} grew by ${mebibytes(growth[kind])} MiB`);
      t.true(growth[kind] < MAX_GROWTH[kind], `${kind} grew by ${mebibytes(growth[kind])} MiB`);
    }
    t.is(await stopAgent(agent), 0);
    t.notRegex(agent.program.stderr(), /uncaught|unhandled/i);
  },
);

async function makeTraffic(network: FabricNetwork, end: number): Promise<void> {
  do {
    await addBlock(network);
    sendProposals(network, 2);
    await sleep(1_000);
  } while (performance.now() < end);
}

/** Waits until everything that the node counted in this life is pushed; returns the totals with those of former lives. */
function arePushed(node: FabricNode, statsd: RecordingStatsd, before: CounterTotals): Promise<CounterTotals> {
  return eventually(async () => {
    const counted = addLife(node.kind, before, seriesOf(await metricsOf(node.operations)));
    const differences = compareTotals(counted, statsd.recorded().counters);
    check(differences.length === 0, differences.join('\n'));
    return counted;
  });
}

/** Scrapes the agent each second, and reads its memory. */
function observe(
  t: ExecutionContext,
  agent: NodeAgent,
): { stop: () => Promise<{ memory: Memory[]; failures: string[] }> } {
  const memory: Memory[] = [];
  const failures: string[] = [];
  let isStopped = false;
  t.teardown(() => (isStopped = true));
  const run = async (): Promise<void> => {
    while (!isStopped) {
      try {
        const series = seriesOf(await metricsOf(agent));
        const heap = series.get('fabric_ops_agent_nodejs_heap_size_used_bytes') ?? NaN;
        memory.push({ rss: residentMemory(agent.program.child.pid ?? 0), heap });
      } catch (error) {
        failures.push(String(error));
      }
      await sleep(1_000);
    }
  };
  const ended = run();
  return {
    async stop() {
      isStopped = true;
      await ended;
      return { memory, failures };
    },
  };
}

function residentMemory(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1_024;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);
