// Durations, as Go's time.ParseDuration and Duration.String read and print them.

const NANOSECONDS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);
const LIMIT = 1n << 63n;
const SECOND = 1_000_000_000n;

/** More digits do not change the result; Go cuts them too. */
const MAX_FRACTION = 18;

/** A duration, or why the text is not a duration. */
export type Duration = { readonly nanoseconds: bigint } | { readonly error: string };

/**
 * Parses a duration.
 *
 * @returns nanoseconds, or an error in the words of Go: `time: missing unit in duration "2"`
 */
export function parseDuration(text: string): Duration {
  const invalid = { error: `time: invalid duration ${quote(text)}` };
  const negative = text.startsWith('-');
  let rest = /^[-+]/.test(text) ? text.slice(1) : text;
  if (rest === '0') return { nanoseconds: 0n };
  if (rest === '') return invalid;
  let total = 0n;
  while (rest !== '') {
    const [number, whole = '', , fraction = ''] = /^([0-9]*)(\.([0-9]*))?/.exec(rest)!;
    if (whole === '' && fraction === '') return invalid;
    rest = rest.slice(number.length);
    const unit = /^[^.0-9]*/.exec(rest)![0];
    if (unit === '') return { error: `time: missing unit in duration ${quote(text)}` };
    rest = rest.slice(unit.length);
    const size = NANOSECONDS.get(unit);
    if (size === undefined) return { error: `time: unknown unit ${quote(unit)} in duration ${quote(text)}` };
    if (whole.replace(/^0+/, '').length > 19) return invalid;
    const digits = fraction.slice(0, MAX_FRACTION);
    total += BigInt(whole === '' ? 0 : whole) * size;
    total += digits === '' ? 0n : (BigInt(digits) * size) / 10n ** BigInt(digits.length);
    if (total > LIMIT) return invalid;
  }
  if (negative) return { nanoseconds: -total };
  return total === LIMIT ? invalid : { nanoseconds: total };
}

/** Prints a duration: `1h0m0.5s`, `-1s`, `1.5ms`, `0s`. */
export function printDuration(nanoseconds: bigint): string {
  const sign = nanoseconds < 0n ? '-' : '';
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (size === 0n) return '0s';
  if (size < 1_000n) return `${sign}${size}ns`;
  if (size < 1_000_000n) return `${sign}${decimal(size, 1_000n)}µs`;
  if (size < SECOND) return `${sign}${decimal(size, 1_000_000n)}ms`;
  const minutes = size / SECOND / 60n;
  const seconds = `${decimal(size % (60n * SECOND), SECOND)}s`;
  if (minutes === 0n) return `${sign}${seconds}`;
  const hours = minutes / 60n;
  return `${sign}${hours === 0n ? '' : `${hours}h`}${minutes % 60n}m${seconds}`;
}

function decimal(size: bigint, unit: bigint): string {
  const digits = String(unit).length - 1;
  const fraction = String(size % unit)
    .padStart(digits, '0')
    .replace(/0+$/, '');
  return `${size / unit}${fraction === '' ? '' : `.${fraction}`}`;
}

/** A string in the form of Go's error texts: bytes that are not printable ASCII are escaped. */
function quote(text: string): string {
  return `"${text.replaceAll(/[^ !#-[\]-~]/gu, (character) =>
    character === '"' || character === '\\' ? `\\${character}` : escaped(character),
  )}"`;
}

function escaped(character: string): string {
  return [...new TextEncoder().encode(character)]
    .map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`)
    .join('');
}
