// What 20 open pages of the agent cost, against a scrape each second.

import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { startFleet } from './fleet-agent.js';
import { median, row, type Row } from './report.js';

const NODES = 4;
const LINES = 2_000;
const PAGES = 20;
const ROUNDS = 3;
/** How long each round lasts, in milliseconds. */
const ROUND = 10_000;
/** Ticks of the clock of /proc in a second. */
const TICKS = 100;

/** One row: the CPU of the agent with pages against that with scrapes. */
export async function benchPage(): Promise<Row[]> {
  const { agent, url, end } = await startFleet({ size: NODES, lines: LINES });
  try {
    const rounds: { readonly pages: number; readonly scrapes: number }[] = [];
    // The first round warms up.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const idle = await cpuOf(agent, () => wait(ROUND));
      const scrapes = (await cpuOf(agent, () => scrapeEachSecond(url))) - idle;
      const pages = (await cpuOf(agent, () => openPages(url))) - idle;
      if (round > 0) rounds.push({ pages, scrapes });
    }
    const [pages, scrapes] = [
      median(rounds.map((each) => each.pages)),
      median(rounds.map((each) => each.scrapes)),
    ];
    return [
      row(
        `CPU of the agent with ${PAGES} open pages against a scrape each second, beside ${NODES} nodes of ${LINES} lines`,
        median(rounds.map((each) => each.pages / each.scrapes)),
        '<=',
        1,
        `pages ${pages.toFixed(0)} ms, scrapes ${scrapes.toFixed(0)} ms in ${ROUND / 1000} s`,
      ),
    ];
  } finally {
    end();
  }
}

async function scrapeEachSecond(url: string): Promise<void> {
  const until = performance.now() + ROUND;
  while (performance.now() < until) {
    const start = performance.now();
    await (await fetch(`${url}/metrics`)).text();
    await wait(1000 - (performance.now() - start));
  }
}

async function openPages(url: string): Promise<void> {
  const abort = new AbortController();
  const pages = Array.from({ length: PAGES }, async () => {
    const { body } = await fetch(`${url}/events`, { signal: abort.signal });
    for await (const chunk of body!) void chunk;
  });
  await wait(ROUND);
  abort.abort();
  await Promise.allSettled(pages);
}

/** The CPU time that a process uses while a call runs, in milliseconds. */
async function cpuOf({ pid }: ChildProcess, call: () => Promise<void>): Promise<number> {
  const used = (): number => {
    const stat = readFileSync(`/proc/${pid ?? ''}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS;
  };
  const before = used();
  await call();
  return used() - before;
}
