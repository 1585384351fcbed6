import { TranslateError } from '../../proto/errors.js';

/** Runs a step; prefixes the message of a `TranslateError`, as Go's `errors.WithMessage` does. */
export function withMessage<Result>(prefix: string, call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    throw error instanceof TranslateError
      ? new TranslateError(error.code, `${prefix}: ${error.message}`)
      : error;
  }
}
