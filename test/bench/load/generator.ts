// Requests /healthz over 200 connections, in a separate process. A message gives the URL and the duration; the process replies with the
// results.

import { once } from 'node:events';
import autocannon from 'autocannon';

/** The message that starts a run. */
export interface Order {
  readonly url: string;
  readonly seconds: number;
}

/** The results. Times are in milliseconds. */
export interface Results {
  readonly count: number;
  /** Connection errors, requests without a response in 10 s, and responses other than 2xx. */
  readonly failed: number;
  /** Response times without the first response of each connection. */
  readonly times: Readonly<Record<'median' | 'p99' | 'longest', number>>;
  /** Time until the last connection had its first response. */
  readonly connected: number;
  /** When the last response arrived, by the clock that all processes share. */
  readonly ended: number;
  /** Utilization of the generator's event loop, 0 to 1. */
  readonly busy: number;
}

const CONNECTIONS = 200;

const [{ url, seconds }] = (await once(process, 'message')) as [Order];
const before = performance.eventLoopUtilization();
const times: number[] = [];
let connected = 0;
let ended = 0;
const { requests, errors, non2xx } = await autocannon({
  url,
  connections: CONNECTIONS,
  duration: seconds,
  setupClient(client) {
    let isFirst = true;
    client.on('response', (_status, _bytes, time) => {
      if (isFirst) connected = Math.max(connected, time);
      else times.push(time);
      isFirst = false;
      ended = performance.timeOrigin + performance.now();
    });
  },
});
times.sort((one, other) => one - other);
const at = (part: number): number => times[Math.floor(part * (times.length - 1))] ?? Number.NaN;
const results: Results = {
  count: requests.total,
  failed: errors + non2xx,
  times: { median: at(0.5), p99: at(0.99), longest: at(1) },
  connected,
  ended,
  busy: performance.eventLoopUtilization(before).utilization,
};
process.send?.(results);
