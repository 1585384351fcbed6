// Reads a regular file. Opening or reading a named pipe or a device could block the process for ever.

import { closeSync, constants, fstatSync, openSync, statSync, type Stats } from 'node:fs';
import { readAll } from './descriptor.js';

/** Descriptors that were passed to the process, such as of `<(…)` of a shell. They may be pipes, which have a writer. */
const OWN_DESCRIPTOR = /^\/(?:dev\/(?:stdin|fd\/\d+)|proc\/self\/fd\/\d+)$/;

/**
 * Opens a regular file for reading. A directory is opened too: reading it is the error of the system.
 *
 * @returns a file descriptor
 * @throws Error of the system, or saying what the file is
 */
export function openRegularFile(path: string): number {
  // Before it is opened, because opening a device can have effects.
  checkKind(statSync(path));
  // Without O_NONBLOCK open() waits for the writer of a named pipe, which may have replaced the file.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    checkKind(fstatSync(descriptor));
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** Takes regular files, and directories, whose reading is the error of the system. @throws Error saying what the file is */
export function checkKind(stats: Stats): void {
  if (stats.isFile() || stats.isDirectory()) return;
  const found = stats.isFIFO() ? 'a named pipe' : stats.isSocket() ? 'a socket' : 'a device';
  throw new Error(`it is ${found}, not a regular file`);
}

/**
 * Reads the whole of a regular file.
 *
 * @param maxSize in bytes
 * @throws Error of the system, or saying what the file is or that it is larger
 */
export function readRegularBytes(path: string, maxSize: number): Buffer {
  const descriptor = openRegularFile(path);
  try {
    return readAll(descriptor, maxSize);
  } finally {
    closeSync(descriptor);
  }
}

/** The same as UTF-8. */
export function readRegularFile(path: string, maxSize: number): string {
  return readRegularBytes(path, maxSize).toString('utf8');
}

/** The same for a file that a user names, which may also be a descriptor that was passed to the process: `/dev/stdin`, `<(…)`. */
export function readGivenFile(path: string, maxSize: number): string {
  if (!OWN_DESCRIPTOR.test(path)) return readRegularFile(path, maxSize);
  const descriptor = openSync(path, 'r');
  try {
    return readAll(descriptor, maxSize).toString('utf8');
  } finally {
    closeSync(descriptor);
  }
}
