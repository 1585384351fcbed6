// Packs lines into packets of a limited size, and keeps those that are not sent yet.

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

/** How long after it was written a packet counts as read by the daemon, in milliseconds. */
const CONFIRMED_AFTER = 1_000;

/** A packet in the queue or on its way. */
interface QueuedPacket {
  readonly packet: Packet;
  /** The number of the flush that it is part of. */
  readonly flush: number;
  /** When the operating system took it; undefined while it is in the queue or in the buffer of the socket. */
  takenAt: number | undefined;
}

/**
 * Packets that are not written yet, and packets that were written so recently that the daemon may not have read them.
 *
 * The protocol has no acknowledgement: after a lost connection the recent packets are written again. Sending a value twice is
 * better than losing it.
 */
export class PacketQueue {
  readonly #maxBytes: number;
  readonly #onDropped: (samples: number) => void;
  /** Oldest first. */
  #queue: QueuedPacket[] = [];
  #unconfirmed: QueuedPacket[] = [];
  #bytes = 0;

  /**
   * @param maxBytes limit of the queue, applied by {@link trim}
   * @param onDropped called with the number of dropped samples
   */
  constructor(maxBytes: number, onDropped: (samples: number) => void) {
    this.#maxBytes = maxBytes;
    this.#onDropped = onDropped;
  }

  /** The size of the packets that are not written yet. */
  get bytes(): number {
    return this.#bytes;
  }

  get isOverLimit(): boolean {
    return this.#bytes > this.#maxBytes;
  }

  add(packet: Packet, flush: number): void {
    this.#queue.push({ packet, flush, takenAt: undefined });
    this.#bytes += packet.bytes.length;
  }

  /**
   * Removes the oldest packet, to be written now.
   *
   * @returns its bytes, and a function to call when the operating system has taken them
   */
  next(): { readonly bytes: Buffer; readonly onTaken: () => void } | undefined {
    const next = this.#queue.shift();
    if (next === undefined) return undefined;
    const { bytes } = next.packet;
    this.#bytes -= bytes.length;
    this.#forgetConfirmed();
    this.#unconfirmed.push(next);
    return { bytes, onTaken: () => (next.takenAt = performance.now()) };
  }

  /** Puts the unconfirmed packets back to the front of the queue, after a lost connection. */
  requeue(): void {
    this.#forgetConfirmed();
    for (const queued of this.#unconfirmed) {
      queued.takenAt = undefined;
      this.#bytes += queued.packet.bytes.length;
    }
    this.#queue.unshift(...this.#unconfirmed);
    this.#unconfirmed = [];
  }

  /** Removes the packets of a flush; they do not count as dropped. */
  remove(flush: number): void {
    this.#queue = this.#queue.filter((queued) => queued.flush !== flush);
    this.#bytes = 0;
    for (const { packet } of this.#queue) this.#bytes += packet.bytes.length;
  }

  /** Drops packets until the queue is within its limit: the oldest observations first, then the oldest packets. */
  trim(): void {
    while (this.isOverLimit) {
      const timing = this.#queue.findIndex(({ packet }) => packet.isTiming);
      const [dropped] = this.#queue.splice(Math.max(timing, 0), 1);
      if (dropped === undefined) return;
      this.#bytes -= dropped.packet.bytes.length;
      this.#onDropped(dropped.packet.samples);
    }
  }

  #forgetConfirmed(): void {
    const since = performance.now() - CONFIRMED_AFTER;
    this.#unconfirmed = this.#unconfirmed.filter(({ takenAt = Infinity }) => takenAt > since);
  }
}
