// Checks whether the program of a node could use a file. Errors are in the words of Go.

import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Go's texts for errors of the system. */
const GO_TEXTS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'no such file or directory'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'operation not permitted'],
  ['ENOTDIR', 'not a directory'],
  ['EISDIR', 'is a directory'],
  ['EADDRINUSE', 'address already in use'],
  ['EADDRNOTAVAIL', 'cannot assign requested address'],
  ['ENOSPC', 'no space left on device'],
  ['ECONNREFUSED', 'connection refused'],
  ['ENETUNREACH', 'network is unreachable'],
  ['EHOSTUNREACH', 'no route to host'],
  ['EROFS', 'read-only file system'],
]);

/** Go's text for an error of a system call; for an unknown error, its code. */
export function goText(error: unknown): string {
  const { code = '', message = String(error) } = error as { code?: string; message?: string };
  return GO_TEXTS.get(code) ?? (code || message);
}

/** The error of a call of `node:fs`, as Go prints it: `open /file: no such file or directory`; undefined if it succeeds. */
export function fileError(path: string, call: () => unknown): string | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    // Go opens a directory, and fails when it reads it.
    const { code } = error as NodeJS.ErrnoException;
    return `${code === 'EISDIR' ? 'read' : 'open'} ${path}: ${goText(error)}`;
  }
}

/** A path, or the nearest directory above it that exists. */
export function nearestDirectory(path: string): string {
  let here = path;
  while (!existsSync(here) && dirname(here) !== here) here = dirname(here);
  return here;
}

/** Whether a path is a directory that this user can see. */
export function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Why a directory cannot be created or written to; undefined if it can. */
export function makeProblem(path: string): string | undefined {
  const there = nearestDirectory(path);
  if (statSync(there, { throwIfNoEntry: false })?.isDirectory() === false) return 'not a directory';
  return accessProblem(there, constants.W_OK | constants.X_OK);
}

export function accessProblem(path: string, mode: number): string | undefined {
  try {
    accessSync(path, mode);
    return undefined;
  } catch (error) {
    return goText(error);
  }
}

/** The locks in Linux's list: of a whole file (LevelDB), or of its content (etcd). */
const LOCKS = { file: / FLOCK +\S+ +WRITE /, record: / (?:OFDLCK|POSIX) +\S+ +(?:WRITE|READ) / } as const;

/** The id of the process that has locked a file; 0: a process that Linux does not name here. Undefined: no process. */
export function lockHolder(path: string, kind: keyof typeof LOCKS): number | undefined {
  try {
    const { ino, dev } = statSync(path, { bigint: true });
    // As Linux's `makedev` encodes them.
    const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & 0xfffff000n);
    const minor = (dev & 0xffn) | ((dev >> 12n) & 0xffffff00n);
    const hex = (part: bigint): string => part.toString(16).padStart(2, '0');
    const id = `${hex(major)}:${hex(minor)}:${ino}`;
    const line = readFileSync('/proc/locks', 'utf8')
      .split('\n')
      .find((each) => LOCKS[kind].test(each) && each.split(/\s+/).includes(id));
    return line === undefined
      ? undefined
      : Math.max(0, Number(/(?:WRITE|READ) +(-?\d+)/.exec(line)?.[1] ?? 0));
  } catch {
    return undefined;
  }
}
