// Parses ports and sizes given on the command line.

import { UsageError } from './errors.js';

const FLOAT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const MAX_PORT = 65_535;
const SIZE = /^(\d+)(?:([KMG])B?)?$/i;
const UNITS: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['K', 1024],
  ['M', 1024 ** 2],
  ['G', 1024 ** 3],
]);
/** About the longest string of Node.js. */
const MAX_SIZE_MB = 512;

/**
 * Parses a port. Like Fabric's configtxlator, accepts any number and truncates it.
 *
 * @throws UsageError with Go's text
 */
export function parsePort(text: string): number {
  const fail = (reason: string): UsageError =>
    new UsageError(`strconv.ParseFloat: parsing ${JSON.stringify(text)}: ${reason}`);
  if (!FLOAT.test(text)) throw fail('invalid syntax');
  const port = Math.trunc(Number(text));
  if (port < 0 || port > MAX_PORT) throw fail('value out of range');
  // Turns the -0 of -0.5 into 0.
  return port + 0;
}

/**
 * Parses a size: a number of bytes, or a number with a unit such as 100MB.
 *
 * @param flag the name of the flag, for the error
 * @returns bytes
 * @throws UsageError
 */
export function parseSize(flag: string, text: string): number {
  const [, digits, unit = ''] = SIZE.exec(text) ?? [];
  const size = Number(digits) * (UNITS.get(unit.toUpperCase()) ?? 1);
  if (size >= 1 && size <= MAX_SIZE_MB * 1024 ** 2) return size;
  throw new UsageError(
    `--${flag} must be a size between 1 and ${MAX_SIZE_MB}MB, such as 100MB: found ${JSON.stringify(text)}`,
  );
}
