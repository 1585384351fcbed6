// Opens a TCP or TLS connection and closes it at once.

import { untilAborted } from '../../../core/kit/index.js';
import { openSocket, type SocketServer } from '../../../core/kit/internal/index.js';

/**
 * Opens a TCP or TLS connection and closes it at once.
 *
 * @throws Error with the `code` of a failed connection, or the reason of the signal
 */
export async function openConnection(server: SocketServer, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const socket = openSocket(server);
  const opened = new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on(server.tls === undefined ? 'connect' : 'secureConnect', () => resolve());
  });
  try {
    await untilAborted(opened, signal);
  } finally {
    socket.destroy();
  }
}
