// Errors of system calls, worded as Go words them.

import { CommandError } from './errors.js';

const GO_TEXTS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EADDRINUSE', 'address already in use'],
  ['EADDRNOTAVAIL', 'cannot assign requested address'],
  ['EBUSY', 'device or resource busy'],
  ['EDQUOT', 'disk quota exceeded'],
  ['EFBIG', 'file too large'],
  ['EINVAL', 'invalid argument'],
  ['EIO', 'input/output error'],
  ['EISDIR', 'is a directory'],
  ['ELOOP', 'too many levels of symbolic links'],
  ['EMFILE', 'too many open files'],
  ['ENAMETOOLONG', 'file name too long'],
  ['ENOENT', 'no such file or directory'],
  ['ENOSPC', 'no space left on device'],
  ['ENOTDIR', 'not a directory'],
  ['ENXIO', 'no such device or address'],
  ['EPERM', 'operation not permitted'],
  ['EPIPE', 'broken pipe'],
  ['EROFS', 'read-only file system'],
]);

/** The code of a system error; empty for other errors. */
export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException | undefined)?.code ?? '';
}

/** Go's text of a system error, such as `no such file or directory`; the message of other errors. */
export function goTextOf(error: unknown): string {
  return GO_TEXTS.get(codeOf(error)) ?? (error as Error).message;
}

/**
 * Runs a system call on a path.
 *
 * @throws CommandError in Go's form: `open /x: no such file or directory`
 */
export function onPath<Result>(action: string, path: string, call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    throw new CommandError(`${action} ${path}: ${goTextOf(error)}`, { cause: error });
  }
}
