// The limit of open files, which can make any file unreadable.

import { describeSystemError } from '../../../core/kit/index.js';

/**
 * Throws if a file could not be opened because this process or the system has too many open files: this proves nothing about the file.
 *
 * @throws Error with the reason
 */
export function throwIfTooManyOpen(error: unknown): void {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EMFILE' || code === 'ENFILE') throw new Error(describeSystemError(error), { cause: error });
}
