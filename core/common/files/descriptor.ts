// Reads and writes file descriptors synchronously and completely, including non-blocking pipes.

import { fstatSync, readSync, writeSync } from 'node:fs';

/** Delay before a retry on a pipe, in milliseconds. */
const PIPE_WAIT = 5;
/** The space for a read of something without a size, such as a pipe, in bytes. */
const READ_SIZE = 64 * 1024;

/**
 * Reads up to the end. A file that is too large is not read. The parts of a pipe are collected in one block that grows, so that small parts
 * take no more memory than large ones.
 *
 * @param maxSize in bytes
 * @throws the error of the system call, or an Error if there is more than `maxSize`
 */
export function readAll(descriptor: number, maxSize: number): Buffer {
  const stats = fstatSync(descriptor);
  const known = stats.isFile() ? stats.size : 0;
  if (known > maxSize) throw tooLarge(maxSize);
  // A file has no more bytes than its size, except in /proc, or if it grows.
  let block = Buffer.allocUnsafeSlow(known > 0 ? known + 1 : Math.min(READ_SIZE, maxSize + 1));
  let size = 0;
  for (;;) {
    const count = retry(() => readSync(descriptor, block, size, block.length - size, null));
    if (count === 0) return block.subarray(0, size);
    size += count;
    if (size > maxSize) throw tooLarge(maxSize);
    if (size === block.length) {
      const larger = Buffer.allocUnsafeSlow(Math.min(2 * size, maxSize + 1));
      block.copy(larger);
      block = larger;
    }
  }
}

const tooLarge = (maxSize: number): Error => new Error(`it is larger than ${maxSize} bytes`);

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
