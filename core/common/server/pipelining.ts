// Limits the requests of one connection that are handled at a time.

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Most requests of one connection without a complete response. */
export const MAX_PIPELINED = 16;

/**
 * Closes a connection that sends a request while {@link MAX_PIPELINED} earlier ones have no complete response. Node parses all requests of a
 * read, which can be thousands, and emits `request` for each of them, whether or not the client reads the responses. Handlers must ignore
 * requests with a destroyed socket.
 *
 * @param onExcess called once for each connection, before it is closed
 */
export function limitPipelining(server: Server, onExcess?: (socket: Socket) => void): void {
  const pending = new WeakMap<Socket, number>();
  const onRequest = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    if (socket.destroyed) return;
    const count = pending.get(socket) ?? 0;
    if (count === MAX_PIPELINED) {
      onExcess?.(socket);
      socket.destroy();
      return;
    }
    pending.set(socket, count + 1);
    response.once('close', () => pending.set(socket, (pending.get(socket) ?? 1) - 1));
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation'] as const)
    if (event === 'request' || server.listenerCount(event) > 0) server.prependListener(event, onRequest);
}
