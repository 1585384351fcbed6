// Datagrams to a StatsD daemon. The socket is connected, so that the system says when nobody listens at the other end.

import { createSocket, type Socket } from 'node:dgram';
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { setImmediate as immediate, setTimeout as wait } from 'node:timers/promises';
import type { Packet } from './packets.js';
import type { DaemonAddress, Transport, TransportListener } from './transport.js';

/** How long an address that was looked up is used, in milliseconds. */
const LOOKUP_AGE = 60_000;
/** How long to wait for word that the last datagrams found nobody, in milliseconds. */
const REFUSAL_WAIT = 20;

/** Sends each packet as a datagram. */
export class UdpTransport implements Transport {
  readonly maxPacket: number;
  readonly #daemon: DaemonAddress;
  readonly #listener: TransportListener;
  #socket: Socket | undefined;
  #address = '';
  #lookedUp = -Infinity;
  /** The first thing that went wrong in the flush under way. */
  #problem: Error | undefined;

  constructor(daemon: DaemonAddress, maxPacket: number, listener: TransportListener) {
    this.#daemon = daemon;
    this.maxPacket = maxPacket;
    this.#listener = listener;
  }

  start(): void {
    // Every flush finds its own way.
  }

  async begin(): Promise<void> {
    this.#problem = undefined;
    try {
      if (performance.now() - this.#lookedUp > LOOKUP_AGE || this.#socket === undefined) await this.#open();
    } catch (error) {
      this.#fail(error as Error);
      throw error;
    }
  }

  async send({ bytes }: Packet): Promise<void> {
    const socket = this.#socket;
    if (this.#problem !== undefined || socket === undefined)
      throw this.#problem ?? new Error('the socket is closed');
    await new Promise<void>((resolve, reject) => {
      socket.send(bytes, (error) => {
        if (error === null || error === undefined) resolve();
        else reject(error);
      });
    }).catch((error: unknown) => {
      this.#fail(error as Error);
      throw error;
    });
    this.#listener.sent(bytes.length);
  }

  async end(): Promise<void> {
    await wait(REFUSAL_WAIT);
    // Where something kept the process busy, the word has come and was not read yet.
    await immediate();
    if (this.#problem !== undefined) throw this.#problem;
    this.#listener.reachable(undefined);
  }

  async stop(): Promise<void> {
    this.#close();
  }

  async #open(): Promise<void> {
    const { address, family } = await this.#find();
    this.#lookedUp = performance.now();
    if (address === this.#address && this.#socket !== undefined) return;
    this.#close();
    this.#address = address;
    const socket = createSocket(family === 6 ? 'udp6' : 'udp4').unref();
    this.#socket = socket;
    socket.on('error', (error) => this.#fail(error));
    try {
      await new Promise<void>((resolve, reject) => {
        socket.connect(this.#daemon.port, address, (error?: Error) => {
          if (error === undefined) resolve();
          else reject(error);
        });
      });
    } catch (error) {
      this.#close();
      throw error;
    }
  }

  /** The address in use as long as the name has it and it works, otherwise the one after it. */
  async #find(): Promise<LookupAddress> {
    const found = await lookup(this.#daemon.host === '' ? 'localhost' : this.#daemon.host, { all: true });
    const current = found.findIndex(({ address }) => address === this.#address);
    const hasFailed = this.#lookedUp === -Infinity;
    const chosen = found[hasFailed ? (current + 1) % found.length : Math.max(current, 0)];
    if (chosen === undefined) throw new Error(`the name ${this.#daemon.host} has no address`);
    return chosen;
  }

  #fail(error: Error): void {
    this.#problem ??= error;
    this.#listener.reachable(error.message);
    // The name may lead elsewhere by now.
    this.#lookedUp = -Infinity;
  }

  #close(): void {
    this.#socket?.removeAllListeners('error').on('error', () => undefined);
    this.#socket?.close();
    this.#socket = undefined;
  }
}
