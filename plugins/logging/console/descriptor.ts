// The file descriptor of the log, which never blocks the process.

import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { isatty } from 'node:tty';

const { O_APPEND, O_NOCTTY, O_NONBLOCK, O_WRONLY } = constants;
const reopened = new Map<number, number>();
/** Kept, because the garbage collection of a socket closes its descriptor. */
const sockets = new Map<number, Socket>();

/**
 * Returns the file descriptor to write log lines to. A pipe or a terminal is reopened without blocking, a socket (standard error of a
 * systemd unit) is made non-blocking: otherwise a write would block the process when its reader stalls. Each descriptor is reopened once.
 */
export function nonBlocking(descriptor: number): number {
  const cached = reopened.get(descriptor);
  if (cached !== undefined) return cached;
  const own = reopen(descriptor);
  if (own !== descriptor) reopened.set(descriptor, own);
  return own;
}

function reopen(descriptor: number): number {
  try {
    const stats = fstatSync(descriptor);
    if (stats.isSocket()) {
      if (sockets.has(descriptor)) return descriptor;
      const socket = new Socket({ fd: descriptor, readable: false, writable: true });
      sockets.set(
        descriptor,
        socket.unref().on('error', () => undefined),
      );
      return descriptor;
    }
    if (!stats.isFIFO() && !isatty(descriptor)) return descriptor;
    const own = openSync(`/proc/self/fd/${descriptor}`, O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY);
    if (fstatSync(own).isFIFO() || isatty(own)) return own;
    closeSync(own);
  } catch {
    // Without /proc, or if the descriptor is not open, the original one is used.
  }
  return descriptor;
}
