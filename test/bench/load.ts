// The whole agent under load: 200 connections ask for /healthz, with 3 checks, while 10,000 series are scraped every second and pushed
// every second, and the log specification is changed every 100 ms.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startAgent, type LoadedAgent } from './load/agent.js';
import { startClients, type Asked } from './load/clients.js';
import { explain, judge, overlap, type Judged } from './load/explain.js';
import type { Answers, Order } from './load/generator.js';
import type { Second, Stall } from './load/watch.js';
import { figure, row, type Row } from './report.js';
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
  const before = await agent.heap();
  daemon.send('');
  await once(daemon, 'message');
  const outcome = await load(agent, SECONDS);
  daemon.send('');
  const [received] = (await once(daemon, 'message')) as [Received];
  const after = await agent.heap();
  const rows = [
    ...(await failures(agent, outcome, received)),
    ...times(outcome),
    row(
      `load: growth of the heap in ${SECONDS} s, in MiB`,
      (after - before) / MEBIBYTE,
      '<=',
      1,
      `${(before / MEBIBYTE).toFixed(1)} MiB before, both after a full collection`,
    ),
    memory(outcome),
  ];
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
  const done = `${answers.count} answers of /healthz, ${asked.scrapes.length} scrapes, ${asked.changes.length} changes of the log specification, ${lines} lines told to StatsD`;
  const first = asked.failures[0];
  return [row('load: errors', failed, '<=', 0, first === undefined ? done : `${done}; ${first}`)];
}

function times({ answers, asked, seconds }: Outcome): Row[] {
  const { count, connected, ended, busy } = answers;
  const { median: middle, p99, longest } = answers.times;
  const collections = seconds.flatMap((second) => second.collections);
  // Two hundred connections that are closed at once are no load that anybody waits in.
  const worstOf = (stalls: readonly Stall[]): Judged | undefined =>
    judge(
      stalls.filter(({ at, length }) => at + length < ended),
      collections,
    )[0];
  const blocks = seconds.flatMap((second) => second.blocks);
  const block = worstOf(blocks);
  const rendering = worstOf(
    blocks.filter((stall) => asked.scrapes.some((scrape) => overlap(scrape, stall) > 0)),
  );
  const turn = worstOf(seconds.flatMap((second) => second.turns));
  return [
    figure(
      'load: p99 of /healthz over 200 connections, in ms',
      p99,
      `median ${middle.toFixed(0)}, longest ${longest.toFixed(0)}; ${Math.round(count / SECONDS)} requests/s, the generator was at work ${Math.round(100 * busy)} % of the time; node takes one new connection in each turn of the loop, the last one had its first answer after ${connected.toFixed(0)} ms`,
    ),
    row(
      'load: longest time without a turn for /healthz during a scrape, in ms',
      rendering?.own ?? 0,
      '<=',
      25,
      explain(rendering, asked),
    ),
    figure('load: longest time without a turn for /healthz, in ms', block?.own ?? 0, explain(block, asked)),
    figure('load: longest time between two turns of the loop, in ms', turn?.own ?? 0, explain(turn, asked)),
  ];
}

/** The least of some seconds: what is above it is garbage that was not collected yet. */
function memory({ seconds }: Outcome): Row {
  const third = Math.floor(seconds.length / 3);
  const floor = (part: readonly Second[]): number => Math.min(...part.map(({ rss }) => rss));
  const [first, last] = [floor(seconds.slice(0, third)), floor(seconds.slice(-third))];
  return row(
    'load: least memory in the last 20 s against the first 20 s',
    last / first,
    '<=',
    1.05,
    `${(first / MEBIBYTE).toFixed(0)} MiB, then ${(last / MEBIBYTE).toFixed(0)} MiB resident`,
  );
}
