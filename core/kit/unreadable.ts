// Files of a node that the user of the agent may not read. That says nothing about the node.

import { describeError } from './reason.js';

/** Whether a file or directory could not be read for lack of a permission. */
export const isForbidden = (error: unknown): boolean =>
  ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '');

/**
 * Why a file or directory could not be read.
 *
 * @param advice what to do when a permission is missing
 */
export function describeUnreadable(error: unknown, advice: string): string {
  const reason = describeError(error, false);
  return isForbidden(error) ? `cannot be checked: ${reason}; ${advice}` : reason;
}
