// Reads a regular file. Opening or reading a named pipe or a device could block the process for ever.

import { closeSync, constants, fstatSync, openSync, statSync, type Stats } from 'node:fs';
import { readAll } from './descriptor.js';

/** Descriptors that the process inherited, such as a shell's `<(…)`. They may be pipes, because these have a writer. */
const OWN_DESCRIPTOR = /^\/(?:dev\/(?:stdin|fd\/\d+)|proc\/self\/fd\/\d+)$/;

/**
 * Opens a regular file for reading, or a directory; reading a directory fails with the error of the system.
 *
 * @returns a file descriptor
 * @throws Error of the system, or Error naming the kind of the file
 */
export function openRegularFile(path: string): number {
  // Before the open call, because opening a device can have effects.
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

/** Accepts regular files, and directories, because reading one fails with the error of the system. @throws Error naming the kind of the file */
export function checkKind(stats: Stats): void {
  if (stats.isFile() || stats.isDirectory()) return;
  const found = stats.isFIFO() ? 'a named pipe' : stats.isSocket() ? 'a socket' : 'a device';
  throw new Error(`it is ${found}, not a regular file`);
}

/**
 * Reads a complete regular file.
 *
 * @param maxSize in bytes
 * @throws Error of the system, or Error for a file of another kind or a larger one
 */
export function readRegularBytes(path: string, maxSize: number): Buffer {
  const descriptor = openRegularFile(path);
  try {
    return readAll(descriptor, maxSize);
  } finally {
    closeSync(descriptor);
  }
}

/** {@link readRegularBytes} as UTF-8. */
export function readRegularFile(path: string, maxSize: number): string {
  return readRegularBytes(path, maxSize).toString('utf8');
}

/** {@link readRegularFile} for a path from a user, which may also name a descriptor that the process inherited: `/dev/stdin`, `<(…)`. */
export function readGivenFile(path: string, maxSize: number): string {
  if (!OWN_DESCRIPTOR.test(path)) return readRegularFile(path, maxSize);
  const descriptor = openSync(path, 'r');
  try {
    return readAll(descriptor, maxSize).toString('utf8');
  } finally {
    closeSync(descriptor);
  }
}
