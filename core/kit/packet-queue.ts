import type { Packet } from './packets.js';

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
