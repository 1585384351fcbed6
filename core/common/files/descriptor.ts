// Reads and writes file descriptors synchronously and completely, including non-blocking pipes.

import { readSync, writeSync } from 'node:fs';

/** Delay before a retry on a pipe, in milliseconds. */
const PIPE_WAIT = 5;
/** Size of one read, in bytes. */
const READ_SIZE = 64 * 1024;

/**
 * Reads up to the end.
 *
 * @param maxSize in bytes
 * @throws the error of the system call, or an Error if there is more than `maxSize`
 */
export function readAll(descriptor: number, maxSize: number): Buffer {
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(READ_SIZE);
    const count = retry(() => readSync(descriptor, chunk));
    if (count === 0) return Buffer.concat(chunks, size);
    size += count;
    if (size > maxSize) throw new Error(`it is larger than ${maxSize} bytes`);
    chunks.push(chunk.subarray(0, count));
  }
}

/**
 * Writes all bytes.
 *
 * @param start the position in the file; undefined: the current position
 * @throws the error of the system call
 */
export function writeAll(descriptor: number, bytes: Uint8Array, start?: number): void {
  for (let done = 0; done < bytes.length;) {
    const rest = bytes.subarray(done);
    const position = start === undefined ? null : start + done;
    done += retry(() => writeSync(descriptor, rest, 0, rest.length, position));
  }
}

function retry(call: () => number): number {
  for (;;) {
    try {
      return call();
    } catch (error) {
      // Another process made the pipe non-blocking, and it is empty or full.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PIPE_WAIT);
    }
  }
}
