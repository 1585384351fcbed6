// Text of bytes that are not all UTF-8, as Go reads it.

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Longest UTF-8 form of a character, in bytes. */
const MAX_LENGTH = 4;

/** UTF-8 text in which **each** byte that belongs to no character becomes U+FFFD. */
export function goUtf8(bytes: Buffer): string {
  const parts: string[] = [];
  let valid = 0;
  for (let index = 0; index < bytes.length; ) {
    const length = characterLength(bytes, index);
    if (length === 0) {
      parts.push(decoder.decode(bytes.subarray(valid, index)), '\ufffd');
      valid = index + 1;
    }
    index += Math.max(length, 1);
  }
  parts.push(decoder.decode(bytes.subarray(valid)));
  return parts.join('');
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
