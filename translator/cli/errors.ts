// Errors of the command line, with the texts that Fabric's configtxlator puts before them. The runner prints them, and TranslateErrors.

import { TranslateError } from '../../proto/errors.js';

/** A command that failed; the message follows `configtxlator: error: `. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
}

/** Invalid arguments; the message is followed by `, try --help`. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError';
}

/** An error that says what failed. */
export type Failure = TranslateError | CommandError;

/**
 * Runs a call and replaces the text of its errors. Usage errors and unexpected errors stay as they are.
 *
 * @throws CommandError
 */
export function withMessage<Result>(message: (error: Failure) => string, call: () => Result): Result {
  const reword = (error: unknown): never => {
    if (error instanceof TranslateError) throw new CommandError(message(error), { cause: error });
    if (error instanceof CommandError && !(error instanceof UsageError))
      throw new CommandError(message(error), { cause: error.cause });
    throw error;
  };
  try {
    const result = call();
    return result instanceof Promise ? (result.catch(reword) as Result) : result;
  } catch (error) {
    return reword(error);
  }
}

/** Runs one step of a command, and puts a text before its errors: what the step does, or the path that it is about. @throws CommandError */
export const withPrefix = <Result>(prefix: string, call: () => Result): Result =>
  withMessage(({ message }) => `${prefix}: ${message}`, call);

/** Runs a check of an argument; its errors become usage errors. */
export function asUsage<Result>(call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

/** Runs a call of the foundation, whose errors name the file. @throws CommandError with the same text */
export function asCommandError<Result>(call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    throw new CommandError((error as Error).message, { cause: error });
  }
}
