// Writes the protobuf wire format from the last byte to the first.

const FIRST_SIZE = 4096;
const CONTINUED = 0x80;

/**
 * A buffer that grows at its beginning.
 *
 * The content of a message is written before its length, so lengths need not be computed in advance and nothing is moved, however
 * deep messages nest. Callers write the last field first.
 */
export class ReverseWriter {
  #buffer = Buffer.alloc(FIRST_SIZE);
  #start = FIRST_SIZE;

  /** The number of bytes written. */
  get length(): number {
    return this.#buffer.length - this.#start;
  }

  /** A copy of the bytes. */
  bytes(): Uint8Array {
    return new Uint8Array(this.#buffer.subarray(this.#start));
  }

  /** Makes a field of the bytes written since the length was `since`. */
  wrap(tag: number, since: number): void {
    this.varint(this.length - since);
    this.varint(tag);
  }

  /** A string field. */
  text(tag: number, text: string): void {
    const size = Buffer.byteLength(text);
    this.#grow(size);
    this.#buffer.write(text, this.#start);
    this.varint(size);
    this.varint(tag);
  }

  /** Raw bytes. */
  raw(bytes: Uint8Array): void {
    this.#grow(bytes.length);
    this.#buffer.set(bytes, this.#start);
  }

  /** An unsigned integer of up to 53 bits. */
  varint(value: number): void {
    let size = 1;
    for (let limit = 128; value >= limit; limit *= 128) size += 1;
    this.#grow(size);
    let rest = value;
    for (let at = this.#start; at < this.#start + size - 1; at += 1) {
      this.#buffer[at] = (rest % 128) | CONTINUED;
      rest = Math.floor(rest / 128);
    }
    this.#buffer[this.#start + size - 1] = rest;
  }

  /** An unsigned integer of up to 64 bits. */
  uint64(value: bigint): void {
    if (value <= BigInt(Number.MAX_SAFE_INTEGER)) {
      this.varint(Number(value));
      return;
    }
    this.varint(Number(value >> 49n));
    for (let shift = 42n; shift >= 0n; shift -= 7n) {
      this.#grow(1);
      this.#buffer[this.#start] = Number((value >> shift) & 0x7fn) | CONTINUED;
    }
  }

  /** Reserves bytes at the beginning; doubles the buffer if needed. */
  #grow(count: number): void {
    if (count > this.#start) {
      const grown = Buffer.alloc(Math.max(2 * this.#buffer.length, this.length + count));
      this.#buffer.copy(grown, grown.length - this.length, this.#start);
      this.#start += grown.length - this.#buffer.length;
      this.#buffer = grown;
    }
    this.#start -= count;
  }
}
