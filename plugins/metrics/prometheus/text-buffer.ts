/** Free bytes for the next part, which may need more bytes than it has UTF-16 units. */
const MARGIN = 128 * 1024;
/** Most UTF-8 bytes for one UTF-16 unit. */
const MAX_BYTES_PER_UNIT = 3;

/** A text in UTF-8 that is written in parts: encoding a long text at once would block the event loop. */
export class TextBuffer {
  #bytes: Buffer;
  #length = 0;

  /** @param expected the expected size in bytes; a longer text is copied while it grows */
  constructor(expected: number) {
    this.#bytes = Buffer.allocUnsafe(expected + MARGIN);
  }

  add(text: string): void {
    const needed = this.#length + MAX_BYTES_PER_UNIT * text.length;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#length += this.#bytes.write(text, this.#length);
  }

  /** The written bytes, without a copy. */
  get content(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }
}
