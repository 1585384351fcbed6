// How long large flushes block the event loop. Runs as a separate process, `node statsd-stalls.js PORT`, and sends its rows to the parent process.

import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import type { PushSink } from '../../core/contract/index.js';
import { MetricCursor } from '../../core/metrics/cursor.js';
import { MetricStore } from '../../core/metrics/index.js';
import { row, type Row } from './report.js';
import { watchStalls } from './stalls.js';
import { startSink } from './statsd-sink.js';

/** Rounds in which code is compiled and the heap grows to its final size. */
const WARM_UP = 4;
const ROUNDS = WARM_UP + 5;
const SERIES = 100_000;
const OBSERVATIONS = 1_000_000;
/** Observations per turn of the event loop. */
const PER_TURN = 1000;
/** Longest stall, in milliseconds. prom-client reads a family in one step, so that none has more series than `metrics.maxSeries` allows by default. */
const BUDGET = 20;

/** Counts or observes values for one round. */
type Work = () => Promise<void>;

/** Rows for a started sink. */
async function benchLargeFlushes(sink: PushSink['push']): Promise<Row[]> {
  const rows = [];
  for (const [what, store, work] of [gauges(100), gauges(10), counters(), observations()]) {
    const cursor = new MetricCursor(store);
    // Collect the garbage of the set-up now, not during a measured flush.
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
  // The last step of the flush may still block the event loop.
  await wait(5);
  return stalls();
}

function counters(): [string, MetricStore, Work] {
  const store = new MetricStore(SERIES);
  const all = Array.from({ length: SERIES }, (_, n) =>
    store.counter({ name: `calls_${n % 10}`, help: 'Calls.', labelNames: ['n'] }).with({ n }),
  );
  const work = async (): Promise<void> => {
    for (const counter of all) counter.inc();
  };
  return ['100,000 counters in 10 families', store, work];
}

function gauges(families: number): [string, MetricStore, Work] {
  const store = new MetricStore(SERIES);
  for (let family = 0; family < families; family += 1) {
    const gauge = store.gauge({ name: `level_${family}`, help: 'Level.', labelNames: ['n'] });
    for (let n = 0; n < SERIES / families; n += 1) gauge.with({ n }).set(n);
  }
  return [`100,000 gauges in ${families} families`, store, async () => undefined];
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
  return ['1,000,000 observations in one interval (100,000 sent)', store, work];
}

process.send?.(await benchLargeFlushes(await startSink(Number(process.argv[2]))));
