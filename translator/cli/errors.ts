// Errors of the command line, and the words that Go has for the errors of the system.

/** A command that failed; the message follows `configtxlator: error: `. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
}

/** Arguments that make no sense; the message is followed by `, try --help`. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError';
}

const WORDS: ReadonlyMap<string, string> = new Map([
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

/** What went wrong in the words of Go: `no such file or directory`. */
export function wordsOf(error: unknown): string {
  return WORDS.get(codeOf(error)) ?? (error as Error).message;
}

/** Runs a system call on a path; its errors read as Go writes them: `open /x: no such file or directory`. */
export function onPath<Result>(action: string, path: string, call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    throw new CommandError(`${action} ${path}: ${wordsOf(error)}`, { cause: error });
  }
}

/** Turns a failure of what arguments ask for into one of the arguments. */
export function asUsage<Result>(call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}
