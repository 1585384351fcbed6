/** Size of the first block unless a piece is larger, in bytes. */
const MIN_BLOCK = 4 * 1024;
/** Largest block for small pieces, in bytes. */
const MAX_BLOCK = 1024 * 1024;

/**
 * Collects the pieces of a body, an output or a file, up to a limit. The other side decides how large the pieces are: a list of pieces of
 * one byte takes 200 times the memory of their bytes, so each piece is copied into a block, and the blocks grow.
 */
export class ByteCollector {
  readonly #maxSize: number;
  readonly #full: Buffer[] = [];
  #block: Buffer = Buffer.alloc(0);
  /** The used bytes of the block. */
  #used = 0;
  #size = 0;

  /** @param maxSize in bytes */
  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  /** The number of collected bytes. */
  get size(): number {
    return this.#size;
  }

  /** Adds a piece. Returns false if it does not fit; then the bytes up to the limit are kept. */
  add(piece: Uint8Array): boolean {
    const end = Math.min(piece.length, this.#maxSize - this.#size);
    for (let at = 0; at < end;) {
      if (this.#used === this.#block.length) this.#grow(end - at);
      const count = Math.min(end - at, this.#block.length - this.#used);
      this.#block.set(piece.subarray(at, at + count), this.#used);
      this.#used += count;
      this.#size += count;
      at += count;
    }
    return end === piece.length;
  }

  /** The collected bytes. */
  bytes(): Buffer {
    const last = this.#block.subarray(0, this.#used);
    return this.#full.length === 0 ? last : Buffer.concat([...this.#full, last], this.#size);
  }

  /** Drops the collected bytes. */
  clear(): void {
    this.#full.length = 0;
    this.#block = Buffer.alloc(0);
    this.#used = 0;
    this.#size = 0;
  }

  /** @param needed the bytes that are there to add */
  #grow(needed: number): void {
    if (this.#used > 0) this.#full.push(this.#block);
    const size = Math.max(MIN_BLOCK, Math.min(this.#size, MAX_BLOCK), needed);
    this.#block = Buffer.allocUnsafeSlow(Math.min(size, this.#maxSize - this.#size));
    this.#used = 0;
  }
}
