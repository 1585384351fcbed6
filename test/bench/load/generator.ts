// Asks for /healthz over 200 connections, in a process of its own. A message says where and for how many seconds; the answer says how
// it went.

import { once } from 'node:events';
import autocannon from 'autocannon';

/** What is to be done. */
export interface Order {
  readonly url: string;
  readonly seconds: number;
}

/** How the requests went. Times are in milliseconds. */
export interface Answers {
  readonly count: number;
  /** Errors of connections, requests without an answer in 10 s, answers other than 2xx. */
  readonly failed: number;
  /** Of all answers but the first of each connection. */
  readonly times: Readonly<Record<'median' | 'p99' | 'longest', number>>;
  /** Until the first answer of the last connection. */
  readonly connected: number;
  /** When the last answer came, by the clock that all processes of the machine share. */
  readonly ended: number;
  /** How much of the time the generator itself was at work, 0 to 1. */
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
const answers: Answers = {
  count: requests.total,
  failed: errors + non2xx,
  times: { median: at(0.5), p99: at(0.99), longest: at(1) },
  connected,
  ended,
  busy: performance.eventLoopUtilization(before).utilization,
};
process.send?.(answers);
