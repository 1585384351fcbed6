// Builds protobuf bytes by hand, for encodings that no encoder writes.

/** Concatenates bytes and hexadecimal text. */
export function bytesOf(...parts: readonly (string | Uint8Array)[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'hex') : part)));
}

/** A length-delimited field with a number below 16. */
export function delimited(number: number, ...parts: readonly (string | Uint8Array)[]): Buffer {
  const content = bytesOf(...parts);
  return Buffer.concat([Buffer.from([number * 8 + 2]), varint(content.length), content]);
}

/** A map entry with a key and the bytes of its value. */
export function mapEntry(number: number, key: string, ...value: readonly (string | Uint8Array)[]): Buffer {
  return delimited(number, delimited(1, Buffer.from(key)), delimited(2, ...value));
}

/** The bytes of a map entry before its value, for a value of the given size. */
export function beginOfEntry(number: number, key: string, size: number): Buffer {
  const head = bytesOf(delimited(1, Buffer.from(key)), Buffer.from([2 * 8 + 2]), varint(size));
  return bytesOf(Buffer.from([number * 8 + 2]), varint(head.length + size), head);
}

/** An integer from 0 to 2^53. */
export function varint(value: number): Buffer {
  const bytes = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.from([...bytes, rest]);
}
