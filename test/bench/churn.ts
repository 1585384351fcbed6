// Memory of the built agent beside a node whose series have new labels in each scrape, with four sinks. CHURN_SECONDS sets the time.

import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PROGRAM } from '../helpers/program.js';
import { residentMemory, servedUrl, valueOf } from './fleet-agent.js';
import { messageOf } from './message.js';
import { median, row, rowWithoutBudget, type Row } from './report.js';

const SECONDS = Number(process.env.CHURN_SECONDS ?? 600);
/** Lines of the node; each of them is a new series in each scrape. */
const LINES = 2_000;
/** Time between two scrapes and two pushes of each sink, in milliseconds. The agent reads the node once in it. */
const INTERVAL = 1_000;
/** Scrapes between two samples of the memory. */
const SCRAPES_PER_SAMPLE = 10;
/** When the memory is reported, in seconds. */
const REPORTED = new Set([60, 120, 300, 600]);
/** How much the resident memory may grow from the second to the last quarter, in MiB. */
const MAX_GROWTH = 15;
const MIB = 2 ** 20;

/** The memory of the agent at a time, in seconds and MiB. `heap` has live and dead objects. */
interface Sample {
  readonly at: number;
  readonly resident: number;
  readonly heap: number;
}

/** Scrapes the agent each second, samples its memory, and reports whether it stays the same. */
export async function benchChurn(): Promise<Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-'));
  const nodes = fork(here('fleet-nodes.js'), ['1', String(LINES), 'churn']);
  const statsd = fork(here('statsd-receiver.js'));
  const graphite = createServer((socket) => socket.on('error', () => undefined).resume());
  const otlp = createHttpServer((request, response) => request.on('end', () => response.end('{}')).resume());
  let agent: ChildProcess | undefined;
  try {
    const [[node], statsdPort] = await Promise.all([messageOf<[number]>(nodes), messageOf<number>(statsd)]);
    const ports = { node, statsd: statsdPort, graphite: await listen(graphite), otlp: await listen(otlp) };
    const file = join(directory, 'agent.yaml');
    writeFileSync(file, configuration(ports));
    agent = spawn(process.execPath, [PROGRAM, 'start', '--config', file], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const rows = rowsOf(await samplesOf(agent, await servedUrl(agent)));
    statsd.send('');
    const { lines } = await messageOf<{ lines: number }>(statsd);
    return [...rows, rowWithoutBudget('churn: lines that StatsD received', lines, '')];
  } finally {
    agent?.kill();
    nodes.kill();
    statsd.kill();
    graphite.close();
    otlp.close();
    rmSync(directory, { recursive: true });
  }
}

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function configuration(ports: Readonly<Record<'node' | 'statsd' | 'graphite' | 'otlp', number>>): string {
  const writeInterval = `${INTERVAL}ms`;
  return JSON.stringify({
    operations: { listenAddress: '127.0.0.1:0' },
    plugins: [
      { plugin: 'node', options: { kind: 'peer', address: `127.0.0.1:${ports.node}` } },
      { plugin: 'prometheus' },
      { plugin: 'statsd', options: { address: `127.0.0.1:${ports.statsd}`, writeInterval } },
      { plugin: 'graphite', options: { address: `127.0.0.1:${ports.graphite}`, writeInterval } },
      { plugin: 'otlp', options: { endpoint: `http://127.0.0.1:${ports.otlp}/v1/metrics`, writeInterval } },
    ],
  });
}

async function samplesOf(agent: ChildProcess, url: string): Promise<Sample[]> {
  const samples: Sample[] = [];
  const start = performance.now();
  for (let scrapes = 1; scrapes * INTERVAL <= SECONDS * 1_000; scrapes += 1) {
    const text = await (await fetch(`${url}/metrics`)).text();
    if (scrapes % SCRAPES_PER_SAMPLE === 0) {
      const at = Math.round((scrapes * INTERVAL) / 1_000);
      const heap = valueOf(text, 'nodejs_heap_size_used_bytes') / MIB;
      const sample = { at, resident: residentMemory(agent) / MIB, heap };
      samples.push(sample);
      console.log(`churn, ${at} s: ${sample.resident.toFixed(0)} MiB resident, heap ${heap.toFixed(0)} MiB`);
    }
    await wait(Math.max(0, scrapes * INTERVAL - (performance.now() - start)));
  }
  return samples;
}

function rowsOf(samples: readonly Sample[]): Row[] {
  const reported = samples.filter(({ at }) => REPORTED.has(at));
  const quarter = Math.ceil(samples.length / 4);
  const residentOf = (from: number): number =>
    median(samples.slice(from, from + quarter).map(({ resident }) => resident));
  return [
    ...reported.map(({ at, resident, heap }) =>
      rowWithoutBudget(
        `churn: resident memory after ${at / 60} minutes, in MiB`,
        resident,
        `heap ${heap.toFixed(0)} MiB; ${LINES} new series per second`,
      ),
    ),
    row(
      'churn: growth of resident memory from the second to the last quarter, in MiB',
      residentOf(samples.length - quarter) - residentOf(quarter),
      '<=',
      MAX_GROWTH,
      `medians of ${quarter} samples`,
    ),
  ];
}
