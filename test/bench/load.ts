// The whole agent under load: 200 connections request /healthz with 3 checks, 10,000 series are scraped and pushed every second, and
// the log spec changes every 100 ms.

import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { startAgent, type LoadedAgent } from './load/agent.js';
import { startClients, type Requests } from './load/clients.js';
import { explain, overlap, worstOf } from './load/explain.js';
import type { Order, Results } from './load/generator.js';
import type { Memory, Second, Stall } from './load/watch.js';
import { messageOf } from './message.js';
import { rowWithoutBudget, row, type Row } from './report.js';
import type { Received } from './statsd-receiver.js';

/** Seconds until code is compiled and the heap has its size. */
const WARM_UP = 15;
const SECONDS = 60;
const MEBIBYTE = 2 ** 20;

interface Outcome {
  readonly results: Results;
  readonly requests: Requests;
  readonly seconds: readonly Second[];
}

export async function benchLoad(): Promise<Row[]> {
  const daemon = fork(fileURLToPath(new URL('statsd-receiver.js', import.meta.url)));
  const port = await messageOf<number>(daemon);
  const agent = await startAgent(port);
  await load(agent, WARM_UP);
  const before = await agent.memory();
  daemon.send('');
  await messageOf(daemon);
  const outcome = await load(agent, SECONDS);
  daemon.send('');
  const received = await messageOf<Received>(daemon);
  const after = await agent.memory();
  const rows = [...(await failures(agent, outcome, received)), ...times(outcome), ...growth(before, after)];
  await agent.stop();
  daemon.kill();
  return rows;
}

async function load(agent: LoadedAgent, seconds: number): Promise<Outcome> {
  const generator = fork(fileURLToPath(new URL('load/generator.js', import.meta.url)));
  agent.seconds();
  const finish = startClients(agent.url);
  const order: Order = { url: `${agent.url}/healthz`, seconds };
  generator.send(order);
  const results = await messageOf<Results>(generator);
  generator.kill();
  return { results, requests: await finish(), seconds: agent.seconds() };
}

async function failures(
  agent: LoadedAgent,
  { results, requests }: Outcome,
  { lines }: Received,
): Promise<Row[]> {
  const notPushed = await agent.metric(
    'fabric_ops_agent_statsd_flushes_total{result="failed",sink="statsd"}',
  );
  const failed = results.failed + requests.failures.length + notPushed;
  const kinds = `${results.failed} of /healthz, ${requests.failures.length} of scrapes and changes, ${notPushed} of pushes`;
  const done = `${results.count} responses of /healthz, ${requests.scrapes.length} scrapes, ${requests.changes.length} changes of the log spec, ${lines} lines sent to StatsD`;
  const how = failed === 0 ? '' : `; ${kinds}: ${[...requests.failures, ...agent.warnings()][0] ?? ''}`;
  return [row('load: errors', failed, '<=', 0, `${done}${how}`)];
}

function times({ results, requests, seconds }: Outcome): Row[] {
  const { count, connected, ended, busy } = results;
  const { median: middle, p99, longest } = results.times;
  // Closing 200 connections at the end is not part of the load.
  const isLoad = ({ at, length }: Stall): boolean => at + length < ended;
  const isScrape = (stall: Stall): boolean => requests.scrapes.some((scrape) => overlap(scrape, stall) > 0);
  const blocks = seconds.flatMap((second) => second.blocks).filter(isLoad);
  const turns = seconds.flatMap((second) => second.turns).filter(isLoad);
  const collections = seconds.flatMap((second) => second.collections);
  const describe = (stall: Stall | undefined): [number, string] => [
    stall?.ran ?? 0,
    explain(stall, requests, collections),
  ];
  const [rendering, renderingNote] = describe(worstOf(blocks.filter(isScrape)));
  return [
    rowWithoutBudget(
      'load: p99 of /healthz over 200 connections, in ms',
      p99,
      `median ${middle.toFixed(0)}, longest ${longest.toFixed(0)}; ${Math.round(count / SECONDS)} requests/s, the generator was ${Math.round(100 * busy)} % busy; Node accepts one connection per event loop iteration, the last one had its first response after ${connected.toFixed(0)} ms`,
    ),
    row('load: longest stall of /healthz during a scrape, in ms', rendering, '<=', 25, renderingNote),
    rowWithoutBudget('load: longest stall of /healthz, in ms', ...describe(worstOf(blocks))),
    rowWithoutBudget('load: longest event loop iteration, in ms', ...describe(worstOf(turns))),
  ];
}

function growth(before: Memory, after: Memory): Row[] {
  const mebibytes = (bytes: number): string => (bytes / MEBIBYTE).toFixed(1);
  return [
    row(
      `load: growth of live memory in ${SECONDS} s, in MiB`,
      (after.used - before.used) / MEBIBYTE,
      '<=',
      1,
      `${mebibytes(before.used)} MiB before, both idle after a full garbage collection`,
    ),
    // The amount of unused memory that V8 keeps varies by a tenth from run to run.
    row(
      'load: resident memory after the load against before',
      after.resident / before.resident,
      '<=',
      1.25,
      `${mebibytes(before.resident)} MiB, then ${mebibytes(after.resident)} MiB`,
    ),
  ];
}
