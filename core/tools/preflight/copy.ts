// Copies a folder of a node for a program that may write to it. The targets of symbolic links are copied instead of the links, so that
// nothing in the copy leads to the files of the node. Everything is examined before the first copy: an unsafe file is an error.

import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  statSync,
  type Stats,
} from 'node:fs';
import { join } from 'node:path';
import { AgentError } from '../../contract/index.js';
import { goText } from './files.js';

/** Largest folder that is copied, in bytes. */
const MAX_SIZE = 2 * 1024 ** 3;
/** Most files and folders in a folder that is copied. */
const MAX_ENTRIES = 100_000;
/** Deepest folder that is copied: Fabric's own folders are less than 10 deep. */
const MAX_DEPTH = 50;
/** Most files that a note names; it counts the others. */
const MAX_NAMES = 3;

/** A file or folder that is copied. */
interface CopiedFile {
  readonly from: string;
  /** Below the folder; empty for the folder itself. */
  readonly path: string;
  readonly isFolder: boolean;
  /** The permissions, as for `chmod`. */
  readonly mode: number;
}

/** The files to copy of a folder. */
interface CopyPlan {
  /** A folder comes before its content. Empty if there is no folder, or if it is too large. */
  readonly entries: readonly CopiedFile[];
  /** In bytes. */
  readonly size: number;
  /** Whether all regular files are copied. */
  readonly isComplete: boolean;
  /** Messages for the user about files that are not copied. */
  readonly notes: readonly string[];
}

/**
 * Examines a folder, and the targets of the links in it.
 *
 * @throws AgentError `USAGE` for a link without a target, and for a link to a folder that contains it
 */
export function planCopy(folder: string): CopyPlan {
  const plan = new Plan();
  try {
    plan.add(folder, '', []);
    return plan;
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    return {
      entries: [],
      size: 0,
      isComplete: false,
      notes: [`${folder} has more than ${error.message} and was not copied`],
    };
  }
}

/** A folder exceeds a limit; the message is the limit. */
class TooLarge extends Error {}

class Plan implements CopyPlan {
  readonly entries: CopiedFile[] = [];
  size = 0;
  readonly #special: string[] = [];
  readonly #unreadable: string[] = [];

  get isComplete(): boolean {
    return this.#unreadable.length === 0;
  }

  get notes(): readonly string[] {
    return [
      ...notCopied(this.#special, 'because only regular files are copied'),
      ...notCopied(this.#unreadable, 'because of missing read permissions'),
    ];
  }

  /** @param parents the folders that it is in, by device and inode */
  add(from: string, path: string, parents: readonly string[]): void {
    const found = this.#stat(from);
    if (found === undefined) return;
    const { mode, size, dev, ino } = found;
    const isFolder = found.isDirectory();
    this.size += size;
    if (this.size > MAX_SIZE) throw new TooLarge(`${MAX_SIZE / 1024 ** 3} GiB`);
    if (this.entries.length >= MAX_ENTRIES) throw new TooLarge(`${MAX_ENTRIES} files`);
    if (parents.length > MAX_DEPTH) throw new TooLarge(`${MAX_DEPTH} folders in each other`);
    this.entries.push({ from, path, isFolder, mode: mode & 0o777 });
    if (!isFolder) return;
    const id = `${dev}:${ino}`;
    if (parents.includes(id)) throw linkError(from, 'a folder that contains it');
    for (const name of this.#namesIn(from)) this.add(join(from, name), join(path, name), [...parents, id]);
  }

  /** The status of the target of a path, if it can be copied. A running node may have removed a file since its folder was listed. */
  #stat(path: string): Stats | undefined {
    try {
      const found = statSync(path);
      if (found.isFile()) accessSync(path, constants.R_OK);
      if (found.isFile() || found.isDirectory()) return found;
      this.#special.push(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ELOOP') throw linkError(path, 'itself');
      if (!isGone(error)) this.#unreadable.push(path);
      else if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
        throw linkError(path, `${readlinkSync(path)}, which does not exist`);
    }
    return undefined;
  }

  #namesIn(folder: string): string[] {
    try {
      return readdirSync(folder);
    } catch (error) {
      if (isGone(error)) return [];
      this.#unreadable.push(folder);
      return [];
    }
  }
}

function notCopied(paths: readonly string[], why: string): string[] {
  if (paths.length === 0) return [];
  const others = paths.length > MAX_NAMES ? ` and ${paths.length - MAX_NAMES} more` : '';
  return [`${paths.slice(0, MAX_NAMES).join(', ')}${others}: not copied, ${why}`];
}

const isGone = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

const linkError = (path: string, target: string): AgentError =>
  new AgentError(
    'USAGE',
    `${path} is a symbolic link to ${target}: it cannot be copied, and the program was not started`,
  );

/**
 * Makes a copy. Files keep their permissions, so that the program gets the same errors.
 *
 * @param to must not exist
 * @throws AgentError `USAGE` if a file cannot be copied
 */
export function makeCopy({ entries }: CopyPlan, to: string): void {
  for (const { from, path, isFolder } of entries) {
    const copy = join(to, path);
    try {
      if (isFolder) mkdirSync(copy, { mode: 0o700 });
      else copyFileSync(from, copy, constants.COPYFILE_FICLONE);
    } catch (error) {
      if (!isFolder && isGone(error)) continue;
      throw new AgentError('USAGE', `${from}: cannot be copied to ${copy}: ${goText(error)}`, {
        cause: error,
      });
    }
  }
  for (const { path, mode } of foldersOf(entries)) chmodSync(join(to, path), mode);
}

/** Makes a copy removable for a user other than root. */
export function openCopy({ entries }: CopyPlan, to: string): void {
  for (const { path } of foldersOf(entries).toReversed())
    try {
      chmodSync(join(to, path), 0o700);
    } catch (error) {
      // The program may have removed it.
      if (!isGone(error)) throw error;
    }
}

/** The folders, innermost first. */
const foldersOf = (entries: readonly CopiedFile[]): CopiedFile[] =>
  entries.filter(({ isFolder }) => isFolder).toReversed();
