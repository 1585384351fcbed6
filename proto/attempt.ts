// Calls whose TranslateErrors are results, or get another text.

import { TranslateError } from './errors.js';

/**
 * The result of a call, or what is made of its TranslateError; other errors are thrown. The call may return a promise.
 *
 * @param otherwise may throw another error
 */
export function attempt<Result, Other>(
  call: () => Promise<Result>,
  otherwise: (error: TranslateError) => Other,
): Promise<Result | Other>;
export function attempt<Result, Other>(
  call: () => Result,
  otherwise: (error: TranslateError) => Other,
): Result | Other;
export function attempt(call: () => unknown, otherwise: (error: TranslateError) => unknown): unknown {
  const handle = (error: unknown): unknown => {
    if (error instanceof TranslateError) return otherwise(error);
    throw error;
  };
  try {
    const result = call();
    return result instanceof Promise ? result.catch(handle) : result;
  } catch (error) {
    return handle(error);
  }
}

/** Runs a step, and puts a text before the message of its TranslateError, as Go's `errors.WithMessage` does. */
export const withPrefix = <Result>(prefix: string, call: () => Result): Result =>
  attempt(call, ({ code, message }): never => {
    throw new TranslateError(code, `${prefix}: ${message}`);
  });
