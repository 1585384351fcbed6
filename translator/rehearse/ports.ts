// Free ports of 127.0.0.1 for servers that are restarted.

import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Linux does not give these ports to outgoing connections, which could take the port of a server that is restarted. */
const FIRST = 10_000;
const LAST = 32_000;
/** How many ports are tried for each one that is needed. */
const TRIES = 100;

/**
 * Finds different TCP ports of 127.0.0.1 on which nothing listens. Where they begin is random, so that two processes find different ones.
 *
 * @throws Error if there are too few
 */
export async function freePorts(count: number): Promise<number[]> {
  const found: number[] = [];
  const start = randomInt(LAST - FIRST);
  for (let offset = 0; offset < count * TRIES; offset++) {
    const port = FIRST + ((start + offset) % (LAST - FIRST));
    if (await isFree(port)) found.push(port);
    if (found.length === count) return found;
  }
  throw new Error(`only ${found.length} of ${count} ports of 127.0.0.1 are free`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
