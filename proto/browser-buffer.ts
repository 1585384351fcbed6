// The part of Node's Buffer that the codec uses, for bundles for browsers. The build of the channel page puts it in place of `node:buffer`.

/** Above this number of arguments, browsers cannot call a function. */
const MAX_ARGUMENTS = 8192;

/** The values of the characters of both alphabets of base64. */
const DIGITS: ReadonlyMap<string, number> = new Map(
  ['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', '-_'].flatMap((alphabet, url) =>
    [...alphabet].map((digit, index) => [digit, index + 62 * url] as const),
  ),
);

/** Bytes from base64 in either alphabet. Skips other characters, and ends at `=`. */
function fromBase64(text: string): Uint8Array {
  const bytes = new Uint8Array((text.length * 3) >> 2);
  let [size, bits, count] = [0, 0, 0];
  for (const character of text) {
    if (character === '=') break;
    const digit = DIGITS.get(character);
    if (digit === undefined) continue;
    bits = ((bits & 0x3f) << 6) | digit;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes[size++] = bits >> count;
  }
  return bytes.subarray(0, size);
}

const bytesOf = (text: string, encoding?: string): Uint8Array =>
  encoding === 'base64'
    ? fromBase64(text)
    : encoding === 'latin1'
      ? Uint8Array.from(text, (character) => character.charCodeAt(0))
      : new TextEncoder().encode(text);

/** Bytes, with the methods of Node's `Buffer` that the codec calls: they take and return the same. */
export class Buffer extends Uint8Array {
  static allocUnsafe(size: number): Buffer {
    return new Buffer(size);
  }

  static byteLength(text: string): number {
    return bytesOf(text).length;
  }

  static isBuffer(value: unknown): value is Buffer {
    return value instanceof Buffer;
  }

  /** A copy of a text in `base64` or UTF-8, or a view of bytes. */
  static override from(given: unknown, encodingOrStart?: unknown, length?: unknown): Buffer {
    if (typeof given !== 'string')
      return new Buffer(given as ArrayBuffer, encodingOrStart as number, length as number);
    const { buffer, byteOffset, byteLength } = bytesOf(given, encodingOrStart as string | undefined);
    return new Buffer(buffer as ArrayBuffer, byteOffset, byteLength);
  }

  /** @returns the number of written bytes */
  write(text: string, start: number, size: number, encoding: string): number {
    const bytes = bytesOf(text, encoding).subarray(0, size);
    this.set(bytes, start);
    return bytes.length;
  }

  copy(target: Uint8Array, start: number, from: number): void {
    target.set(this.subarray(from), start);
  }

  /** @returns the index after the written bytes */
  writeUInt16LE(value: number, start: number): number {
    this[start] = value;
    this[start + 1] = value >> 8;
    return start + 2;
  }

  /** @param encoding `base64` or `utf16le` */
  override toString(encoding?: string, start = 0, end = this.length): string {
    const size = encoding === 'base64' ? 1 : 2;
    const units = (end - start) / size;
    let text = '';
    for (let from = 0; from < units; from += MAX_ARGUMENTS) {
      const codes = Array.from({ length: Math.min(MAX_ARGUMENTS, units - from) }, (_, index) => {
        const at = start + (from + index) * size;
        return size === 1 ? this[at]! : this[at]! | (this[at + 1]! << 8);
      });
      text += String.fromCharCode(...codes);
    }
    return encoding === 'base64' ? btoa(text) : text;
  }
}
