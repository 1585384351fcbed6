// Text of bytes that are not all UTF-8, as Go reads it.

/** Longest UTF-8 form of a character, in bytes. */
const MAX_LENGTH = 4;

/** Each byte that belongs to no character stands in the text as a lone surrogate from here on. */
const STRAY_BYTES = 0xdc00;

/** Characters beyond have two units in UTF-16. */
const LAST_SINGLE_UNIT = 0xffff;

/**
 * UTF-8 text in which **each** byte that belongs to no character is a lone surrogate. Go makes U+FFFD of it in
 * strings, as `toWellFormed` does, and shows the byte where it stands outside.
 */
export function goUtf8(bytes: Buffer): string {
  // No character has fewer bytes in UTF-8 than units in UTF-16.
  const units = Buffer.allocUnsafe(2 * bytes.length);
  let end = 0;
  for (let index = 0; index < bytes.length;) {
    const length = characterLength(bytes, index);
    const code = length === 0 ? STRAY_BYTES + bytes[index]! : codePoint(bytes, index, length);
    if (code > LAST_SINGLE_UNIT) {
      end = units.writeUInt16LE(0xd7c0 + (code >> 10), end);
      end = units.writeUInt16LE(0xdc00 + (code & 0x3ff), end);
    } else {
      // By hand: this is run for every byte of large inputs.
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

/** The byte that stands in a text of `goUtf8` or, for other characters, the first one of their UTF-8 form. */
export function byteOf(text: string, index: number): number {
  const code = text.codePointAt(index)!;
  return code >= STRAY_BYTES && code <= STRAY_BYTES + 0xff
    ? code - STRAY_BYTES
    : Buffer.from(String.fromCodePoint(code))[0]!;
}

/** The length of the character at an index; 0 when there is none. */
function characterLength(bytes: Buffer, index: number): number {
  const first = bytes[index]!;
  if (first < 0x80) return 1;
  const length = first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : MAX_LENGTH;
  return length > 0 && index + length <= bytes.length && isCharacter(bytes, index, length) ? length : 0;
}

function isCharacter(bytes: Buffer, index: number, length: number): boolean {
  for (let next = index + 1; next < index + length; next++) if ((bytes[next]! & 0xc0) !== 0x80) return false;
  const [first, second] = [bytes[index]!, bytes[index + 1]!];
  // Over-long forms, surrogates, and beyond U+10FFFF.
  if (first < 0xc2 || first > 0xf4) return false;
  if (first === 0xe0) return second >= 0xa0;
  if (first === 0xed) return second < 0xa0;
  if (first === 0xf0) return second >= 0x90;
  return first !== 0xf4 || second < 0x90;
}
