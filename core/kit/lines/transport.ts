// Transports of packets to a daemon. The TCP transport has a persistent connection and queues packets that are not written yet.

import { createYielder, type HostPort } from '../../contract/index.js';
import { ReconnectingConnection } from './connection.js';
import {
  Packer,
  PacketQueue,
  type Packet,
  type QueueDrop,
  type SampleKind,
  type Unacknowledged,
} from './packets.js';

/** Events of a transport. */
export interface TransportListener {
  /** Bytes were passed to the operating system. */
  sent(bytes: number): void;
  /** A connection was made after the first attempt. */
  reconnected(): void;
  /** Samples were dropped. */
  dropped(samples: number, reason: QueueDrop): void;
  /** An attempt to reach the daemon succeeded, or failed with a problem. */
  reachable(problem: string | undefined): void;
}

/** Sends packets to a StatsD daemon. */
export interface Transport {
  /** Size of the largest packet, in bytes. */
  readonly maxPacket: number;
  /** Starts to connect, without waiting for it. */
  start(): void;
  /**
   * Begins a flush.
   *
   * @throws Error when the daemon cannot be reached now
   */
  begin(): Promise<void>;
  /**
   * Sends or queues one packet; waits while the daemon is slow.
   *
   * @throws Error when the packet was not sent and will not be
   */
  send(packet: Packet): Promise<void>;
  /**
   * Ends a flush.
   *
   * @throws Error when a part of the flush is known not to have arrived
   */
  end(): Promise<void>;
  /** Sends queued packets, for a limited time, and closes. */
  stop(): Promise<void>;
}

/** Size of one write, in bytes. */
const MAX_WRITE = 16 * 1024;
/** How much may be queued for a daemon that reads slowly before a flush waits, in bytes. */
const HIGH_WATER = 256 * 1024;
/** How long a flush waits for a daemon that does not read, in milliseconds; then the rest is queued. */
const FLUSH_WAIT = 1_500;
/** How long a stop waits for the daemon, in milliseconds. */
const STOP_WAIT = 1_500;

/** The limit of the queue, and when packets are queued or sent again. */
interface TcpQueueOptions {
  /** Limit of the queue, in bytes. */
  readonly maxQueued: number;
  /**
   * Whether packets are queued while there is no connection. Otherwise a flush fails if there is no connection, or if the connection is
   * lost and its packets do not fit into the queue.
   */
  readonly isQueuedOffline: boolean;
  /**
   * The packets of the last second that are sent again after a lost connection. With `drop`, a flush does not fail if the daemon may have
   * read a part of it, because a failed flush is sent again.
   *
   * @default resend
   */
  readonly unacknowledged?: Unacknowledged;
}

/** Sends packets over TCP. */
export class TcpTransport implements Transport {
  readonly maxPacket = MAX_WRITE;
  readonly #listener: TransportListener;
  readonly #connection: ReconnectingConnection;
  readonly #queue: PacketQueue;
  readonly #isQueuedOffline: boolean;
  readonly #unacknowledged: Unacknowledged;
  /** How much may be queued before a flush waits, in bytes. */
  readonly #highWater: number;
  /** The number of the current flush, or of the last one. */
  #flush = 0;
  #isFlushing = false;
  /** Whether the connection was lost during the current flush, which can fail as a whole. */
  #isBroken = false;
  /** Why there is no connection. */
  #problem = '';
  /** When to stop waiting for the daemon. */
  #deadline = 0;
  /** Callbacks of waiting flushes, called at each event. */
  readonly #waiting = new Set<() => void>();

