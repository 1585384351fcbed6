import { closeSync, constants, fstatSync, openSync } from 'node:fs';

const { O_APPEND, O_NONBLOCK, O_WRONLY } = constants;
const reopened = new Map<number, number>();

/**
 * Returns the file descriptor to write log lines to. A pipe is reopened without blocking: a write to a pipe whose reader has stalled
 * would otherwise block a thread of libuv and the exit of the process. Each descriptor is reopened once.
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
    if (!fstatSync(descriptor).isFIFO()) return descriptor;
    const own = openSync(`/proc/self/fd/${descriptor}`, O_WRONLY | O_APPEND | O_NONBLOCK);
    if (fstatSync(own).isFIFO()) return own;
    closeSync(own);
  } catch {
    // Without /proc, or if the descriptor is not open, the original one is used.
  }
  return descriptor;
}
