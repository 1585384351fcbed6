// The agent as it is installed, in a process of its own, with three checks, 10,000 series and both sinks.

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Second, Told } from './watch.js';

/** Long enough for what the load left to be pushed, in milliseconds. */
const REST = 3000;

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** An agent that runs. */
export interface LoadedAgent {
  readonly url: string;
  /** What its watch told since this was asked last. */
  readonly seconds: () => readonly Second[];
  /** The size of what is alive on its heap once it has come to rest, in bytes. */
  readonly heap: () => Promise<number>;
  /** The value of a line of /metrics; 0 without it. */
  readonly metric: (series: string) => Promise<number>;
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
  const url = await addressOf(child);
  let seconds: Second[] = [];
  child.on('message', (told: Told) => {
    if ('second' in told) seconds.push(told.second);
  });
  return {
    url,
    seconds: () => seconds.splice(0),
    heap: async () => {
      await wait(REST);
      child.send('heap');
      for (;;) {
        const [told] = (await once(child, 'message')) as [Told];
        if ('heap' in told) return told.heap;
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
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let start = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (start.length > 10_000) return;
      start += text;
      const url = /serving on (http:\S+)/.exec(start)?.[1];
      if (url !== undefined) resolve(url);
    });
    child.once('exit', () => reject(new Error(`the agent ended:\n${start}`)));
  });
}
