// Starts the built program with a StatsD sink and a plugin that produces as many metrics as a test needs.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { metricValue } from '../helpers/agent-endpoints.js';
import { serveProject } from '../helpers/plugin-program.js';
import type { RunningProgram } from '../helpers/program.js';

/** A health checker. Each check produces the metrics that a file describes. */
const WORK = `import { readFileSync } from 'node:fs';
export default {
  apiVersion: 1, kind: 'checker', name: 'work', options: { file: { format: String, doc: 'description of the metrics' } },
  create({ options, metrics }) {
    const family = { namespace: 'shop', help: 'A test metric.' };
    const calls = metrics.counter({ ...family, name: 'calls', labelNames: ['n'] });
    const level = metrics.gauge({ ...family, name: 'level' });
    const took = metrics.histogram({ ...family, name: 'took' });
    let observed = 0;
    return {
      check() {
        const work = JSON.parse(readFileSync(options.file, 'utf8'));
        for (let n = 0; n < work.series; n += 1) calls.with({ n }).inc(work.by);
        for (let n = 0; n < work.observations; n += 1) took.observe(observed++ / 1000);
        level.set(work.level);
      },
    };
  },
};
`;

/** The metrics that one check produces. */
export interface Work {
  /** Number of counters to increment. @default 0 */
  readonly series?: number;
  /** Increment of each counter. @default 1 */
  readonly by?: number;
  /** Number of observations: 0, 1, 2, 3 and so on, in milliseconds. @default 0 */
  readonly observations?: number;
  /** Value of the gauge. @default 0 */
  readonly level?: number;
}

/** A running program. */
export interface BusyAgent {
  readonly program: RunningProgram;
  /** Runs a check that produces these metrics. */
  readonly work: (work: Work) => Promise<void>;
  /** Returns the value of a series of /metrics; undefined if there is no such series. */
  readonly metric: (series: string) => Promise<number | undefined>;
  /** Returns its resident memory, in bytes. */
  readonly memory: () => number;
}

/** Returns the bucket name of the n-th counter. */
export const bucketOf = (prefix: string, n: number): string => `${prefix}.fabric_ops_agent.shop.calls.${n}`;

/**
 * Starts the program.
 *
 * @param statsd options of the StatsD sink
 * @param under a command that executes the command given as its arguments
 */
export async function startBusyAgent(
  t: ExecutionContext,
  statsd: Readonly<Record<string, unknown>>,
  under: readonly string[] = [],
): Promise<BusyAgent> {
  const settings = {
    metrics: { maxSeries: 20_000 },
    // A run of the checks in the background would produce the metrics once more.
    health: { interval: '1h', cacheFor: '0s' },
    plugins: [
      { plugin: 'statsd', options: statsd },
      { plugin: 'prometheus' },
      { plugin: './work.js', options: { file: 'work.json' } },
    ],
  };
  const program = await serveProject(t, { files: { 'work.js': WORK }, settings }, { under });
  const { folder, url } = program;
  return {
    program,
    async work({ series = 0, by = 1, observations = 0, level = 0 }) {
      writeFileSync(join(folder, 'work.json'), JSON.stringify({ series, by, observations, level }));
      const response = await fetch(`${url}/healthz`);
      if (!response.ok) throw new Error(await response.text());
    },
    metric: (series) => metricValue(url, series),
    memory() {
      const status = readFileSync(`/proc/${program.child.pid}/status`, 'utf8');
      return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
    },
  };
}
