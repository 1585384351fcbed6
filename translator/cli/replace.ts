// Replaces files that were read before: all of them or none, and only if they are unchanged. Otherwise two users who sign the files of one
// folder at the same time would overwrite each other's signatures, and a symbolic link that replaced a file would redirect the output to
// another file.

import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  realpathSync,
  statSync,
  type Stats,
} from 'node:fs';
import { resolve } from 'node:path';
import { sameBytes } from '../../proto/bytes.js';
import { readAll } from '../../core/common/files/descriptor.js';
import { openRegularFile } from '../../core/common/files/regular-file.js';
import { onPath } from '../on-path.js';
import { CommandError } from './errors.js';
import { descriptorOf, MAX_FILE_SIZE, writeBinary, writeOutput } from './files.js';
import type { Io } from './io.js';
import { lockFile } from './lock.js';
import { prepareFile } from './write-file.js';

/** A regular file as it was read. */
export interface ReadFile {
  /** The path in messages. */
  readonly path: string;
  /** The path without symbolic links. */
  readonly target: string;
  readonly dev: number;
  readonly ino: number;
  readonly bytes: Uint8Array;
}

/** A file and its new content. */
export interface Replacement {
  readonly file: ReadFile;
  readonly bytes: Uint8Array;
}

/** Some files were replaced, and could not be restored after another file failed. */
export class PartlyReplaced extends CommandError {
  override readonly name = 'PartlyReplaced';
  /** The paths of the files with the new content. */
  readonly replaced: readonly string[];

  constructor(message: string, replaced: readonly string[], cause: unknown) {
    super(message, { cause });
    this.replaced = replaced;
  }
}

/**
 * Reads a regular file that may be replaced later.
 *
 * @param known its path without symbolic links at the time when it was found
 * @throws TranslateError BAD_FILE; CommandError if a symbolic link is at the known path
 */
export function readToReplace(path: string, known?: string): ReadFile {
  const target = known ?? onPath('open', path, () => realpathSync.native(path));
  const descriptor = onPath('open', path, () => openRegularFile(target));
  try {
    const { dev, ino } = fstatSync(descriptor);
    const bytes = onPath('read', path, () => readAll(descriptor, MAX_FILE_SIZE));
    const file = { path, target, dev, ino, bytes };
    requireSameFile(file, lstatSync(target, { throwIfNoEntry: false }));
    return file;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Decides how an output is written: if it is one of the files that were read, it must be unchanged when it is written.
 *
 * @returns a function that writes the output; it throws like {@link replaceAll} and `writeBinary`
 */
export function writerOf(
  output: string,
  inputs: readonly (ReadFile | undefined)[],
  process: Io,
): (bytes: Uint8Array) => Promise<void> {
  const isFile = descriptorOf(output, process) === undefined;
  const file = inputs.find((each) => each !== undefined && isFile && isAt(each, output));
  return async (bytes) =>
    file === undefined ? writeBinary(output, bytes, process) : replaceAll([{ file, bytes }], process);
}

/** Whether a path leads to a file, directly or through links. */
function isAt({ path, dev, ino }: ReadFile, output: string): boolean {
  if (resolve(output) === resolve(path)) return true;
  const found = onPath('open', output, () => statSync(output, { throwIfNoEntry: false }));
  return found?.dev === dev && found.ino === ino;
}

/**
 * Replaces all files. All new contents are written next to their files before the first file is replaced, so that a full disk changes
 * nothing. If a replacement fails afterwards, the others are restored.
 *
 * @throws CommandError if a file has changed, or another process replaces it; TranslateError BAD_FILE; {@link PartlyReplaced}
 */
export function replaceAll(replacements: readonly Replacement[], process: Io): void {
  // A signal ends the process after the last file, not between two files.
  process.onStop(() => undefined);
  const prepared: Prepared[] = [];
  const done: ReadFile[] = [];
  try {
    for (const each of replacements) prepared.push(prepare(each));
    for (const { commit } of prepared) done.push(commit());
  } catch (error) {
    for (const { discard } of prepared.slice(done.length)) discard();
    const replaced = done.filter((file, index) => !restore(file, replacements[index]!.file, process));
    if (replaced.length === 0) throw error;
    throw new PartlyReplaced(
      (error as Error).message,
      replaced.map(({ path }) => path),
      error,
    );
  }
}

/** A file that is ready to be replaced. */
interface Prepared {
  /** @returns the new file */
  readonly commit: () => ReadFile;
  readonly discard: () => void;
}

function prepare({ file, bytes }: Replacement): Prepared {
  const { path, target } = file;
  const lock = lockFile(path, target);
  const discard = (): void => lock?.release();
  try {
    const old = requireUnchanged(file);
    const check = (found: Stats): Stats => requireSameFile(file, found);
    const output = { path, target, temporary: lock?.content, old, bytes, isSynced: true, check };
    const prepared = prepareFile(output);
    const commit = (): ReadFile => {
      requireUnchanged(file);
      const ino = prepared.commit() ?? file.ino;
      discard();
      return { ...file, ino, bytes };
    };
    return { commit, discard };
  } catch (error) {
    discard();
    throw error;
  }
}

/** Writes the old content again, unless the file was changed since. @returns whether the file has the old content */
function restore(now: ReadFile, old: ReadFile, process: Io): boolean {
  try {
    requireUnchanged(now);
    writeOutput(now.target, old.bytes, process);
    return true;
  } catch {
    return false;
  }
}

/** @throws CommandError if a file has changed since it was read */
function requireUnchanged(file: ReadFile): Stats {
  const { path, target, bytes } = file;
  requireSameFile(file, lstatSync(target, { throwIfNoEntry: false }));
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const descriptor = onPath('open', path, () => openSync(target, O_RDONLY | O_NOFOLLOW | O_NONBLOCK));
  try {
    const found = requireSameFile(file, fstatSync(descriptor));
    const content = onPath('read', path, () => readAll(descriptor, MAX_FILE_SIZE));
    if (!sameBytes(content, bytes)) throw changed(file);
    return found;
  } finally {
    closeSync(descriptor);
  }
}

function requireSameFile(file: ReadFile, found: Stats | undefined): Stats {
  if (found === undefined) throw new CommandError(`${file.path} was removed after it was read`);
  if (found.isSymbolicLink())
    throw new CommandError(`${file.path} was replaced by a symbolic link after it was found`);
  if (!found.isFile() || found.dev !== file.dev || found.ino !== file.ino) throw changed(file);
  return found;
}

const changed = ({ path }: ReadFile): CommandError =>
  new CommandError(`${path} was changed after it was read, perhaps by another signer: sign it again`);
