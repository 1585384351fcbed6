// The built program with a StatsD sink and a plugin that counts and measures as much as a test wants.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { metricValue } from '../helpers/agent-answers.js';
import { serveProject } from '../helpers/plugin-program.js';
import type { RunningProgram } from '../helpers/program.js';

/** A checker of somebody else: each check is one piece of work, read from a file. */
const WORK = `import { readFileSync } from 'node:fs';
export default {
  apiVersion: 1, kind: 'health', name: 'work', options: { file: { format: String, doc: 'what to do' } },
  create({ options, metrics }) {
    const family = { namespace: 'shop', help: 'Of the test.' };
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

/** A piece of work. */
export interface Work {
  /** How many counters grow. @default 0 */
  readonly series?: number;
  /** By how much each of them does. @default 1 */
  readonly by?: number;
  /** How many observations are made: 0, 1, 2, 3 and so on, in milliseconds. @default 0 */
  readonly observations?: number;
  /** What the gauge is set to. @default 0 */
  readonly level?: number;
}

/** The program, and what can be seen of it. */
export interface BusyAgent {
  readonly program: RunningProgram;
  readonly work: (work: Work) => Promise<void>;
  /** The value of a line of /metrics; undefined without it. */
  readonly metric: (series: string) => Promise<number | undefined>;
  /** Its memory now, in bytes. */
  readonly memory: () => number;
}

/** The bucket of the n-th counter under a prefix. */
export const bucketOf = (prefix: string, n: number): string => `${prefix}.shop.calls.${n}`;

/**
 * Starts the program.
 *
 * @param statsd options of the sink
 * @param under a command that becomes the command after it
 */
export async function startBusyAgent(
  t: ExecutionContext,
  statsd: Readonly<Record<string, unknown>>,
  under: readonly string[] = [],
): Promise<BusyAgent> {
  const settings = {
    metrics: { maxSeries: 20_000 },
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
      const reply = await fetch(`${url}/healthz`);
      if (!reply.ok) throw new Error(await reply.text());
    },
    metric: (series) => metricValue(url, series),
    memory() {
      const status = readFileSync(`/proc/${program.child.pid}/status`, 'utf8');
      return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
    },
  };
}
