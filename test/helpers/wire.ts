// Protobuf bytes by hand, for forms that no encoder writes.

/** Bytes of hexadecimal text and of other bytes, in a row. */
export function bytesOf(...parts: readonly (string | Uint8Array)[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'hex') : part)));
}

/** A length-delimited field with a number below 16. */
export function delimited(number: number, ...parts: readonly (string | Uint8Array)[]): Buffer {
  const content = bytesOf(...parts);
  return Buffer.concat([Buffer.from([number * 8 + 2]), varint(content.length), content]);
}

/** An entry of a map, with the text of its key. */
export function mapEntry(number: number, key: string, ...value: readonly (string | Uint8Array)[]): Buffer {
  return delimited(number, delimited(1, Buffer.from(key)), delimited(2, ...value));
}

/** What stands before the value of an entry of a map, given the size of the value. */
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
