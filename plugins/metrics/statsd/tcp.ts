// One lasting connection to a StatsD daemon. What was written shortly before the connection broke is sent again: whether the
// daemon had read it cannot be known, and a value told twice is better than one that is lost.

import { connect, type Socket } from 'node:net';
import { Backoff } from './backoff.js';
import type { Packet } from './packets.js';
import type { DaemonAddress, Transport, TransportListener } from './transport.js';

/** Size of one write, in bytes. */
const MAX_WRITE = 16 * 1024;
/** How much may wait for a daemon that reads slowly before a flush waits too, in bytes. */
const HIGH_WATER = 256 * 1024;
/** How long a flush waits for a daemon that does not read, in milliseconds; what is left is queued then. */
const PATIENCE = 1_500;
/** How long after its writing a packet counts as read, in milliseconds. */
const CONFIRMED_AFTER = 1_000;
/** Longest attempt to connect, and longest end of a connection, in milliseconds. */
const CONNECT_TIMEOUT = 5_000;
const STOP_TIMEOUT = 1_500;

interface KeptPacket {
  readonly packet: Packet;
  /** The number of the flush that it is part of. */
  readonly flush: number;
  /** When the system took it; it may lie in the memory of this process for long while the daemon does not read. */
  takenAt: number | undefined;
}

/** Writes packets to a connection, and keeps them while there is none. */
export class TcpTransport implements Transport {
  readonly maxPacket = MAX_WRITE;
  readonly #daemon: DaemonAddress;
  readonly #maxQueued: number;
  readonly #listener: TransportListener;
  readonly #backoff = new Backoff();
  /** Not written yet, oldest first. */
  #queue: KeptPacket[] = [];
  /** Written, but not long enough ago to count as read. */
  #unconfirmed: KeptPacket[] = [];
  /** The number of the flush under way or, when there is none, of the last one. */
  #flush = 0;
  #isFlushing = false;
  /** Whether the connection was lost in the flush under way. */
  #isBroken = false;
  #queuedBytes = 0;
  /** How much may wait before a flush waits too, in bytes. */
  readonly #highWater: number;
  #socket: Socket | undefined;
  #isConnected = false;
  #mustDrain = false;
  /** Why there is no connection. */
  #problem = '';
  #isStopped = false;
  #attempts = 0;
  #retry: NodeJS.Timeout | undefined;
  #patience = 0;
  /** Called at every step forward: a write that was taken, a connection made or lost. */
  readonly #waiting = new Set<() => void>();

  /** @param maxQueued how many bytes are kept while they cannot be written */
  constructor(daemon: DaemonAddress, maxQueued: number, listener: TransportListener) {
    this.#daemon = daemon;
    this.#maxQueued = maxQueued;
    this.#listener = listener;
    this.#highWater = Math.min(HIGH_WATER, maxQueued / 2);
  }

  start(): void {
    this.#isStopped = false;
    this.#connect();
  }

