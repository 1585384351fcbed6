// The cost of a plugin in a process of its own: time until it has started, memory of the process, time of a check and of a flush.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LeveledLoggers, type MetricBatch } from '../../core/contract/index.js';
import { describeIsolated } from '../../core/host/isolated/describe.js';
import type { IsolatedPlugin } from '../../core/host/isolated/isolated-plugin.js';
import { MetricStore } from '../../core/metrics/index.js';
import { median, rowWithoutBudget, type Row } from './report.js';

const STARTS = 10;
const CALLS = 2_000;
const FLUSHES = 50;
/** Values in a batch. */
const VALUES = 10_000;
const MAX_MEMORY = 256;

const MODULE = `export default { apiVersion: 1, kind: 'health', name: 'own', options: {},
  create: () => ({ check() {}, push: { interval: 1000, flush: async () => {} } }) };`;

export async function benchIsolate(): Promise<Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    writeFileSync(join(directory, 'own.mjs'), MODULE);
    return await measure(pathToFileURL(join(directory, 'own.mjs')).href);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function measure(url: string): Promise<Row[]> {
  const { signal } = new AbortController();
  const plugin = await create(url);
  const starts: number[] = [];
  for (let count = 0; count < STARTS; count += 1) {
    const start = performance.now();
    await plugin.init();
    await plugin.start(signal);
    starts.push(performance.now() - start);
    if (count < STARTS - 1) await plugin.stop();
  }
  const checks = await times(CALLS, () => plugin.check(signal));
  const resident = residentMemory(plugin.pid);
  const batch = batchOf(VALUES);
  const before = process.cpuUsage();
  const flushes = await times(FLUSHES, () => plugin.flush(batch, signal));
  const { user, system } = process.cpuUsage(before);
  const cpu = (user + system) / 1000 / FLUSHES;
  await plugin.stop();
  return [
    rowWithoutBudget('isolated checker: start of its process and of the plugin, in ms', median(starts), ''),
    rowWithoutBudget(
      'isolated checker: resident memory of its process, in MiB',
      resident,
      'after 2,000 checks',
    ),
    rowWithoutBudget('isolated checker: a check that returns at once, in ms', median(checks), ''),
    rowWithoutBudget(
      'isolated sink: a flush of 10,000 values that returns at once, in ms',
      median(flushes),
      `${cpu.toFixed(1)} ms CPU in the agent`,
    ),
  ];
}

async function create(url: string): Promise<IsolatedPlugin> {
  const declaration = {
    plugin: './own.mjs',
    name: undefined,
    onStartError: 'fail',
    options: {},
    origin: 'bench',
    directory: '/',
    fallback: false,
  } as const;
  const described = await describeIsolated(url, declaration, MAX_MEMORY);
  if ('problem' in described) throw new Error(described.problem);
  const context = {
    name: 'own',
    options: {},
    log: new LeveledLoggers({ write: () => undefined }).logger('own'),
    metrics: new MetricStore(100),
  };
  return described.definition.create(context) as unknown as IsolatedPlugin;
}

/** The time of each of some calls, in milliseconds. */
async function times(count: number, call: () => Promise<void>): Promise<number[]> {
  const found: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const start = performance.now();
    await call();
    found.push(performance.now() - start);
  }
  return found;
}

function batchOf(values: number): MetricBatch {
  const gauges = Array.from({ length: values }, (_, index) => ({
    namespace: 'ledger',
    subsystem: '',
    name: 'blockchain_height',
    labels: { channel: `channel-${index}` },
    value: index,
  }));
  return { counters: [], histograms: [], gauges, timings: [], droppedTimings: 0 };
}

/** Resident memory of a process in MiB. */
function residentMemory(pid = 0): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
