// Reads a regular file. Opening or reading a named pipe or a device could block the process for ever.

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/**
 * Reads the whole of a regular file as UTF-8.
 *
 * @param maxSize in bytes
 * @throws Error of the system, or saying what the file is or that it is larger
 */
export function readRegularFile(path: string, maxSize: number): string {
  // Without O_NONBLOCK open() waits for the writer of a named pipe.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile() && !stats.isDirectory()) throw new Error('it is not a regular file');
    return readText(descriptor, stats.size, maxSize);
  } finally {
    closeSync(descriptor);
  }
}

/** @param expected the size, if the file does not grow while it is read */
function readText(descriptor: number, expected: number, maxSize: number): string {
  // One byte more than expected: the read after the last byte finds the end.
  let bytes = Buffer.alloc(Math.min(expected, maxSize) + 1);
  let end = 0;
  for (;;) {
    const count = readSync(descriptor, bytes, end, bytes.length - end, null);
    if (count === 0) return bytes.toString('utf8', 0, end);
    end += count;
    if (end > maxSize) throw new Error(`it is larger than ${maxSize} bytes`);
    if (end === bytes.length) bytes = Buffer.concat([bytes], Math.min(2 * end, maxSize) + 1);
  }
}
