// JSON values -> scalars, with the rules of Go's protojson.

import { JsonNumber, MAX_NATIVE_NUMBER, type JsonValue } from './json-value.js';
import type { Kind } from './type.js';
import type { EnumType } from './registry.js';

/** 64-bit integers are decimal strings. */
type ScalarValue = string | Buffer | boolean | number;

/** Thrown for a number that JSON.parse may have rounded. */
export class RoundedNumber extends Error {}

interface Range {
  readonly min: bigint;
  readonly max: bigint;
}

const RANGES = {
  int32: { min: -(2n ** 31n), max: 2n ** 31n - 1n },
  uint32: { min: 0n, max: 2n ** 32n - 1n },
  int64: { min: -(2n ** 63n), max: 2n ** 63n - 1n },
  uint64: { min: 0n, max: 2n ** 64n - 1n },
} satisfies Record<string, Range>;

/** A number of at most nine digits, without sign, fraction and exponent. */
const SMALL = /^(?:0|[1-9]\d{0,8})$/;
const NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Maximum number of digits of a 64-bit integer. */
const MAX_DIGITS = 20;

/** The scalar of a JSON value; undefined if the kind does not allow the value. @throws RoundedNumber */
export function scalarFrom(
  json: JsonValue,
  kind: Kind,
  values: EnumType | undefined,
): ScalarValue | undefined {
  switch (kind) {
    case 'string':
      return typeof json === 'string' ? json : undefined;
    case 'bytes':
      return bytesFrom(json);
    case 'bool':
      return typeof json === 'boolean' ? json : undefined;
    case 'enum':
      return enumFrom(json, values!);
    case 'int32':
    case 'uint32':
      return intFrom(json, kind);
    case 'int64':
    case 'uint64':
      return longFrom(json, kind);
    case 'message':
    case 'timestamp':
      break;
  }
  return undefined;
}

/** A 32-bit integer from a number or a string; undefined if it is invalid. */
function intFrom(json: JsonValue, kind: 'int32' | 'uint32'): number | undefined {
  if (typeof json === 'number' && (json | 0) === json && json >= 0) return json;
  const text = numberText(json);
  if (text === undefined) return undefined;
  if (SMALL.test(text)) return Number(text);
  const value = integer(text, RANGES[kind]);
  return value === undefined ? undefined : Number(value);
}

/** A 64-bit integer as a decimal string, from a number or a string; undefined if it is invalid. */
function longFrom(json: JsonValue, kind: 'int64' | 'uint64'): string | undefined {
  const text = numberText(json);
  if (text === undefined || SMALL.test(text)) return text;
  const value = integer(text, RANGES[kind]);
  return value === undefined ? undefined : String(value);
}

/** The text of a number, or a string as it is; undefined for other values. @throws RoundedNumber */
export function numberText(json: JsonValue): string | undefined {
  if (json instanceof JsonNumber) return json.text;
  if (typeof json === 'number') {
    if (Math.abs(json) > MAX_NATIVE_NUMBER) throw new RoundedNumber();
    return String(json);
  }
  return typeof json === 'string' ? json : undefined;
}

/** The integer value of a number with or without fraction and exponent; undefined if it is not an integer or out of range. */
function integer(text: string, { min, max }: Range): bigint | undefined {
  const match = NUMBER.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = withoutTrailingZeros(digits);
  if (significant === '') return 0n;
  const zeros = digits.length - significant.length - fraction.length + Number(exponent);
  if (!(zeros >= 0) || significant.length + zeros > MAX_DIGITS) return undefined;
  const value = BigInt(sign + significant + '0'.repeat(zeros));
  return value < min || value > max ? undefined : value;
}

// The expression /0+$/ would take quadratic time: it starts again at every zero.
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}

/** An enum number from a value name or any 32-bit number; undefined if it is invalid. */
function enumFrom(json: JsonValue, type: EnumType): number | undefined {
  if (typeof json === 'string') return type.numbers.get(json);
  return intFrom(json, 'int32');
}

const STANDARD = /^[A-Za-z0-9+/]*$/;
const URL_SAFE = /^[A-Za-z0-9_-]*$/;

/** For these characters, the base64 decoder of Node.js would use the low byte. */
const WIDE = /[\u0100-\uffff]/;

/** Bytes from base64 of either alphabet, with or without padding; undefined if it is invalid. */
export function bytesFrom(json: JsonValue): Buffer | undefined {
  if (typeof json !== 'string' || WIDE.test(json)) return undefined;
  const bytes = Buffer.from(json, 'base64');
  // The decoder of Node.js skips invalid characters; the result is then shorter.
  if (bytes.length === sizeOfBase64(json)) return bytes;
  const urlSafe = json.includes('-') || json.includes('_');
  return isBase64(json, urlSafe ? URL_SAFE : STANDARD) ? bytes : undefined;
}

/**
 * The number of bytes in base64 if all its characters are valid; undefined if it does not use the standard alphabet or has no padding.
 */
export function sizeOfBase64(text: string): number | undefined {
  if (text.length % 4 !== 0 || text.includes('-') || text.includes('_') || WIDE.test(text)) return undefined;
  return paddedLength(text);
}

function paddedLength(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}

function isBase64(text: string, alphabet: RegExp): boolean {
  const joined = text.replace(/[\r\n]/g, '');
  // Go's protojson selects the decoder with padding by the length including line breaks.
  if (text.length % 4 !== 0) return joined.length % 4 !== 1 && alphabet.test(joined);
  return joined.length % 4 === 0 && alphabet.test(joined.replace(/==?$/, ''));
}
