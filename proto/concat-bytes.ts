// Joins byte arrays, without the Buffer of Node.js.

/** The bytes of all parts in one array. */
export const concatBytes = (...parts: readonly Uint8Array[]): Uint8Array => joinBytes(parts);

/** The same for a list of any length; a call has a limited number of arguments. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const result = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}
