// The whole agent under load: 200 connections ask for /healthz, with 3 checks, while 10,000 series are scraped every second and pushed
// every second, and the log specification is changed every 100 ms.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startAgent, type LoadedAgent } from './load/agent.js';
import { startClients, type Asked } from './load/clients.js';
import { explain, overlap, worstOf } from './load/explain.js';
import type { Answers, Order } from './load/generator.js';
import type { Memory, Second, Stall } from './load/watch.js';
import { rowWithoutBudget, row, type Row } from './report.js';
import type { Received } from './statsd-receiver.js';

/** Code is compiled, buffers and the heap grow to the size that they keep. */
const WARM_UP = 15;
const SECONDS = 60;
const MEBIBYTE = 2 ** 20;

interface Outcome {
  readonly answers: Answers;
  readonly asked: Asked;
  readonly seconds: readonly Second[];
}

export async function benchLoad(): Promise<Row[]> {
  const daemon = fork(fileURLToPath(new URL('statsd-receiver.js', import.meta.url)));
  const [port] = (await once(daemon, 'message')) as [number];
  const agent = await startAgent(port);
  await load(agent, WARM_UP);
  const before = await agent.memory();
  daemon.send('');
  await once(daemon, 'message');
  const outcome = await load(agent, SECONDS);
  daemon.send('');
  const [received] = (await once(daemon, 'message')) as [Received];
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
  const [answers] = (await once(generator, 'message')) as [Answers];
  generator.kill();
  return { answers, asked: await finish(), seconds: agent.seconds() };
}

async function failures(
  agent: LoadedAgent,
  { answers, asked }: Outcome,
  { lines }: Received,
): Promise<Row[]> {
  const notPushed = await agent.metric('statsd_flushes_total{result="failed",sink="statsd"}');
  const failed = answers.failed + asked.failures.length + notPushed;
  const kinds = `${answers.failed} of /healthz, ${asked.failures.length} of scrapes and changes, ${notPushed} of pushes`;
  const done = `${answers.count} answers of /healthz, ${asked.scrapes.length} scrapes, ${asked.changes.length} changes of the log specification, ${lines} lines told to StatsD`;
  const how = failed === 0 ? '' : `; ${kinds}: ${[...asked.failures, ...agent.warnings()][0] ?? ''}`;
  return [row('load: errors', failed, '<=', 0, `${done}${how}`)];
}

function times({ answers, asked, seconds }: Outcome): Row[] {
  const { count, connected, ended, busy } = answers;
  const { median: middle, p99, longest } = answers.times;
  // Two hundred connections that are closed at once are no load that anybody waits in.
  const isLoad = ({ at, length }: Stall): boolean => at + length < ended;
  const isScrape = (stall: Stall): boolean => asked.scrapes.some((scrape) => overlap(scrape, stall) > 0);
  const blocks = seconds.flatMap((second) => second.blocks).filter(isLoad);
  const turns = seconds.flatMap((second) => second.turns).filter(isLoad);
  const collections = seconds.flatMap((second) => second.collections);
  const told = (stall: Stall | undefined): [number, string] => [
    stall?.ran ?? 0,
    explain(stall, asked, collections),
  ];
  const [rendering, renderingNote] = told(worstOf(blocks.filter(isScrape)));
  return [
    rowWithoutBudget(
      'load: p99 of /healthz over 200 connections, in ms',
      p99,
      `median ${middle.toFixed(0)}, longest ${longest.toFixed(0)}; ${Math.round(count / SECONDS)} requests/s, the generator was at work ${Math.round(100 * busy)} % of the time; node takes one new connection in each turn of the loop, the last one had its first answer after ${connected.toFixed(0)} ms`,
    ),
    row(
      'load: longest work without a turn for /healthz during a scrape, in ms',
      rendering,
      '<=',
      25,
      renderingNote,
    ),
    rowWithoutBudget('load: longest work without a turn for /healthz, in ms', ...told(worstOf(blocks))),
    rowWithoutBudget('load: longest work in one turn of the loop, in ms', ...told(worstOf(turns))),
  ];
}

function growth(before: Memory, after: Memory): Row[] {
  const mebibytes = (bytes: number): string => (bytes / MEBIBYTE).toFixed(1);
  return [
    row(
      `load: growth of what is alive in memory in ${SECONDS} s, in MiB`,
      (after.used - before.used) / MEBIBYTE,
      '<=',
      1,
      `${mebibytes(before.used)} MiB before, both at rest after a full collection`,
    ),
    // What the engine keeps of the memory that it does not use goes up and down by a tenth from run to run.
    row(
      'load: resident memory after the load against before',
      after.resident / before.resident,
      '<=',
      1.25,
      `${mebibytes(before.resident)} MiB, then ${mebibytes(after.resident)} MiB`,
    ),
  ];
}
