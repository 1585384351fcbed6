import { closeSync, constants, fstatSync, openSync } from 'node:fs';

const { O_APPEND, O_NONBLOCK, O_WRONLY } = constants;
const reopened = new Map<number, number>();

/**
 * The descriptor to write log lines to. A pipe is opened anew so that writing to it never blocks: a reader that stands still would
 * otherwise hold a thread of Node's, and with it the end of the process. There is one for each descriptor of the process.
 */
export function nonBlocking(descriptor: number): number {
  const known = reopened.get(descriptor);
  if (known !== undefined) return known;
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
    // Systems without /proc, and descriptors that are not open, go on with what there is.
  }
  return descriptor;
}
