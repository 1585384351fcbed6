// Writes a file so that a failure leaves its old content. A temporary file in the same directory gets the content, and the mode and owner of
// the old file, and is renamed. Pipes, devices and files that cannot be replaced are written in place.

import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
} from 'node:fs';
import { writeAll } from '../../core/common/files/descriptor.js';
import { onPath } from '../on-path.js';

/** The permissions in a mode. */
const MODE_BITS = 0o7777;
/** Errors of a directory that is not writable. */
export const NOT_WRITABLE: ReadonlySet<string | undefined> = new Set(['EACCES', 'EPERM', 'EROFS']);

/** A file to write. */
interface Output {
  /** The path in messages. */
  readonly path: string;
  /** The path without symbolic links. */
  readonly target: string;
  /** The path of the temporary file; undefined if the file must be written in place. */
  readonly temporary: string | undefined;
  /** The file at the target, if there is one. */
  readonly old: Stats | undefined;
  readonly bytes: Uint8Array;
  /** Whether the content must be on the disk before the old content is gone. */
  readonly isSynced: boolean;
  /** Called with the file that is written in place; throws if it is not the old file. */
  readonly check?: (found: Stats) => unknown;
}

/** A file that is ready to be written. */
interface PreparedFile {
  /** @returns the number of the new file in its file system; undefined if the file was written in place @throws TranslateError BAD_FILE */
  readonly commit: () => number | undefined;
  /** Removes the temporary file. */
  readonly discard: () => void;
}

/** Writes the temporary file. @throws TranslateError BAD_FILE: `open …` or `write …` */
export function prepareFile(output: Output): PreparedFile {
  const { target, temporary = '' } = output;
  const ino = writeTemporary(output);
  const discard = (): void => {
    if (ino !== undefined) rmSync(temporary, { force: true });
  };
  const commit = (): number | undefined => {
    if (ino !== undefined && isRenamed(temporary, target)) return ino;
    discard();
    writeInPlace(output);
    return undefined;
  };
  return { commit, discard };
}

/** @returns the number of the temporary file; undefined if it cannot replace the old file */
function writeTemporary({ path, temporary, old, bytes, isSynced }: Output): number | undefined {
  const isReplaced = old === undefined || (old.isFile() && old.nlink === 1);
  if (temporary === undefined || !isReplaced) return undefined;
  const descriptor = create(path, temporary, old);
  if (descriptor === undefined) return undefined;
  let ino: number | undefined;
  try {
    if (old !== undefined && !becomesLike(descriptor, old)) return undefined;
    onPath('write', path, () => writeAll(descriptor, bytes));
    // Some file systems report a full disk only here.
    if (isSynced) onPath('write', path, () => fsyncSync(descriptor));
    ({ ino } = fstatSync(descriptor));
    return ino;
  } finally {
    closeSync(descriptor);
    if (ino === undefined) rmSync(temporary, { force: true });
  }
}

/** Creates an empty file. @returns its descriptor; undefined if there is an old file in a directory that is not writable */
function create(path: string, temporary: string, old: Stats | undefined): number | undefined {
  return onPath('open', path, () => {
    try {
      return openSync(temporary, 'wx', 0o600);
    } catch (error) {
      if (old !== undefined && NOT_WRITABLE.has((error as NodeJS.ErrnoException).code)) return undefined;
      throw error;
    }
  });
}

/** Gives a new file the mode and owner of an old file. @returns false if that is not possible */
function becomesLike(descriptor: number, { mode, uid, gid }: Stats): boolean {
  try {
    const own = fstatSync(descriptor);
    if (own.uid !== uid || own.gid !== gid) fchownSync(descriptor, uid, gid);
    fchmodSync(descriptor, mode & MODE_BITS);
    return true;
  } catch {
    return false;
  }
}

/** @returns false if the file cannot be renamed, for example because the target is a mount point */
function isRenamed(temporary: string, target: string): boolean {
  try {
    renameSync(temporary, target);
    return true;
  } catch {
    return false;
  }
}

/** Writes to the existing target: a pipe, a device, or a file that cannot be replaced. A link at its path is not followed. */
function writeInPlace({ path, target, bytes, isSynced, check }: Output): void {
  const descriptor = onPath('open', path, () => openSync(target, constants.O_RDWR | constants.O_NOFOLLOW));
  try {
    const found = fstatSync(descriptor);
    check?.(found);
    onPath('write', path, () => {
      if (!found.isFile()) return writeAll(descriptor, bytes);
      overwrite(descriptor, found.size, bytes);
      if (isSynced) fsyncSync(descriptor);
    });
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Overwrites a file in place. The part after its old end is written first: if the disk is full or a limit is reached, the old content
 * remains; the other part needs no more space.
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
