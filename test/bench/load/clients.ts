// What is asked of the agent besides /healthz: a scrape every second, a change of the log specification every 100 ms.

import { once } from 'node:events';
import { Agent, request, type IncomingMessage, type RequestOptions } from 'node:http';
import type { Stretch } from './watch.js';

const SCRAPE_INTERVAL = 1000;
const CHANGE_INTERVAL = 100;
/** Longest wait for an answer, in milliseconds, as a scraper of Prometheus has it. */
const TIMEOUT = 10_000;
/** How long a connection is kept for another request, in milliseconds: less than the agent keeps it. */
const IDLE = 5000;
const SPECS = ['info', 'gossip=debug:info'] as const;

/** What was asked so far. */
export interface Asked {
  readonly scrapes: readonly Stretch[];
  readonly changes: readonly Stretch[];
  /** Why something failed, one line each. */
  readonly failures: readonly string[];
}

/** Asks until it is told to stop; the result is complete then. */
export function startClients(url: string): () => Promise<Asked> {
  const asked = { scrapes: [] as Stretch[], changes: [] as Stretch[], failures: [] as string[] };
  const agent = new Agent({ keepAlive: true, timeout: IDLE });

  async function ask(
    path: string,
    options: RequestOptions,
    status: number,
    list: Stretch[],
    body?: string,
  ): Promise<void> {
    const at = performance.timeOrigin + performance.now();
    try {
      const answered = await exchange(`${url}${path}`, { ...options, agent, timeout: TIMEOUT }, body);
      if (answered !== status) asked.failures.push(`${path} was answered ${answered}`);
    } catch (error) {
      asked.failures.push(`${path}: ${String(error)}`);
    }
    list.push({ at, length: performance.timeOrigin + performance.now() - at });
  }

  const scrape = (): Promise<void> =>
    ask('/metrics', { headers: { 'Accept-Encoding': 'gzip' } }, 200, asked.scrapes);
  const change = (): Promise<void> => {
    const spec = SPECS[asked.changes.length % SPECS.length];
    return ask('/logspec', { method: 'PUT' }, 204, asked.changes, JSON.stringify({ spec }));
  };
  const endless = [repeat(SCRAPE_INTERVAL, scrape), repeat(CHANGE_INTERVAL, change)];
  return async () => {
    await Promise.all(endless.map((end) => end()));
    agent.destroy();
    return asked;
  };
}

/** Does something every so many milliseconds, however long it takes; the result ends that and waits for what is under way. */
function repeat(interval: number, work: () => Promise<void>): () => Promise<unknown> {
  const underWay = new Set<Promise<void>>();
  const timer = setInterval(() => {
    const done = work().finally(() => underWay.delete(done));
    underWay.add(done);
  }, interval);
  return () => {
    clearInterval(timer);
    return Promise.all(underWay);
  };
}

/** The status of an answer that was read to its end. */
async function exchange(url: string, options: RequestOptions, body?: string): Promise<number> {
  const asking = request(url, options);
  asking.on('timeout', () => asking.destroy(new Error('there was no answer in time')));
  asking.end(body);
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  await response.resume().toArray();
  return response.statusCode ?? 0;
}
