// The requests besides /healthz: a scrape every second and a change of the log spec every 100 ms.

import { once } from 'node:events';
import { Agent, request, type IncomingMessage, type RequestOptions } from 'node:http';
import type { Interval } from './watch.js';

const SCRAPE_INTERVAL = 1000;
const CHANGE_INTERVAL = 100;
/** Longest wait for a response, in milliseconds: the scrape timeout of Prometheus. */
const TIMEOUT = 10_000;
/** How long an idle connection is reused, in milliseconds: shorter than the agent's keep-alive timeout. */
const IDLE = 5000;
const SPECS = ['info', 'gossip=debug:info'] as const;

/** The requests so far. */
export interface Requests {
  readonly scrapes: readonly Interval[];
  readonly changes: readonly Interval[];
  /** The reasons of failed requests, one line each. */
  readonly failures: readonly string[];
}

/** Sends requests until the returned function is called, which resolves with all of them. */
export function startClients(url: string): () => Promise<Requests> {
  const requests = { scrapes: [] as Interval[], changes: [] as Interval[], failures: [] as string[] };
  const agent = new Agent({ keepAlive: true, timeout: IDLE });

  async function send(
    path: string,
    options: RequestOptions,
    status: number,
    list: Interval[],
    body?: string,
  ): Promise<void> {
    const at = performance.timeOrigin + performance.now();
    try {
      const received = await fetchStatus(`${url}${path}`, { ...options, agent, timeout: TIMEOUT }, body);
      if (received !== status) requests.failures.push(`${path}: status ${received}`);
    } catch (error) {
      requests.failures.push(`${path}: ${String(error)}`);
    }
    list.push({ at, length: performance.timeOrigin + performance.now() - at });
  }

  const scrape = (): Promise<void> =>
    send('/metrics', { headers: { 'Accept-Encoding': 'gzip' } }, 200, requests.scrapes);
  const change = (): Promise<void> => {
    const spec = SPECS[requests.changes.length % SPECS.length];
    return send('/logspec', { method: 'PUT' }, 204, requests.changes, JSON.stringify({ spec }));
  };
  const loops = [repeat(SCRAPE_INTERVAL, scrape), repeat(CHANGE_INTERVAL, change)];
  return async () => {
    await Promise.all(loops.map((stop) => stop()));
    agent.destroy();
    return requests;
  };
}

/** Calls a function at an interval, in milliseconds, even while earlier calls are pending. The result stops that and waits for them. */
function repeat(interval: number, work: () => Promise<void>): () => Promise<unknown> {
  const pending = new Set<Promise<void>>();
  const timer = setInterval(() => {
    const done = work().finally(() => pending.delete(done));
    pending.add(done);
  }, interval);
  return () => {
    clearInterval(timer);
    return Promise.all(pending);
  };
}

/** The status of a response whose body was read completely. */
async function fetchStatus(url: string, options: RequestOptions, body?: string): Promise<number> {
  const sent = request(url, options);
  sent.on('timeout', () => sent.destroy(new Error('no response in time')));
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  await response.resume().toArray();
  return response.statusCode ?? 0;
}
