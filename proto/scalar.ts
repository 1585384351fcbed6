// JSON values -> scalars, as Go's strict protobuf JSON reader takes them (specification section 5, "plain fields").

import { JsonNumber, MAX_NATIVE_NUMBER, type JsonValue } from './json.js';
import type { Kind } from './plan.js';
import type { EnumType } from './registry.js';

/** Text, bytes, truth, a 32-bit number, or a 64-bit one as decimal text. */
export type ScalarValue = string | Buffer | boolean | number;

/** Thrown on a number that JSON.parse may have rounded. */
export class RoundedNumber extends Error {}

/** Signedness and width of an integer. */
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

/** Text of a small number without sign, fraction or exponent. */
const SMALL = /^(?:0|[1-9]\d{0,8})$/;
const NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** No 64-bit integer has more digits. */
const MAX_DIGITS = 20;

/** A scalar of a kind; undefined when the value is none. */
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

/** A 32-bit integer from a number or its text; undefined when it is none. */
function intFrom(json: JsonValue, kind: 'int32' | 'uint32'): number | undefined {
  if (typeof json === 'number' && (json | 0) === json && json >= 0) return json;
  const text = numberText(json);
  if (text === undefined) return undefined;
  if (SMALL.test(text)) return Number(text);
  const value = integer(text, RANGES[kind]);
  return value === undefined ? undefined : Number(value);
}

/** A 64-bit integer as decimal text, from a number or its text; undefined when it is none. */
function longFrom(json: JsonValue, kind: 'int64' | 'uint64'): string | undefined {
  const text = numberText(json);
  if (text === undefined || SMALL.test(text)) return text;
  const value = integer(text, RANGES[kind]);
  return value === undefined ? undefined : String(value);
}

/** The text of a number or of what may be one. @throws RoundedNumber */
export function numberText(json: JsonValue): string | undefined {
  if (json instanceof JsonNumber) return json.text;
  if (typeof json === 'number') {
    if (Math.abs(json) > MAX_NATIVE_NUMBER) throw new RoundedNumber();
    return String(json);
  }
  return typeof json === 'string' ? json : undefined;
}

/** The integer that a number stands for, however it is written; undefined when it is no integer or out of range. */
function integer(text: string, { min, max }: Range): bigint | undefined {
  const match = NUMBER.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = withoutLastZeros(digits);
  if (significant === '') return 0n;
  const zeros = digits.length - significant.length - fraction.length + Number(exponent);
  if (!(zeros >= 0) || significant.length + zeros > MAX_DIGITS) return undefined;
  const value = BigInt(sign + significant + '0'.repeat(zeros));
  return value < min || value > max ? undefined : value;
}

// A regular expression would begin anew at every zero within.
function withoutLastZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}

/** An enum number from the name of a value or any 32-bit number; undefined when it is none. */
function enumFrom(json: JsonValue, type: EnumType): number | undefined {
  if (typeof json === 'string') return type.numbers.get(json);
  return intFrom(json, 'int32');
}

const STANDARD = /^[A-Za-z0-9+/]*$/;
const URL_SAFE = /^[A-Za-z0-9_-]*$/;

/** Node's decoder takes the low byte of such a character for one of its alphabet. */
const WIDE = /[\u0100-\uffff]/;

/** Bytes from base64 of either alphabet, with or without padding; undefined when it is none. */
export function bytesFrom(json: JsonValue): Buffer | undefined {
  if (typeof json !== 'string' || WIDE.test(json)) return undefined;
  const urlSafe = json.includes('-') || json.includes('_');
  const bytes = Buffer.from(json, urlSafe ? 'base64url' : 'base64');
  // Node's decoder passes over what is no base64, and then gives fewer bytes.
  if (json.length % 4 === 0 && !urlSafe && bytes.length === paddedLength(json)) return bytes;
  return isBase64(json, urlSafe ? URL_SAFE : STANDARD) ? bytes : undefined;
}

function paddedLength(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}

function isBase64(text: string, alphabet: RegExp): boolean {
  const joined = text.replace(/[\r\n]/g, '');
  // Go expects padding when the length allows it, line breaks counted.
  if (text.length % 4 !== 0) return joined.length % 4 !== 1 && alphabet.test(joined);
  return joined.length % 4 === 0 && alphabet.test(joined.replace(/==?$/, ''));
}
