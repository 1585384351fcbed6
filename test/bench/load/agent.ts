// Runs the installed agent in a separate process, with three checks, 10,000 series and both sinks.

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Memory, Report, Second } from './watch.js';
import { messageOf } from '../message.js';

/** Long enough for the last push after the load, in milliseconds. */
const REST = 3000;

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** A running agent. */
export interface LoadedAgent {
  readonly url: string;
  /** What the watch checker reported since the last call. */
  readonly seconds: () => readonly Second[];
  /** Its memory after the load has ended. */
  readonly memory: () => Promise<Memory>;
  /** The value of a series in /metrics; 0 if there is none. */
  readonly metric: (series: string) => Promise<number>;
  /** The warnings and errors that it logged. */
  readonly warnings: () => readonly string[];
  /** Stops it with SIGTERM. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts the agent.
 *
 * @param statsd the UDP port of a StatsD daemon
 */
export async function startAgent(statsd: number): Promise<LoadedAgent> {
  const folder = mkdtempSync(join(tmpdir(), 'fabric-ops-agent-bench-'));
  const file = join(folder, 'agent.yaml');
  writeFileSync(file, settings(statsd));
  const child = fork(here('../../../core/main.js'), ['start', '--config', file], {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const { address, warnings } = readLog(child);
  const url = await address;
  let seconds: Second[] = [];
  child.on('message', (report: Report) => {
    if ('second' in report) seconds.push(report.second);
  });
  return {
    url,
    seconds: () => seconds.splice(0),
    warnings: () => warnings,
    memory: async () => {
      await wait(REST);
      child.send('memory');
      for (;;) {
        const report = await messageOf<Report>(child);
        if ('memory' in report) return report.memory;
      }
    },
    metric: async (series) => {
      const lines = (await (await fetch(`${url}/metrics`)).text()).split('\n');
      const line = lines.find((text) => text.startsWith(`${series} `));
      return Number(line?.slice(series.length + 1) ?? 0);
    },
    stop: async () => {
      child.kill('SIGTERM');
      const [status] = (await once(child, 'exit')) as [number | null];
      rmSync(folder, { recursive: true });
      if (status !== 0) throw new Error(`the agent ended with status ${status}`);
    },
  };
}

function settings(statsd: number): string {
  return JSON.stringify({
    operations: { listenAddress: '127.0.0.1:0' },
    // Each request runs the check that measures.
    health: { cacheFor: '0s' },
    plugins: [
      { plugin: 'prometheus' },
      { plugin: 'statsd', options: { address: `127.0.0.1:${statsd}`, prefix: 'bench', writeInterval: '1s' } },
      { plugin: here('watch.js') },
      { plugin: here('series.js'), name: 'series-1' },
      { plugin: here('series.js'), name: 'series-2' },
    ],
  });
}

/** Reads the log to its end, because the agent drops lines when the pipe is full. */
function readLog(child: ChildProcess): { address: Promise<string>; warnings: readonly string[] } {
  const warnings: string[] = [];
  const address = new Promise<string>((resolve, reject) => {
    if (child.stderr === null) throw new TypeError('the agent has no standard error');
    createInterface(child.stderr).on('line', (line) => {
      const url = /serving on (http:\S+)/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
      else if (!line.includes(' INFO ')) warnings.push(line);
    });
    child.once('exit', () => reject(new Error(`the agent ended: ${warnings.join('; ')}`)));
  });
  return { address, warnings };
}