  async begin(): Promise<void> {
    this.#patience = performance.now() + PATIENCE;
    this.#flush += 1;
    this.#isFlushing = true;
    this.#isBroken = false;
    // A connection that is being made is worth waiting for.
    while (!this.#isConnected && this.#socket !== undefined && performance.now() < this.#patience)
      await this.#step();
    await this.#untilQueued(this.#highWater);
    // What comes now is better kept added up in the core than line by line here.
    if (!this.#isConnected) throw new Error(`the daemon is not connected: ${this.#problem}`);
    if (this.#queuedBytes > this.#highWater) throw new Error('the daemon does not read');
  }

  async send(packet: Packet): Promise<void> {
    await this.#untilQueued(Math.max(0, this.#highWater - packet.bytes.length));
    this.#queue.push({ packet, flush: this.#flush, takenAt: undefined });
    this.#queuedBytes += packet.bytes.length;
    this.#pump();
    this.#refuseIfBroken();
    this.#trim();
  }

  async end(): Promise<void> {
    await this.#untilQueued(0);
    this.#refuseIfBroken();
    this.#isFlushing = false;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#retry);
    const socket = this.#socket;
    if (socket === undefined) return;
    this.#patience = performance.now() + STOP_TIMEOUT;
    await this.#untilQueued(0);
    if (this.#isConnected) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.max(1, this.#patience - performance.now()));
        socket.once('close', () => {
          clearTimeout(timer);
          resolve();
        });
        socket.end();
      });
    }
    socket.destroy();
  }

  #connect(): void {
    this.#attempts += 1;
    // The name is looked up anew for each connection.
    const socket = connect({
      host: this.#daemon.host === '' ? 'localhost' : this.#daemon.host,
      port: this.#daemon.port,
    });
    socket.unref().setNoDelay(true).setKeepAlive(true, 15_000).setTimeout(CONNECT_TIMEOUT);
    let problem = 'the daemon closed the connection';
    this.#problem = 'there was no answer yet';
    socket.on('connect', () => this.#onConnect(socket));
    socket.on('timeout', () => socket.destroy(new Error('the connection was not made in time')));
    socket.on('drain', () => {
      this.#mustDrain = false;
      this.#pump();
      this.#stepForward();
    });
    socket.on('error', (error) => (problem = error.message));
    socket.on('close', () => this.#onClose(problem));
    // A daemon has nothing to say; reading it shows when it goes away.
    socket.resume();
    this.#socket = socket;
  }

  #onConnect(socket: Socket): void {
    socket.setTimeout(0);
    this.#isConnected = true;
    this.#mustDrain = false;
    this.#backoff.reset();
    if (this.#attempts > 1) this.#listener.reconnected();
    this.#listener.reachable(undefined);
    this.#pump();
    this.#stepForward();
  }

  #onClose(problem: string): void {
    this.#isConnected = false;
    this.#socket = undefined;
    this.#problem = problem;
    this.#stepForward();
    if (this.#isStopped) return;
    this.#isBroken = this.#isFlushing;
    this.#requeue();
    this.#listener.reachable(problem);
    this.#retry = setTimeout(() => this.#connect(), this.#backoff.next()).unref();
  }

  /** Where there is no connection any more and no room: the core keeps what is refused, and counters add up there. */
  #refuseIfBroken(): void {
    if (!this.#isBroken || this.#queuedBytes <= this.#maxQueued) return;
    this.#queue = this.#queue.filter(({ flush }) => flush !== this.#flush);
    this.#queuedBytes = 0;
    for (const { packet } of this.#queue) this.#queuedBytes += packet.bytes.length;
    this.#isBroken = false;
    this.#isFlushing = false;
    throw new Error(`the connection was lost: ${this.#problem}`);
  }

  #trim(): void {
    // What is too much for a flush under way is refused at its next step.
    while (this.#queuedBytes > this.#maxQueued && !this.#isBroken) this.#dropOne();
  }

  /** The oldest observations go first; where there are none, the oldest packet. */
  #dropOne(): void {
    const timing = this.#queue.findIndex(({ packet }) => packet.isTiming);
    const [dropped] = this.#queue.splice(Math.max(timing, 0), 1);
    if (dropped === undefined) return;
    this.#queuedBytes -= dropped.packet.bytes.length;
    this.#listener.dropped(dropped.packet.samples);
  }

  #pump(): void {
    const socket = this.#socket;
    while (socket !== undefined && this.#isConnected && !this.#mustDrain) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      const { bytes } = next.packet;
      this.#queuedBytes -= bytes.length;
      this.#mustDrain = !socket.write(bytes, (error) => {
        if (error === null || error === undefined) next.takenAt = performance.now();
      });
      this.#listener.sent(bytes.length);
      this.#forgetConfirmed();
      this.#unconfirmed.push(next);
    }
  }

  #forgetConfirmed(): void {
    const since = performance.now() - CONFIRMED_AFTER;
    this.#unconfirmed = this.#unconfirmed.filter(({ takenAt = Infinity }) => takenAt > since);
  }

  #requeue(): void {
    this.#forgetConfirmed();
    for (const again of this.#unconfirmed) {
      again.takenAt = undefined;
      this.#queuedBytes += again.packet.bytes.length;
    }
    this.#queue.unshift(...this.#unconfirmed);
    this.#unconfirmed = [];
    this.#trim();
  }

  /** Waits until no more than some bytes are queued, as long as there is a connection and patience. */
  async #untilQueued(bytes: number): Promise<void> {
    while (this.#isConnected && this.#queuedBytes > bytes && performance.now() < this.#patience)
      await this.#step();
  }

  /** Waits for something to happen, or for the end of the patience. */
  #step(): Promise<void> {
    return new Promise((resolve) => {
      const go = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(go);
        resolve();
      };
      const timer = setTimeout(go, Math.max(1, this.#patience - performance.now()));
      this.#waiting.add(go);
    });
  }

  #stepForward(): void {
    for (const go of this.#waiting) go();
  }
}
