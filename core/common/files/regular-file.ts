// Reads a regular file. Opening or reading a named pipe or a device could block the process for ever.

import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { readAll } from './descriptor.js';

/**
 * Reads the whole of a regular file.
 *
 * @param maxSize in bytes
 * @throws Error of the system, or saying what the file is or that it is larger
 */
export function readRegularBytes(path: string, maxSize: number): Buffer {
  // Without O_NONBLOCK open() waits for the writer of a named pipe.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile() && !stats.isDirectory()) throw new Error('it is not a regular file');
    return readAll(descriptor, maxSize);
  } finally {
    closeSync(descriptor);
  }
}

/** The same as UTF-8. */
export function readRegularFile(path: string, maxSize: number): string {
  return readRegularBytes(path, maxSize).toString('utf8');
}
