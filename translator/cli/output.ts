// Writes outputs so that a failure leaves what was there before.

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
import { writeAll } from '../../core/service/descriptor.js';
import { onPath } from './errors.js';
import { descriptorOf, resolveOutput } from './files.js';
import type { Process } from './process.js';

/** The mode of a new file. */
const MODE = 0o600;
const MODE_BITS = 0o7777;

/**
 * Writes an output. A regular file gets its new content at once, by a file beside it that takes its place, and keeps its mode and
 * owner. Descriptors, pipes and devices are written to.
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

/** A new file, open for writing. */
interface NewFile {
  readonly path: string;
  readonly descriptor: number;
}

/** Creates an empty file in the folder of another one. */
function createBeside(target: string): NewFile {
  const suffix = Math.random().toString(36).slice(2);
  const path = join(dirname(target), `.configtxlator-${suffix}`);
  return { path, descriptor: openSync(path, 'wx', MODE) };
}

/** The same with the mode and the owner of what is there; undefined where it cannot be replaced. */
function createLike(target: string, old: Stats): NewFile | undefined {
  const { mode, uid, gid } = old;
  if (!old.isFile() || old.nlink !== 1) return undefined;
  let file: NewFile;
  try {
    file = createBeside(target);
  } catch {
    // A folder that may not be written to.
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
 * Fills a new file and puts it in the place of the target.
 *
 * @returns whether it could take that place; a file that is a mount point cannot be replaced
 * @throws CommandError when it cannot be filled
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

/** Writes into what is there: a pipe, a device, or a file that cannot be replaced. */
function writeInto(path: string, target: string, bytes: Uint8Array): void {
  const descriptor = onPath('open', path, () => openSync(target, 'r+'));
  try {
    onPath('write', path, () => writeAll(descriptor, bytes));
    if (fstatSync(descriptor).isFile()) ftruncateSync(descriptor, bytes.length);
  } finally {
    closeSync(descriptor);
  }
}
