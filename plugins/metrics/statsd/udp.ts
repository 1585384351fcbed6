// Packets as UDP datagrams. The socket is connected, so that the operating system reports a closed port (ECONNREFUSED).

import { createSocket, type Socket } from 'node:dgram';
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { setImmediate as immediate, setTimeout as wait } from 'node:timers/promises';
import type { HostPort } from '../../../core/contract/index.js';
import type { Packet, Transport } from '../../../core/kit/internal/index.js';
import type { TransportListener } from '../../../core/kit/metrics.js';

/** How long a resolved address is used, in milliseconds. */
const LOOKUP_MAX_AGE = 60_000;
/** How long to wait after a flush for the error of a closed port, in milliseconds. */
const ERROR_WAIT = 20;

/** Sends each packet as one datagram. */
export class UdpTransport implements Transport {
  readonly maxPacket: number;
  readonly #daemon: HostPort;
  readonly #listener: TransportListener;
  #socket: Socket | undefined;
  #address = '';
  #resolvedAt = -Infinity;
  /** The first error of the current flush. */
  #problem: Error | undefined;

  constructor(daemon: HostPort, maxPacket: number, listener: TransportListener) {
    this.#daemon = daemon;
    this.maxPacket = maxPacket;
    this.#listener = listener;
  }

  start(): void {
    // Each flush opens the socket if necessary.
  }

  async begin(): Promise<void> {
    this.#problem = undefined;
    try {
      if (performance.now() - this.#resolvedAt > LOOKUP_MAX_AGE || this.#socket === undefined)
        await this.#open();
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
    await wait(ERROR_WAIT);
    // If the event loop was blocked, the error has arrived but was not read yet.
    await immediate();
    if (this.#problem !== undefined) throw this.#problem;
    this.#listener.reachable(undefined);
  }

  async stop(): Promise<void> {
    this.#close();
  }

  async #open(): Promise<void> {
    const { address, family } = await this.#resolve();
    this.#resolvedAt = performance.now();
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

  /** Resolves the name. Keeps the current address while the name has it, or selects the next one after a failure. */
  async #resolve(): Promise<LookupAddress> {
    const found = await lookup(this.#daemon.host === '' ? 'localhost' : this.#daemon.host, { all: true });
    const current = found.findIndex(({ address }) => address === this.#address);
    const hasFailed = this.#resolvedAt === -Infinity;
    const chosen = found[hasFailed ? (current + 1) % found.length : Math.max(current, 0)];
    if (chosen === undefined) throw new Error(`no address found for ${this.#daemon.host}`);
    return chosen;
  }

  #fail(error: Error): void {
    this.#problem ??= error;
    this.#listener.reachable(error.message);
    // Resolve the name again before the next flush.
    this.#resolvedAt = -Infinity;
  }

  #close(): void {
    this.#socket?.removeAllListeners('error').on('error', () => undefined);
    this.#socket?.close();
    this.#socket = undefined;
  }
}
