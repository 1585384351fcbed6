// The length before each block of a file of a ledger.

/** The longest length, in bytes. */
export const MAX_VARINT = 10;

/** The length before a block, and how many bytes it takes; undefined if it is not complete. */
export function readLength(
  bytes: Uint8Array,
  at: number,
): { readonly value: number; readonly size: number } | undefined {
  let value = 0;
  for (let size = 1; at + size <= bytes.length; size += 1) {
    const byte = bytes[at + size - 1]!;
    value += (byte & 0x7f) * 2 ** (7 * (size - 1));
    if (byte < 0x80 || size > MAX_VARINT) return { value, size };
  }
  return undefined;
}