  constructor(
    daemon: HostPort,
    { maxQueued, isQueuedOffline, unacknowledged = 'resend' }: TcpQueueOptions,
    listener: TransportListener,
  ) {
    this.#listener = listener;
    this.#isQueuedOffline = isQueuedOffline;
    this.#unacknowledged = unacknowledged;
    this.#queue = new PacketQueue(maxQueued, unacknowledged, (samples, reason) =>
      listener.dropped(samples, reason),
    );
    this.#highWater = Math.min(HIGH_WATER, maxQueued / 2);
    this.#connection = new ReconnectingConnection(daemon, {
      connected: (isFirst) => this.#onConnected(isFirst),
      drained: () => this.#writeQueued(),
      lost: (problem) => this.#onLost(problem),
      closed: () => this.#wake(),
    });
  }

  /** The size of the packets that are not written yet. */
  get queuedBytes(): number {
    return this.#queue.bytes;
  }

  /** Why packets cannot be sent now. */
  get problem(): string | undefined {
    if (this.#connection.isConnecting)
      return 'the daemon is not connected: the connection attempt is still in progress';
    if (!this.#connection.isConnected) return `the daemon is not connected: ${this.#problem}`;
    return this.#queue.bytes > this.#highWater ? 'the daemon does not read' : undefined;
  }

  start(): void {
    this.#connection.connect();
  }

  async begin(): Promise<void> {
    this.#deadline = performance.now() + FLUSH_WAIT;
    this.#flush += 1;
    this.#isFlushing = true;
    this.#isBroken = false;
    while (this.#connection.isConnecting && performance.now() < this.#deadline) await this.#nextEvent();
    if (this.#isQueuedOffline) return;
    await this.#untilQueued(this.#highWater);
    // A batch that is refused here stays in the core, where counters add up; the queue would keep every line.
    if (this.problem !== undefined) throw new Error(this.problem);
  }

  async send(packet: Packet): Promise<void> {
    await this.#untilQueued(Math.max(0, this.#highWater - packet.bytes.length));
    this.#queue.add(packet, this.#flush);
    this.#writeQueued();
    this.#throwIfBroken();
    this.#trim();
  }

  async end(): Promise<void> {
    await this.#untilQueued(0);
    this.#throwIfBroken();
    this.#isFlushing = false;
  }

  async stop(): Promise<void> {
    this.#connection.stopReconnecting();
    this.#deadline = performance.now() + STOP_WAIT;
    await this.#untilQueued(0);
    await this.#connection.end(this.#remaining());
  }

  #onConnected(isFirst: boolean): void {
    if (!isFirst) this.#listener.reconnected();
    this.#listener.reachable(undefined);
    this.#writeQueued();
  }

  #onLost(problem: string): void {
    this.#problem = problem;
    this.#isBroken = this.#isFlushing && !this.#isQueuedOffline && this.#unacknowledged === 'resend';
    this.#queue.requeue();
    this.#trim();
    this.#listener.reachable(problem);
    this.#wake();
  }

  #writeQueued(): void {
    while (this.#connection.isWritable) {
      const next = this.#queue.next();
      if (next === undefined) break;
      this.#connection.write(next.bytes, next.onTaken);
      this.#listener.sent(next.bytes.length);
    }
    this.#wake();
  }

  /** Fails the flush when the connection was lost and the queue is full: its packets are removed, and the core keeps the batch. */
  #throwIfBroken(): void {
    if (!this.#isBroken || !this.#queue.isOverLimit) return;
    this.#queue.remove(this.#flush);
    this.#isBroken = false;
    this.#isFlushing = false;
    throw new Error(`the connection was lost: ${this.#problem}`);
  }

  #trim(): void {
    // The next step of a broken flush removes its packets instead.
    if (!this.#isBroken) this.#queue.trim();
  }

  /** Waits until at most this many bytes are queued, while there is a connection and time left. */
  async #untilQueued(bytes: number): Promise<void> {
    while (this.#connection.isConnected && this.#queue.bytes > bytes && performance.now() < this.#deadline)
      await this.#nextEvent();
  }

  /** Waits for an event or the deadline. */
  #nextEvent(): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, this.#remaining());
      this.#waiting.add(wake);
    });
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
  }

  /** Milliseconds until the deadline, at least 1. */
  #remaining(): number {
    return Math.max(1, this.#deadline - performance.now());
  }
}

/** The number of samples that are written between two reads of the clock. */
const SAMPLES_PER_CHECK = 64;

/** Sends the lines of one flush. Other code can run in between. */
export class LineSender {
  readonly #transport: Transport;
  readonly #dropped: (reason: 'value' | 'length', samples: number) => void;
  readonly #signal: AbortSignal;
  readonly #yieldIfDue = createYielder(SAMPLES_PER_CHECK);
  #packer: Packer;

  /** @param dropped called with samples that cannot be sent */
  constructor(
    transport: Transport,
    dropped: (reason: 'value' | 'length', samples: number) => void,
    signal: AbortSignal,
  ) {
    this.#transport = transport;
    this.#dropped = dropped;
    this.#signal = signal;
    this.#packer = new Packer(transport.maxPacket, 'growth');
  }

  /**
   * Adds the lines of one sample.
   *
   * @param lines without the last line feed; undefined if the protocol cannot represent the sample
   * @returns undefined unless there is something to wait for: a promise for each line costs more than the line
   */
  add(lines: Buffer | undefined): Promise<void> | undefined {
    let packet: Packet | undefined;
    if (lines === undefined) this.#dropped('value', 1);
    else if (this.#packer.fits(lines)) packet = this.#packer.add(lines);
    else this.#dropped('length', 1);
    const nextTurn = this.#yieldIfDue();
    return packet === undefined && nextTurn === undefined ? undefined : this.#wait(packet, nextTurn);
  }

  /**
   * Sends the last lines.
   *
   * @param next the kind of the following lines; the first lines are growth
   */
  async flush(next: SampleKind = 'growth'): Promise<void> {
    const rest = this.#packer.take();
    if (rest !== undefined) await this.#transport.send(rest);
    this.#packer = new Packer(this.#transport.maxPacket, next);
  }

  async #wait(packet: Packet | undefined, nextTurn: Promise<void> | undefined): Promise<void> {
    if (packet !== undefined) await this.#transport.send(packet);
    await nextTurn;
    this.#signal.throwIfAborted();
  }
}
