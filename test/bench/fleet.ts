// One agent beside many nodes: CPU, memory and stalls with 50, 100 and 200 stand-in nodes of 2,000 lines, read every 10 seconds.

import type { ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import type { Measurement, Part } from './parts.js';
import { residentMemory, startFleet, valueOf } from './fleet-agent.js';
import { messageOf } from './message.js';
import { row, rowWithoutBudget, type Row } from './report.js';

const STALLS = new URL('fleet-stalls.js', import.meta.url).href;
const SIZES = [50, 100, 200] as const;
const LINES = 2_000;
/** Time between two scrapes, in milliseconds, and their number. The first ones read new series and are not measured. */
const INTERVAL = 10_000;
const WARM_UP = 2;
const SCRAPES = 4;
const MIB = 2 ** 20;

interface Measured {
  /** CPU of one round for one node, in milliseconds. */
  readonly cpu: number;
  /** Resident memory in MiB. */
  readonly memory: number;
  /** The longest stall of the event loop, in milliseconds. */
  readonly stall: number;
  /** The longest scrape, in milliseconds. */
  readonly scrape: number;
}

/** The measurements with each number of nodes, and their comparison. */
export function fleetPart(): Part {
  const measured = new Map<number, Measured>();
  const sizes = SIZES.map((size): [string, Measurement] => [
    `fleet of ${size} nodes`,
    async () => {
      const values = await measure(size);
      measured.set(size, values);
      return rowsOf(size, values);
    },
  ]);
  return { ...Object.fromEntries(sizes), 'growth of the fleet': () => growthOf(measured) };
}

function rowsOf(size: number, { cpu, memory, stall, scrape }: Measured): Row[] {
  const what = `one agent beside ${size} nodes of ${LINES} lines`;
  return [
    rowWithoutBudget(
      `${what}: CPU of a round and node, in ms`,
      cpu,
      `${((cpu * size) / 100).toFixed(1)} % of a core at one round in 10 s; longest scrape ${scrape.toFixed(0)} ms`,
    ),
    rowWithoutBudget(`${what}: resident memory, in MiB`, memory, ''),
    row(`${what}: longest stall, in ms`, stall, '<=', 25, ''),
  ];
}

function growthOf(measured: ReadonlyMap<number, Measured>): Row[] {
  const [few, many] = [measured.get(SIZES[0]), measured.get(SIZES[2])];
  if (few === undefined || many === undefined)
    throw new Error(`${SIZES[0]} or ${SIZES[2]} nodes were not measured`);
  const perNode = (many.memory - few.memory) / (SIZES[2] - SIZES[0]);
  return [
    row('CPU of a round and node with 200 nodes against 50', many.cpu / few.cpu, '<=', 1.3, ''),
    row('memory of one more node, in MiB', perNode, '<=', 2, ''),
  ];
}

async function measure(size: number): Promise<Measured> {
  const { agent, url, end } = await startFleet({ size, lines: LINES, flags: ['--import', STALLS] });
  try {
    let [before, stall, scrape] = [0, 0, 0];
    let text = '';
    for (let count = 0; count < WARM_UP + SCRAPES; count += 1) {
      const start = performance.now();
      text = await (await fetch(`${url}/metrics`)).text();
      const took = performance.now() - start;
      // This scrape shows the values of the time before it.
      if (count === WARM_UP - 1) before = valueOf(text, 'process_cpu_seconds_total');
      const longest = await stallOf(agent);
      if (count >= WARM_UP) {
        stall = Math.max(stall, longest);
        scrape = Math.max(scrape, took);
      }
      await wait(INTERVAL - took);
    }
    text = await (await fetch(`${url}/metrics`)).text();
    const cpu = ((valueOf(text, 'process_cpu_seconds_total') - before) * 1000) / (SCRAPES + 1) / size;
    return { cpu, memory: residentMemory(agent) / MIB, stall, scrape };
  } finally {
    end();
  }
}

/** The longest stall of an agent since the last call, in milliseconds. */
async function stallOf(agent: ChildProcess): Promise<number> {
  agent.send('stall');
  const stall = await messageOf<number>(agent);
  return stall;
}
