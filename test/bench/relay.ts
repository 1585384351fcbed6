// One round of a relay: a reading, its growth, a flush to StatsD and a scrape, with synthetic readings.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Row } from './report.js';

/**
 * Rows for readings of 2,000 and 20,000 lines. They are measured in a process of their own, with a garbage collector that does not wait
 * for other threads.
 */
export async function benchRelay(): Promise<Row[]> {
  const receiver = fork(fileURLToPath(new URL('statsd-receiver.js', import.meta.url)));
  const [port] = (await once(receiver, 'message')) as [number];
  const child = fork(fileURLToPath(new URL('relay-process.js', import.meta.url)), [String(port)], {
    execArgv: ['--single-threaded-gc', '--expose-gc'],
  });
  const [rows] = (await once(child, 'message')) as [Row[]];
  child.kill();
  receiver.kill();
  return rows;
}
