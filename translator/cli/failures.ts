// The words around the errors of a command's steps, which are those of the reference.

import { TranslateError, type TranslateErrorCode } from '../../proto/errors.js';
import { CommandError } from './errors.js';

/** The words for what an operation refuses, by the code of its error. */
export type WordsByCode = (code: TranslateErrorCode) => string;

/** Says more about what an operation refuses. */
export type Hint = (error: TranslateError) => string;

/**
 * Does a step of a command; what goes wrong in it is told after words that say which step it was.
 *
 * @throws CommandError
 */
export function step<Result>(words: string | WordsByCode, call: () => Result, hint?: Hint): Result {
  try {
    return call();
  } catch (error) {
    if (error instanceof TranslateError) {
      const prefix = typeof words === 'string' ? words : words(error.code);
      throw new CommandError(`${prefix}: ${error.message}${hint?.(error) ?? ''}`, { cause: error });
    }
    if (error instanceof CommandError && typeof words === 'string')
      throw new CommandError(`${words}: ${error.message}`, { cause: error.cause });
    throw error;
  }
}
