// Packs lines into packets of a limited size.

/** Lines that are sent together. */
export interface Packet {
  /** Complete lines, each with its line feed. */
  readonly bytes: Buffer;
  /** How many samples the lines are. */
  readonly samples: number;
  /** Whether the samples are observations, which are dropped first. */
  readonly isTiming: boolean;
}

const LINE_FEED = 10;

/** Collects lines until a packet is full. */
export class Packer {
  readonly #maxBytes: number;
  readonly #isTiming: boolean;
  #lines: Buffer[] = [];
  #size = 0;

  /**
   * @param maxBytes size of the largest packet
   * @param isTiming whether the lines are observations
   */
  constructor(maxBytes: number, isTiming: boolean) {
    this.#maxBytes = maxBytes;
    this.#isTiming = isTiming;
  }

  /** Whether the lines of one sample fit into a packet: they are never split. */
  fits(lines: Buffer): boolean {
    return lines.length < this.#maxBytes;
  }

  /** Adds the lines of one sample, without the last line feed. Returns the previous packet when they do not fit into it. */
  add(lines: Buffer): Packet | undefined {
    const full = this.#size + lines.length + 1 > this.#maxBytes ? this.take() : undefined;
    this.#lines.push(lines);
    this.#size += lines.length + 1;
    return full;
  }

  /** Returns the lines added since the last packet; undefined when there are none. */
  take(): Packet | undefined {
    if (this.#lines.length === 0) return undefined;
    const bytes = Buffer.allocUnsafe(this.#size);
    let end = 0;
    for (const line of this.#lines) {
      end += line.copy(bytes, end);
      bytes[end] = LINE_FEED;
      end += 1;
    }
    const packet = { bytes, samples: this.#lines.length, isTiming: this.#isTiming };
    this.#lines = [];
    this.#size = 0;
    return packet;
  }
}
