// Writes outputs; a failure leaves an existing file unchanged.

import {
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  type Stats,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { writeAll } from '../../core/common/files/descriptor.js';
import { onOneLine } from '../../core/common/text/one-line.js';
import type { Process } from './context.js';
import { onPath } from './errors.js';
import { descriptorOf, resolveOutput } from './files.js';

/** The mode of a new file. */
const MODE = 0o600;
const MODE_BITS = 0o7777;

/**
 * Writes an output. A regular file is replaced atomically: a temporary file in the same directory gets the content, mode and owner,
 * and is renamed. File descriptors, pipes and devices are written to.
 *
 * @throws CommandError `open …` or `write …`
 */
export function writeOutput(path: string, bytes: Uint8Array, process: Process): void {
  const descriptor = descriptorOf(path, process);
  if (descriptor !== undefined) {
    onPath('write', path, () => writeAll(descriptor, bytes));
    return;
  }
  const target = onPath('open', path, () => resolveOutput(path));
  const old = onPath('open', path, () => statSync(target, { throwIfNoEntry: false }));
  const temporary =
    old === undefined ? onPath('open', path, () => createBeside(target)) : createLike(target, old);
  if (temporary === undefined || !replace(temporary, path, target, bytes)) writeInto(path, target, bytes);
}

/**
 * Writes a text to standard output.
 *
 * @throws CommandError
 */
export function printText(text: string, process: Process): void {
  writeOutput('/dev/stdout', Buffer.from(text), process);
}

/** Prints an error on standard error, on one line. */
export function printError(text: string, process: Process): void {
  process.error(`configtxlator: error: ${onOneLine(text)}\n`);
}

/** Prints a note on standard error, on one line; the exit status stays 0. */
export function printNote(text: string, process: Process): void {
  process.error(`configtxlator: note: ${onOneLine(text)}\n`);
}

/** A new file, open for writing. */
interface NewFile {
  readonly path: string;
  readonly descriptor: number;
}

/** Creates an empty file in the directory of the target. */
function createBeside(target: string): NewFile {
  const suffix = Math.random().toString(36).slice(2);
  const path = join(dirname(target), `.configtxlator-${suffix}`);
  return { path, descriptor: openSync(path, 'wx', MODE) };
}

/** The same with the mode and owner of the existing file; undefined if that file cannot be replaced. */
function createLike(target: string, old: Stats): NewFile | undefined {
  const { mode, uid, gid } = old;
  if (!old.isFile() || old.nlink !== 1) return undefined;
  let file: NewFile;
  try {
    file = createBeside(target);
  } catch {
    // The directory is not writable.
    return undefined;
  }
  try {
    const own = fstatSync(file.descriptor);
    if (own.uid !== uid || own.gid !== gid) fchownSync(file.descriptor, uid, gid);
    fchmodSync(file.descriptor, mode & MODE_BITS);
    return file;
  } catch {
    discard(file);
    return undefined;
  }
}

/**
 * Writes the temporary file and renames it to the target.
 *
 * @returns false if it cannot be renamed: a mount point cannot be replaced
 * @throws CommandError if it cannot be written
 */
function replace(file: NewFile, path: string, target: string, bytes: Uint8Array): boolean {
  try {
    onPath('write', path, () => writeAll(file.descriptor, bytes));
  } catch (error) {
    discard(file);
    throw error;
  }
  try {
    renameSync(file.path, target);
    closeSync(file.descriptor);
    return true;
  } catch {
    discard(file);
    return false;
  }
}

function discard({ path, descriptor }: NewFile): void {
  closeSync(descriptor);
  rmSync(path, { force: true });
}

/**
 * Overwrites a file in place. What reaches beyond its end is written first, so that a full disk or a limit leaves the old content: the
 * rest needs no more space.
 */
function overwrite(descriptor: number, oldSize: number, bytes: Uint8Array): void {
  try {
    writeAll(descriptor, bytes.subarray(oldSize), oldSize);
  } catch (error) {
    ftruncateSync(descriptor, oldSize);
    throw error;
  }
  writeAll(descriptor, bytes.subarray(0, oldSize), 0);
  ftruncateSync(descriptor, bytes.length);
}

/** Writes into the existing target: a pipe, a device, or a file that cannot be replaced. */
function writeInto(path: string, target: string, bytes: Uint8Array): void {
  const descriptor = onPath('open', path, () => openSync(target, 'r+'));
  try {
    const stats = fstatSync(descriptor);
    if (stats.isFile()) onPath('write', path, () => overwrite(descriptor, stats.size, bytes));
    else onPath('write', path, () => writeAll(descriptor, bytes));
  } finally {
    closeSync(descriptor);
  }
}
