// Errors of the command line, with the prefixes of Fabric's configtxlator. The runner prints them, and TranslateErrors.

import { TranslateError } from '../../proto/errors.js';

/** A failed command; the message follows `configtxlator: error: `. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
}

/** Invalid arguments; the message is followed by `, try --help`. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError';
}

/** An update was not signed, because of the verdict of the review. */
export class NotSigned extends CommandError {
  override readonly name = 'NotSigned';
  /** The exit status of the verdict. */
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** An expected error, with a message for users. */
export type Failure = TranslateError | CommandError;

/**
 * Runs a call and replaces the text of its errors. Usage errors and unexpected errors are unchanged.
 *
 * @throws CommandError
 */
export function withMessage<Result>(message: (error: Failure) => string, call: () => Result): Result {
  const reword = (error: unknown): never => {
    if (error instanceof TranslateError) throw new CommandError(message(error), { cause: error });
    if (error instanceof NotSigned) throw new NotSigned(message(error), error.status);
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

/** Runs a step of a command, and prefixes its errors with the name of the step or with a path. @throws CommandError */
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

/** Runs a call with errors that name the file. @throws CommandError with the same text */
export function asCommandError<Result>(call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    throw new CommandError((error as Error).message, { cause: error });
  }
}
