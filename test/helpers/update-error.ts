// Assertions about errors of computeUpdate.

import type { ExecutionContext } from 'ava';
import { TranslateError, type TranslateErrorCode } from '../../proto/index.js';
import { computeUpdate } from '../../translator/update/index.js';

/** Code, path and message of an error. */
export type Failure = readonly [code: TranslateErrorCode, path: string, message: string];

export const MALFORMED = 'proto: cannot parse invalid wire-format data';
export const NOT_UTF8 = 'string field contains invalid UTF-8';
export const TOO_DEEP = 'proto: exceeded maximum recursion depth';

export const NO_DIFFERENCES: Failure = [
  'NO_DIFFERENCES',
  '',
  'no differences detected between original and updated config',
];

/** Asserts that computing an update fails with an error. */
export function fails(
  t: ExecutionContext,
  original: Uint8Array,
  updated: Uint8Array,
  [code, path, message]: Failure,
  channelId = 'c',
): void {
  const error = t.throws(() => computeUpdate(original, updated, channelId), {
    instanceOf: TranslateError,
    message,
  });
  t.deepEqual([error?.code, error?.path], [code, path]);
}
