// The end of connections: what node sends last, a client shall be able to read.

import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** How long a connection is kept after its last answer, so that a client that still sends can read it; milliseconds. */
const LINGER_TIME = 2000;

/**
 * Closes a connection whose last answer is being sent, a little later: closing it with bytes of the client unread would reset it,
 * and the client might never see the answer.
 */
export function lingerOn(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_TIME);
  socket.once('close', () => clearTimeout(timer));
  socket.resume();
}

/** Makes node, which closes a connection after its last answer by `destroySoon`, leave the client the time to read it. */
export function closeLate(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end();
    lingerOn(socket);
  };
}
