// Reads and writes whole descriptors, also of pipes that are empty or full for the moment.

import { readSync, writeSync } from 'node:fs';

/** How long to wait before trying a pipe again, in milliseconds. */
const PIPE_WAIT = 5;
/** How much is read at a time, in bytes. */
const READ_SIZE = 64 * 1024;

/**
 * Reads to the end.
 *
 * @param maxSize in bytes
 * @throws the system's error, or one that says that there is more
 */
export function readAll(descriptor: number, maxSize: number): Buffer {
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(READ_SIZE);
    const count = retry(() => readSync(descriptor, chunk));
    if (count === 0) return Buffer.concat(chunks, size);
    size += count;
    if (size > maxSize) throw new Error(`larger than ${maxSize} bytes`);
    chunks.push(chunk.subarray(0, count));
  }
}

/**
 * Writes all of it.
 *
 * @throws the system's error
 */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  let rest = bytes;
  while (rest.length > 0) {
    const now = rest;
    rest = rest.subarray(retry(() => writeSync(descriptor, now)));
  }
}

function retry(call: () => number): number {
  for (;;) {
    try {
      return call();
    } catch (error) {
      // Another program has made it non-blocking, and it is empty or full for the moment.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PIPE_WAIT);
    }
  }
}
