import { createServer } from 'node:net';

/** Linux does not give these ports to outgoing connections, which could take the port of a server that is restarted. */
const [FIRST, LAST] = [10_000, 32_000];

/** How many ports a process has before it takes those of another one. */
const PORTS = 100;

/**
 * Concurrent processes begin at different ports, because `isFree` listens: a client that reconnects to a port of another process would
 * count that connection. The factor keeps processes with successive ids apart.
 */
let last = FIRST + ((process.pid * 37) % Math.floor((LAST - FIRST) / PORTS)) * PORTS;

/** Returns a free TCP port. Each call returns another one. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (;;) {
    last = last === LAST ? FIRST : last + 1;
    const port = last;
    if (await isFree(port, host)) return port;
  }
}

/** Returns free TCP ports of 127.0.0.1. */
export function freePorts(count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, () => freePort()));
}

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}
