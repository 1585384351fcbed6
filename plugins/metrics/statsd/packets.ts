// Packs lines into packets of a limited size.

/** Some lines that travel together. */
export interface Packet {
  readonly bytes: Buffer;
  /** How many samples they are. */
  readonly samples: number;
  /** Whether they are observations, which are the first to go when something must. */
  readonly isTiming: boolean;
}

/** Collects lines of one kind until a packet is full. */
export class Packer {
  readonly #maxBytes: number;
  readonly #isTiming: boolean;
  #lines: Buffer[] = [];
  #size = 0;

  /** @param maxBytes size of the largest packet */
  constructor(maxBytes: number, isTiming: boolean) {
    this.#maxBytes = maxBytes;
    this.#isTiming = isTiming;
  }

  /** Whether lines can travel at all: they are never split. */
  fits(lines: Buffer): boolean {
    return lines.length <= this.#maxBytes;
  }

  /** Adds the lines of one sample; the packet that was full without them. */
  add(lines: Buffer): Packet | undefined {
    const full = this.#size + lines.length > this.#maxBytes ? this.take() : undefined;
    this.#lines.push(lines);
    this.#size += lines.length;
    return full;
  }

  /** What was collected so far. */
  take(): Packet | undefined {
    if (this.#lines.length === 0) return undefined;
    const packet = {
      bytes: Buffer.concat(this.#lines, this.#size),
      samples: this.#lines.length,
      isTiming: this.#isTiming,
    };
    this.#lines = [];
    this.#size = 0;
    return packet;
  }
}
