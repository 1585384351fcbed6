// Packs lines into packets of a limited size, and queues packets that are not sent yet.

/** The kind of samples: growth of counters, values of gauges, or observations. */
export type SampleKind = 'growth' | 'value' | 'timing';

/** Lines that are sent together. */
export interface Packet {
  /** Complete lines, each with its line feed. */
  readonly bytes: Buffer;
  /** The number of samples in the lines. */
  readonly samples: number;
  readonly kind: SampleKind;
}

const LINE_FEED = 10;

/** Collects lines until a packet is full. */
export class Packer {
  readonly #maxBytes: number;
  readonly #kind: SampleKind;
  #lines: Buffer[] = [];
  #size = 0;

  /**
   * @param maxBytes size of the largest packet
   * @param kind the kind of the samples
   */
  constructor(maxBytes: number, kind: SampleKind) {
    this.#maxBytes = maxBytes;
    this.#kind = kind;
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
    const packet = { bytes, samples: this.#lines.length, kind: this.#kind };
    this.#lines = [];
    this.#size = 0;
    return packet;
  }
}

/** A packet counts as read by the daemon this long after it was written, in milliseconds. */
const CONFIRMED_AFTER = 1_000;

/** A packet that is queued, or written and not confirmed. */
interface QueuedPacket {
  readonly packet: Packet;
  /** The number of its flush. */
  readonly flush: number;
  /** When it was passed to the operating system; undefined while it is in the queue or in the buffer of the socket. */
  takenAt: number | undefined;
}

/**
 * The packets that are sent again after a lost connection, if the daemon may not have read them; the protocol has no acknowledgement.
 * `drop`: only values of gauges; growth and observations are dropped, because the daemon would count them twice if it has read them.
 * `resend`: all packets.
 */
export type Unacknowledged = 'drop' | 'resend';

/** Why samples were dropped: the queue was full, or the connection was lost after they were written. */
export type QueueDrop = 'queue' | 'unacknowledged';

/** Packets that are not written yet, and packets that were written so recently that the daemon may not have read them. */
export class PacketQueue {
  readonly #maxBytes: number;
  readonly #unacknowledged: Unacknowledged;
  readonly #onDropped: (samples: number, reason: QueueDrop) => void;
  /** Oldest first. */
  #queue: QueuedPacket[] = [];
  #unconfirmed: QueuedPacket[] = [];
  #bytes = 0;

  /**
   * @param maxBytes limit of the queue, applied by {@link trim}
   * @param onDropped called with the number of dropped samples
   */
  constructor(
    maxBytes: number,
    unacknowledged: Unacknowledged,
    onDropped: (samples: number, reason: QueueDrop) => void,
  ) {
    this.#maxBytes = maxBytes;
    this.#unacknowledged = unacknowledged;
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
   * @returns its bytes, and a function to call when they were passed to the operating system
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

  /** After a lost connection, puts the unconfirmed packets back at the front of the queue, or drops them. */
  requeue(): void {
    this.#forgetConfirmed();
    const again: QueuedPacket[] = [];
    for (const queued of this.#unconfirmed) {
      const { kind, bytes, samples } = queued.packet;
      if (this.#unacknowledged === 'drop' && kind !== 'value') {
        this.#onDropped(samples, 'unacknowledged');
        continue;
      }
      queued.takenAt = undefined;
      this.#bytes += bytes.length;
      again.push(queued);
    }
    this.#queue.unshift(...again);
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
      const timing = this.#queue.findIndex(({ packet }) => packet.kind === 'timing');
      const [dropped] = this.#queue.splice(Math.max(timing, 0), 1);
      if (dropped === undefined) return;
      this.#bytes -= dropped.packet.bytes.length;
      this.#onDropped(dropped.packet.samples, 'queue');
    }
  }

  #forgetConfirmed(): void {
    const since = performance.now() - CONFIRMED_AFTER;
    this.#unconfirmed = this.#unconfirmed.filter(({ takenAt = Infinity }) => takenAt > since);
  }
}
