// The agent as it is installed, in a process of its own, with three checks, 10,000 series and both sinks.

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Memory, Second, Told } from './watch.js';

/** Long enough for what the load left to be pushed, in milliseconds. */
const REST = 3000;

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** An agent that runs. */
export interface LoadedAgent {
  readonly url: string;
  /** What its watch told since this was asked last. */
  readonly seconds: () => readonly Second[];
  /** What is in its memory once it has come to rest. */
  readonly memory: () => Promise<Memory>;
  /** The value of a line of /metrics; 0 without it. */
  readonly metric: (series: string) => Promise<number>;
  /** What it logged as a warning or an error. */
  readonly warnings: () => readonly string[];
  /** Ends it as an operator would. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts the agent.
 *
 * @param statsd port of a daemon on UDP
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
  child.on('message', (told: Told) => {
    if ('second' in told) seconds.push(told.second);
  });
  return {
    url,
    seconds: () => seconds.splice(0),
    warnings: () => warnings,
    memory: async () => {
      await wait(REST);
      child.send('memory');
      for (;;) {
        const [told] = (await once(child, 'message')) as [Told];
        if ('memory' in told) return told.memory;
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
    plugins: [
      { plugin: 'prometheus' },
      { plugin: 'statsd', options: { address: `127.0.0.1:${statsd}`, prefix: 'bench', writeInterval: '1s' } },
      { plugin: here('watch.js') },
      { plugin: here('series.js'), name: 'series-1' },
      { plugin: here('series.js'), name: 'series-2' },
    ],
  });
}

/** Its log is read to the end: a pipe that is full would drop lines, which is not what an agent at work does. */
function readLog(child: ChildProcess): { address: Promise<string>; warnings: readonly string[] } {
  const warnings: string[] = [];
  const address = new Promise<string>((resolve, reject) => {
    if (child.stderr === null) throw new TypeError('the agent has no log');
    createInterface(child.stderr).on('line', (line) => {
      const url = /serving on (http:\S+)/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
      else if (!line.includes(' INFO ')) warnings.push(line);
    });
    child.once('exit', () => reject(new Error(`the agent ended: ${warnings.join('; ')}`)));
  });
  return { address, warnings };
}
