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
    const bytes = Buffer.alloc(maxSize + 1);
    let end = 0;
    for (let count = -1; count !== 0 && end < bytes.length; end += count)
      count = readSync(descriptor, bytes, end, bytes.length - end, null);
    if (end > maxSize) throw new Error(`it is larger than ${maxSize} bytes`);
    return bytes.toString('utf8', 0, end);
  } finally {
    closeSync(descriptor);
  }
}
