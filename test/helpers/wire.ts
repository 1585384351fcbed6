// Serialized fields written by hand, in forms that no encoder writes.

/** The concatenation of bytes and hexadecimal strings. */
export function bytesOf(...parts: readonly (string | Uint8Array)[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'hex') : part)));
}

/** A length-delimited field with a number below 16. */
export function delimited(number: number, ...parts: readonly (string | Uint8Array)[]): Buffer {
  const content = bytesOf(...parts);
  return Buffer.concat([Buffer.from([number * 8 + 2]), varint(content.length), content]);
}

/** A map entry with a string key. */
export function mapEntry(number: number, key: string, ...value: readonly (string | Uint8Array)[]): Buffer {
  return delimited(number, delimited(1, Buffer.from(key)), delimited(2, ...value));
}

/** The bytes of a map entry before its value, for a value of this size. */
export function beginOfEntry(number: number, key: string, size: number): Buffer {
  const head = bytesOf(delimited(1, Buffer.from(key)), Buffer.from([2 * 8 + 2]), varint(size));
  return bytesOf(Buffer.from([number * 8 + 2]), varint(head.length + size), head);
}

/** A varint of up to 53 bits. */
export function varint(value: number): Buffer {
  const bytes = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.from([...bytes, rest]);
}
