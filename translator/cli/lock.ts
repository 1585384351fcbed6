// Locks of files that are being replaced. The lock of `a.pb` is the file `.a.pb.lock` next to it, which only one process can create. It
// contains the process, so that the next process removes the lock of one that was killed.

import {
  closeSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { writeAll } from '../../core/common/files/descriptor.js';
import { readRegularFile } from '../../core/common/files/regular-file.js';
import { onPath } from '../on-path.js';
import { CommandError } from './errors.js';
import { NOT_WRITABLE } from './write-file.js';

/** A process. */
interface Owner {
  readonly pid: number;
  /** When it started, in ticks since the start of the host: process ids are used again. */
  readonly start: string;
  /** The host since its last start, and the namespace of process ids: elsewhere nothing is known about the process. */
  readonly host: string;
}

/** A lock that this process holds. */
interface Lock {
  /** The path for the new content of the file; the owner of the lock creates it. */
  readonly content: string;
  /** Removes the lock, and the new content if it is still there. */
  readonly release: () => void;
}

const LOCK = /^\.(.+)\.lock$/s;
/** The maximum size of a lock, in bytes. */
const MAX_SIZE = 1024;

/**
 * Locks a file. The lock of a process that has ended is removed.
 *
 * @param path the file in messages
 * @param target its path without symbolic links
 * @returns undefined if the directory is not writable
 * @throws CommandError if another process holds the lock; TranslateError BAD_FILE
 */
export function lockFile(path: string, target: string): Lock | undefined {
  const lock = join(dirname(target), `.${basename(target)}.lock`);
  const self = thisProcess();
  try {
    if (!create(lock, self)) {
      releaseIfStale(path, lock);
      if (!create(lock, self)) throw heldBy(path, lock, ownerOf(lock));
    }
  } catch (error) {
    if (NOT_WRITABLE.has((error as NodeJS.ErrnoException).code)) return undefined;
    if (error instanceof CommandError) throw error;
    return onPath('write', path, () => {
      throw error;
    });
  }
  const content = contentOf(lock, self);
  return {
    content,
    release: () => {
      rmSync(content, { force: true });
      rmSync(lock, { force: true });
    },
  };
}

/**
 * Removes the locks in a folder whose processes have ended, with the files that they left.
 *
 * @throws CommandError if a process holds a lock, or if nothing is known about it; TranslateError BAD_FILE
 */
export function releaseStaleLocks(folder: string): void {
  const names = onPath('open', folder, () => readdirSync(folder));
  for (const name of names) {
    const [, locked = ''] = LOCK.exec(name) ?? [];
    if (names.includes(locked)) releaseIfStale(join(folder, locked), join(folder, name));
  }
}

/** Creates a lock. @returns false if there is one @throws the error of the system call */
function create(lock: string, owner: Owner | undefined): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(lock, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  try {
    writeAll(descriptor, Buffer.from(JSON.stringify(owner ?? {})));
    return true;
  } catch (error) {
    // On a full disk.
    rmSync(lock, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** The path of the new content; each process has another one, so that nobody removes that of a later process. */
const contentOf = (lock: string, owner: Owner | undefined): string =>
  `${lock}.${owner === undefined ? 'new' : `${owner.pid}-${owner.start}`}`;

/** Removes a lock if its process has ended. @throws CommandError if it has not, or if that is unknown; TranslateError BAD_FILE */
function releaseIfStale(path: string, lock: string): void {
  const found = lstatSync(lock, { throwIfNoEntry: false });
  if (found === undefined) return;
  const owner = ownerOf(lock);
  if (owner === undefined || !hasEnded(owner)) throw heldBy(path, lock, owner);
  // Only one process can rename it, and it may be another one's lock by now.
  const aside = `${lock}.${thisProcess()?.pid}.stale`;
  onPath('write', lock, () => renameSync(lock, aside));
  try {
    if (lstatSync(aside).ino !== found.ino) {
      linkSync(aside, lock);
      throw heldBy(path, lock, ownerOf(lock));
    }
    rmSync(contentOf(lock, owner), { force: true });
  } finally {
    rmSync(aside, { force: true });
  }
}

function heldBy(path: string, lock: string, owner: Owner | undefined): CommandError {
  const isHere = owner !== undefined && owner.host === thisProcess()?.host;
  return new CommandError(
    isHere
      ? `process ${owner.pid} is writing ${path}`
      : `another process is writing ${path}; if there is none, a process was interrupted: delete ${lock}`,
  );
}

/** The process in a lock; undefined if the lock does not have one. */
function ownerOf(lock: string): Owner | undefined {
  try {
    const { pid, start, host } = JSON.parse(readRegularFile(lock, MAX_SIZE)) as Record<string, unknown>;
    const isOwner = Number.isSafeInteger(pid) && typeof start === 'string' && /^\d+$/.test(start);
    return isOwner && typeof host === 'string' ? { pid: pid as number, start, host } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a process is known to have ended. */
function hasEnded({ pid, start, host }: Owner): boolean {
  if (host !== thisProcess()?.host) return false;
  try {
    const found = statOf(String(pid));
    // A zombie has ended, although its parent has not noticed yet.
    return found.start !== start || found.state === 'Z' || found.state === 'X';
  } catch (error) {
    return ['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '');
  }
}

/** This process; undefined on a system without `/proc`, where no lock is known to be stale. */
function thisProcess(): Owner | undefined {
  try {
    const { pid, start } = statOf('self');
    const kernel = (name: string): string => readFileSync(`/proc/sys/kernel/${name}`, 'utf8').trim();
    const host = [kernel('hostname'), kernel('random/boot_id'), readlinkSync('/proc/self/ns/pid')].join(' ');
    return { pid, start, host };
  } catch {
    return undefined;
  }
}

/** Fields of `/proc/PID/stat` (proc(5)). The name of the program, in parentheses, may contain spaces and parentheses. */
function statOf(pid: string): { readonly pid: number; readonly state: string; readonly start: string } {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { pid: Number.parseInt(text, 10), state: fields[0] ?? '', start: fields[19] ?? '' };
}
