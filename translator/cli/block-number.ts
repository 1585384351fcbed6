// The number of a block in a flag.

import { UsageError } from './errors.js';

const MAX = 2n ** 64n - 1n;

/** @param flag the name of the flag, for the error @throws UsageError */
export function blockNumberOf(flag: string, text: string): bigint {
  const number = /^\d{1,20}$/.test(text) ? BigInt(text) : undefined;
  if (number !== undefined && number <= MAX) return number;
  throw new UsageError(`flag '${flag}' must be the number of a block, found ${JSON.stringify(text)}`);
}
