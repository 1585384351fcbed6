// Files named by options: secrets, unreadable files, and short names of paths for messages.

import { FileNotResponding, readForeignBytes } from '../common/files/file-call.js';
import { describeSystemError } from '../common/text/system-error.js';
import { describeError } from './reason.js';

/** Largest file with a secret, in bytes. */
const MAX_SECRET_SIZE = 16 * 1024;

/**
 * Reads a secret, without the line end.
 *
 * @throws Error naming the option and the file
 */
export async function readSecret(file: string, option: string): Promise<string> {
  try {
    const text = (await readForeignBytes(file, MAX_SECRET_SIZE)).toString('utf8').trim();
    if (text === '') throw new Error('it is empty');
    if (/[^ -~]/.test(text)) throw new Error('it has more than one line, or non-ASCII characters');
    return text;
  } catch (error) {
    throw new Error(`${option}: ${file}: ${describeSystemError(error)}`, { cause: error });
  }
}

/** Whether a file or directory could not be read because a permission is missing. */
export const isForbidden = (error: unknown): boolean =>
  ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '');

/**
 * Why a file or directory could not be read.
 *
 * @param advice what the operator can do if a permission is missing
 */
export function describeUnreadable(error: unknown, advice: string): string {
  const reason = describeError(error, false);
  if (error instanceof FileNotResponding) return `could not be checked: ${reason}`;
  return isForbidden(error) ? `cannot be checked: ${reason}; ${advice}` : reason;
}

/**
 * Unique short names of paths: the last part of each path, or as many of its last parts as distinguish it from the other paths.
 *
 * @returns the names by path
 */
export function shortNames(paths: readonly string[]): ReadonlyMap<string, string> {
  const different = [...new Set(paths)];
  const nameOf = (path: string): string => {
    const parts = path.split('/').filter((part) => part !== '');
    for (let count = 1; count < parts.length; count += 1) {
      const name = parts.slice(-count).join('/');
      if (!different.some((other) => other !== path && `/${other}`.endsWith(`/${name}`))) return name;
    }
    return path;
  };
  return new Map(different.map((path) => [path, nameOf(path)]));
}
