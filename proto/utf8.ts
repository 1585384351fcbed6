// UTF-8: comparison of strings by their bytes, and decoding of invalid UTF-8 like Go.

/**
 * Compares two strings by their UTF-8 bytes, for use with `sort`.
 *
 * JavaScript compares UTF-16 code units, which puts the surrogates of U+10000 and above before U+E000 to U+FFFF.
 */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left === right) continue;
    return isSurrogate(left) === isSurrogate(right) ? left - right : isSurrogate(left) ? 1 : -1;
  }
  return a.length - b.length;
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;

/** The longest UTF-8 sequence, in bytes. */
const MAX_LENGTH = 4;

/** The first lone surrogate that represents an invalid byte. */
const INVALID_BYTES = 0xdc00;

/** The last code point with one UTF-16 unit. */
const LAST_SINGLE_UNIT = 0xffff;

/**
 * Decodes UTF-8. Each byte that is not part of a valid sequence becomes a lone surrogate.
 *
 * Go replaces such a byte by U+FFFD inside strings, as `toWellFormed` does, and shows the byte in syntax errors (see `byteAt`).
 */
export function goUtf8(bytes: Buffer): string {
  // A character has at most as many UTF-16 units as UTF-8 bytes.
  const units = Buffer.allocUnsafe(2 * bytes.length);
  let end = 0;
  for (let index = 0; index < bytes.length;) {
    const length = sequenceLength(bytes, index);
    const code = length === 0 ? INVALID_BYTES + bytes[index]! : codePoint(bytes, index, length);
    if (code > LAST_SINGLE_UNIT) {
      end = units.writeUInt16LE(0xd7c0 + (code >> 10), end);
      end = units.writeUInt16LE(0xdc00 + (code & 0x3ff), end);
    } else {
      // Faster than writeUInt16LE; this runs for every byte of large inputs.
      units[end++] = code & 0xff;
      units[end++] = code >> 8;
    }
    index += Math.max(length, 1);
  }
  return units.toString('utf16le', 0, end);
}

function codePoint(bytes: Buffer, index: number, length: number): number {
  const first = bytes[index]!;
  let code = length === 1 ? first : first & (0x7f >> length);
  for (let next = index + 1; next < index + length; next++) code = (code << 6) | (bytes[next]! & 0x3f);
  return code;
}

/** The first UTF-8 byte of the character at an index, or the invalid byte that `goUtf8` found there. */
export function byteAt(text: string, index: number): number {
  const code = text.codePointAt(index)!;
  return code >= INVALID_BYTES && code <= INVALID_BYTES + 0xff
    ? code - INVALID_BYTES
    : Buffer.from(String.fromCodePoint(code))[0]!;
}

/** The length of the UTF-8 sequence at an index; 0 if it is invalid. */
function sequenceLength(bytes: Buffer, index: number): number {
  const first = bytes[index]!;
  if (first < 0x80) return 1;
  const length = first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : MAX_LENGTH;
  return length > 0 && index + length <= bytes.length && isValid(bytes, index, length) ? length : 0;
}

function isValid(bytes: Buffer, index: number, length: number): boolean {
  for (let next = index + 1; next < index + length; next++) if ((bytes[next]! & 0xc0) !== 0x80) return false;
  const [first, second] = [bytes[index]!, bytes[index + 1]!];
  // Overlong forms, surrogates, and code points above U+10FFFF are invalid.
  if (first < 0xc2 || first > 0xf4) return false;
  if (first === 0xe0) return second >= 0xa0;
  if (first === 0xed) return second < 0xa0;
  if (first === 0xf0) return second >= 0x90;
  return first !== 0xf4 || second < 0x90;
}
