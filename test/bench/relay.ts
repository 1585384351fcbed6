// One round of a relay: a reading, its growth, a flush to StatsD and a scrape, with synthetic readings.

import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { messageOf } from './message.js';
import type { Row } from './report.js';

/**
 * Rows for readings of 2,000 and 20,000 lines. They are measured in a process of their own, with a garbage collector that does not wait
 * for other threads.
 */
export async function benchRelay(): Promise<Row[]> {
  const receiver = fork(fileURLToPath(new URL('statsd-receiver.js', import.meta.url)));
  const port = await messageOf<number>(receiver);
  const child = fork(fileURLToPath(new URL('relay-process.js', import.meta.url)), [String(port)], {
    execArgv: ['--single-threaded-gc', '--expose-gc'],
  });
  const rows = await messageOf<Row[]>(child);
  child.kill();
  receiver.kill();
  return rows;
}
