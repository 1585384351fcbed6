// Packets over one persistent TCP connection. Those that are not written yet are queued.

import { ReconnectingConnection } from './connection.js';
import { PacketQueue } from './packet-queue.js';
import type { Packet } from './packets.js';
import type { DaemonAddress, Transport, TransportListener } from './transport.js';

/** Size of one write, in bytes. */
const MAX_WRITE = 16 * 1024;
/** How much may be queued for a daemon that reads slowly before a flush waits, in bytes. */
const HIGH_WATER = 256 * 1024;
/** How long a flush waits for a daemon that does not read, in milliseconds; then the rest is queued. */
const FLUSH_WAIT = 1_500;
/** How long a stop waits for the daemon, in milliseconds. */
const STOP_WAIT = 1_500;

/** How much is queued, and when. */
export interface TcpQueueOptions {
  /** Limit of the queue, in bytes. */
  readonly maxQueued: number;
  /**
   * Whether packets are queued while there is no connection. Otherwise a flush without a connection fails, and a flush whose
   * packets do not fit into the queue when the connection is lost.
   */
  readonly isQueuedOffline: boolean;
}

/** Sends packets over TCP. */
export class TcpTransport implements Transport {
  readonly maxPacket = MAX_WRITE;
  readonly #listener: TransportListener;
  readonly #connection: ReconnectingConnection;
  readonly #queue: PacketQueue;
  readonly #isQueuedOffline: boolean;
  /** How much may be queued before a flush waits, in bytes. */
  readonly #highWater: number;
  /** The number of the current flush, or of the last one. */
  #flush = 0;
  #isFlushing = false;
  /** Whether the connection was lost during the current flush. */
  #isBroken = false;
  /** Why there is no connection. */
  #problem = '';
  /** When to stop waiting for the daemon. */
  #deadline = 0;
  /** Called at each event that a flush may wait for. */
  readonly #waiting = new Set<() => void>();

  constructor(
    daemon: DaemonAddress,
    { maxQueued, isQueuedOffline }: TcpQueueOptions,
    listener: TransportListener,
  ) {
    this.#listener = listener;
    this.#isQueuedOffline = isQueuedOffline;
    this.#queue = new PacketQueue(maxQueued, (samples) => listener.dropped(samples));
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
    this.#isBroken = this.#isFlushing && !this.#isQueuedOffline;
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

  /** Fails the flush when the connection was lost and the queue is full: its packets are removed, the core keeps the batch. */
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
