// Measures the relay of synthetic readings. Runs as a separate process, `node relay-process.js PORT`, and sends its rows to the parent
// process.

import { setTimeout as wait } from 'node:timers/promises';
import {
  LeveledLoggers,
  type PushSink,
  type SourceFamily,
  type SourceReading,
} from '../../core/contract/index.js';
import { MetricCursor } from '../../core/metrics/cursor.js';
import {
  createSourceMetrics,
  MetricStore,
  RelayReader,
  SourceRunner,
  Sources,
  SourceTotals,
} from '../../core/metrics/index.js';
import { render } from '../../plugins/metrics/prometheus/exposition.js';
import { median, row, type Row } from './report.js';
import { watchStalls } from './stalls.js';
import { startSink } from './statsd-sink.js';

/** Until V8 has optimized the code. */
const WARM_UP = 60;
const ROUNDS = 20;
/** How long a reading is used, in milliseconds: the scrape of a round uses that of its flush. */
const MAX_AGE = 80;
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, Infinity];
const MIB = 2 ** 20;

/** Rows for readings with this many lines. */
async function benchLines(lines: number, sink: PushSink['push']): Promise<Row[]> {
  const store = new MetricStore(10_000);
  const sources = new Sources();
  const cursor = new MetricCursor(store, { sources });
  const reader = new RelayReader(store, sources);
  let time = 0;
  let reading = readingOf(lines, time);
  const prepare = async (): Promise<void> => {
    time += 1;
    reading = readingOf(lines, time);
    await wait(MAX_AGE + 10);
  };
  const round = async (): Promise<void> => {
    const taken = await cursor.take();
    await sink.flush(taken.batch, new AbortController().signal);
    taken.accept();
    await render(reader, 'text');
  };
  // What the agent needs without a source is not part of the relay.
  const without = await measure(prepare, round);
  const before = usedHeap();
  sources.add(createRunner(store, async () => reading));
  const measured = await measure(prepare, round);
  const kept = (usedHeap() - before) / MIB;
  const what = `relay of ${lines.toLocaleString('en')} lines, one round`;
  const cpu = row(
    `${what}: CPU of growth, StatsD and a scrape, in ms`,
    measured.cpu - without.cpu,
    '<=',
    lines / 100,
    `without the relay ${without.cpu.toFixed(1)} ms; the values are synthetic, so without parser`,
  );
  const memory = row(`${what}: kept memory, in MiB`, kept, '<=', lines / 1000, '');
  const stall = row(`${what}: longest stall, in ms`, measured.stall, '<=', 25, 'median of 20 rounds');
  cursor.close();
  return [cpu, memory, stall];
}

function createRunner(store: MetricStore, read: () => Promise<SourceReading>): SourceRunner {
  return new SourceRunner({
    name: 'peer0',
    nodeKind: 'peer',
    read,
    // As for the readings of the built-in sources.
    isChecked: true,
    totals: new SourceTotals(0),
    metrics: createSourceMetrics(store, 'peer0'),
    log: new LeveledLoggers({ write: () => undefined }).logger('bench'),
    maxAge: MAX_AGE,
  });
}

/** The medians of the CPU time of a round and of its longest stall, both in milliseconds. */
async function measure(
  prepare: () => Promise<void>,
  round: () => Promise<void>,
): Promise<{ readonly cpu: number; readonly stall: number }> {
  const times: number[] = [];
  const longest: number[] = [];
  for (let count = 0; count < WARM_UP + ROUNDS; count += 1) {
    await prepare();
    const stalls = watchStalls();
    const before = process.cpuUsage();
    await round();
    const { user, system } = process.cpuUsage(before);
    // The last step may still block the event loop.
    await wait(5);
    const stall = stalls();
    if (count < WARM_UP) continue;
    times.push((user + system) / 1000);
    longest.push(stall);
  }
  return { cpu: median(times), stall: median(longest) };
}

function usedHeap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

/** A quarter of the lines are counters, a quarter gauges, half belong to histograms; the labels are new objects each time. */
function readingOf(lines: number, time: number): SourceReading {
  const families: SourceFamily[] = [];
  const perFamily = Math.ceil(lines / 4 / 25);
  for (let index = 0; index < 25; index += 1) {
    families.push(familyOf('counter', `calls_${index}`, perFamily, (n) => 1000 + n * time));
    families.push(familyOf('gauge', `level_${index}`, perFamily, (n) => n + time));
    const series = Math.ceil((perFamily * 2) / (BOUNDS.length + 2));
    families.push(familyOf('histogram', `took_${index}`, series, () => histogramAt(time)));
  }
  return { startTime: 1, families };
}

function histogramAt(time: number): SourceFamily['series'][number]['value'] {
  // Two observations per round in each of the first four buckets.
  const counts = BOUNDS.map((_, index) => time * 2 * Math.min(index + 1, 4));
  return { bounds: BOUNDS, counts, sum: time * 0.1, count: counts.at(-1) ?? 0 };
}

function familyOf(
  type: SourceFamily['type'],
  name: string,
  size: number,
  valueOf: (n: number) => SourceFamily['series'][number]['value'],
): SourceFamily {
  const series = Array.from({ length: size }, (_, n) => ({
    labels: { channel: `channel${n % 10}`, chaincode: `chaincode${n}:1.0` },
    value: valueOf(n),
  }));
  return { name, help: 'A family.', type, parts: { namespace: 'ledger', subsystem: 'bench', name }, series };
}

const sink = await startSink(Number(process.argv[2]));
const rows: Row[] = [];
for (const lines of [2_000, 20_000]) rows.push(...(await benchLines(lines, sink)));
process.send?.(rows);
