// Puts bytes of the protobuf wire format together from the last to the first.

const FIRST_SIZE = 4096;
const CONTINUED = 0x80;

/**
 * Bytes that grow at their beginning.
 *
 * What a message holds is there before its length is written, so that nothing is moved however deep messages nest, and no
 * length is computed ahead. Who writes with it writes the last field first.
 */
export class Backwards {
  #buffer = Buffer.alloc(FIRST_SIZE);
  #start = FIRST_SIZE;

  /** How many bytes there are. */
  get length(): number {
    return this.#buffer.length - this.#start;
  }

  /** A copy of the bytes. */
  bytes(): Uint8Array {
    return new Uint8Array(this.#buffer.subarray(this.#start));
  }

  /** Makes a field of what was put since there were so many bytes. */
  wrap(tag: number, since: number): void {
    this.varint(this.length - since);
    this.varint(tag);
  }

  /** A field of text. */
  text(tag: number, text: string): void {
    const size = Buffer.byteLength(text);
    this.#grow(size);
    this.#buffer.write(text, this.#start);
    this.varint(size);
    this.varint(tag);
  }

  /** Bytes as they are. */
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

  /** Makes room for so many bytes at the beginning, doubling what there is. */
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
