// How long large flushes hold up the event loop, in a process of its own: `node statsd-stalls.js port`. Sends its rows.

import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import type { PushSink } from '../../core/contract/index.js';
import { MetricCursor } from '../../core/metrics/cursor.js';
import { MetricStore } from '../../core/metrics/index.js';
import { row, type Row } from './report.js';
import { watchStalls } from './stalls.js';
import { startSink } from './statsd-sink.js';

/** The first rounds warm up: code is compiled, and the heap grows to the size it then keeps. */
const WARM_UP = 4;
const ROUNDS = WARM_UP + 5;
const SERIES = 100_000;
const OBSERVATIONS = 1_000_000;
/** How many observations are made between two turns of the loop. */
const PER_TURN = 1000;
/** Milliseconds. */
const BUDGET = 20;

/** One round: something is counted or measured, as other code would do it. */
type Work = () => Promise<void>;

/** Rows for a sink that was started. */
async function benchLargeFlushes(sink: PushSink['push']): Promise<Row[]> {
  const rows = [];
  for (const [what, store, work] of [gauges(100), gauges(1), counters(), observations()]) {
    const cursor = new MetricCursor(store);
    // What making the series left behind is not to be collected while flushes are watched.
    globalThis.gc?.();
    let longest = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const stall = await flush(sink, cursor, work);
      if (round >= WARM_UP) longest = Math.max(longest, stall);
    }
    cursor.close();
    rows.push(row(`statsd flush of ${what} over UDP: longest stall, in ms`, longest, '<=', BUDGET, ''));
  }
  return rows;
}

async function flush(sink: PushSink['push'], cursor: MetricCursor, work: Work): Promise<number> {
  await work();
  const stalls = watchStalls();
  const taken = await cursor.take();
  await sink.flush(taken.batch, new AbortController().signal);
  taken.accept();
  // The last step of the work may still hold the loop.
  await wait(5);
  return stalls();
}

function counters(): [string, MetricStore, Work] {
  const store = new MetricStore(SERIES);
  const family = store.counter({ name: 'calls', help: 'Calls.', labelNames: ['n'] });
  const all = Array.from({ length: SERIES }, (_, n) => family.with({ n }));
  const work = async (): Promise<void> => {
    for (const counter of all) counter.inc();
  };
  return ['100,000 counters in one family', store, work];
}

function gauges(families: number): [string, MetricStore, Work] {
  const store = new MetricStore(SERIES);
  for (let family = 0; family < families; family += 1) {
    const gauge = store.gauge({ name: `level_${family}`, help: 'Level.', labelNames: ['n'] });
    for (let n = 0; n < SERIES / families; n += 1) gauge.with({ n }).set(n);
  }
  return [
    `100,000 gauges in ${families === 1 ? 'one family' : `${families} families`}`,
    store,
    async () => undefined,
  ];
}

function observations(): [string, MetricStore, Work] {
  const store = new MetricStore(SERIES);
  const family = store.histogram({ name: 'took', help: 'Took.', labelNames: ['n'] });
  const histograms = Array.from({ length: 100 }, (_, n) => family.with({ n }));
  const work = async (): Promise<void> => {
    for (let made = 0; made < OBSERVATIONS; made += 1) {
      histograms[made % 100]?.observe(made / 1000);
      if (made % PER_TURN === 0) await turn();
    }
  };
  return ['1,000,000 observations in one interval (100,000 told)', store, work];
}

process.send?.(await benchLargeFlushes(await startSink(Number(process.argv[2]))));
