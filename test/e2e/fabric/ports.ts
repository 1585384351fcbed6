import { createServer } from 'node:net';

/** Below the ports that Linux gives to outgoing connections: a node that is restarted needs the port that it had before. */
const FIRST = 10_000;
const LAST = 32_000;

/** Returns free TCP ports of 127.0.0.1 that no outgoing connection takes later. */
export async function fixedPorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    if (!ports.has(port) && (await isFree(port))) ports.add(port);
  }
  return [...ports];
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
