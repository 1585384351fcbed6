// Free ports of 127.0.0.1 for servers that are restarted.

import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { TranslateError } from '../../proto/errors.js';

/** Linux does not give these ports to outgoing connections, which could take the port of a server that is restarted. */
const FIRST = 10_000;
const LAST = 32_000;

/**
 * Finds different TCP ports of 127.0.0.1 on which nothing listens. Where they begin is random, so that two processes find different ones.
 *
 * @param taken ports that are not to be among them
 * @throws TranslateError BAD_NODE if there are too few
 */
export async function freePorts(count: number, taken: ReadonlySet<number> = new Set()): Promise<number[]> {
  const found: number[] = [];
  const start = randomInt(LAST - FIRST);
  for (let offset = 0; found.length < count && offset < LAST - FIRST; offset++) {
    const port = FIRST + ((start + offset) % (LAST - FIRST));
    if (!taken.has(port) && (await isFree(port))) found.push(port);
  }
  if (found.length === count) return found;
  throw new TranslateError(
    'BAD_NODE',
    `only ${found.length} of ${count} ports of 127.0.0.1 from ${FIRST} to ${LAST} are free`,
  );
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
