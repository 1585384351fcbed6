// Graceful shutdown of an HTTP server.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Interval for closing idle connections during shutdown, in milliseconds. */
const IDLE_CHECK_INTERVAL = 50;

/** Tracks the connections of a server so that it can be closed gracefully. */
export class Connections {
  readonly #server: Server;
  /** Accepted sockets. Node's HTTP server does not know sockets with an unfinished TLS handshake. */
  readonly #sockets = new Set<Socket>();

  constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  /**
   * Stops listening, closes idle connections, and closes each other connection after its request. Connections that are still open after the
   * timeout are destroyed.
   *
   * @param timeout in milliseconds
   */
  close(timeout: number): Promise<void> {
    return new Promise((resolve) => {
      let checks = 0;
      const idle = setInterval(() => {
        this.#server.closeIdleConnections();
        checks += 1;
        // Node does not count a connection as idle before its first request, which may have arrived unread before the first check.
        if (checks === 2) this.#destroy((socket) => socket.bytesRead === 0);
      }, IDLE_CHECK_INTERVAL);
      const deadline = setTimeout(() => this.#destroy(() => true), timeout);
      this.#server.close(() => {
        clearInterval(idle);
        clearTimeout(deadline);
        resolve();
      });
    });
  }

  #destroy(matches: (socket: Socket) => boolean): void {
    for (const socket of this.#sockets) if (matches(socket)) socket.destroy();
  }
}
