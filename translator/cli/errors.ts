// Errors of the command line, with the texts that Fabric's configtxlator puts before them.

import { describeSystemError } from '../../core/common/text/system-error.js';
import { TranslateError, type TranslateErrorCode } from '../../proto/errors.js';

/** A command that failed; the message follows `configtxlator: error: `. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
}

/** Invalid arguments; the message is followed by `, try --help`. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError';
}

/** The text before an error of an operation, by the code of the error. */
export type PrefixByCode = (code: TranslateErrorCode) => string;

/** Returns text to append to the message of an operation's error. */
export type Hint = (error: TranslateError) => string;

/**
 * Runs one step of a command and prefixes its errors with a text that names the step.
 *
 * @throws CommandError
 */
export function step<Result>(prefix: string | PrefixByCode, call: () => Result, hint?: Hint): Result {
  try {
    return call();
  } catch (error) {
    if (error instanceof TranslateError) {
      const text = typeof prefix === 'string' ? prefix : prefix(error.code);
      throw new CommandError(`${text}: ${error.message}${hint?.(error) ?? ''}`, { cause: error });
    }
    if (error instanceof CommandError && typeof prefix === 'string')
      throw new CommandError(`${prefix}: ${error.message}`, { cause: error.cause });
    throw error;
  }
}

/** Errors of an operation become those of a command. */
export async function asCommandError<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof TranslateError) throw new CommandError(error.message, { cause: error });
    throw error;
  }
}

/**
 * Runs a system call on a path.
 *
 * @throws CommandError such as `open /x: no such file`
 */
export function onPath<Result>(action: string, path: string, call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    throw new CommandError(`${action} ${path}: ${describeSystemError(error)}`, { cause: error });
  }
}

/** Runs a check of an argument; its errors become usage errors. */
export function asUsage<Result>(call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}
