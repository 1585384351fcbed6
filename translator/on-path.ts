// System calls on files and directories. Node.js only.

import { describeSystemError } from '../core/common/text/system-error.js';
import { TranslateError } from '../proto/errors.js';

/**
 * Runs a system call on a path.
 *
 * @throws TranslateError BAD_FILE such as `open /x: no such file`; its cause is the system error
 */
export function onPath<Result>(action: string, path: string, call: () => Result): Result {
  try {
    return call();
  } catch (cause) {
    const failure = new TranslateError('BAD_FILE', `${action} ${path}: ${describeSystemError(cause)}`);
    throw Object.assign(failure, { cause });
  }
}
