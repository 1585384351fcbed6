// A TCP connection to a daemon that takes lines.

import { connect, type Socket } from 'node:net';
import { Backoff } from '../../common/flow/backoff.js';
import type { HostPort } from '../../common/text/host-port.js';

/** Longest attempt to connect, in milliseconds. */
const CONNECT_TIMEOUT = 5_000;
/** Idle time before the first TCP keep-alive probe, in milliseconds. */
const KEEP_ALIVE_DELAY = 15_000;

/** How long a connection must stay open after its first write before the back-off is reset, in milliseconds. */
const STABLE_TIME = 1_000;

/** Events of a connection. */
export interface ConnectionListener {
  /** @param isFirst whether this was the first attempt */
  connected(isFirst: boolean): void;
  /** The operating system accepts more bytes, after a write that filled its buffer. */
  drained(): void;
  /** The connection was lost, or an attempt failed; `problem` is the reason. The next attempt is scheduled. */
  lost(problem: string): void;
  /** The connection closed after {@link ReconnectingConnection.stopReconnecting}. */
  closed(): void;
}

/** A TCP connection that reconnects with back-off whenever it is lost. It does not keep the process running. */
export class ReconnectingConnection {
  readonly #address: HostPort;
  readonly #listener: ConnectionListener;
  readonly #backoff = new Backoff();
  #socket: Socket | undefined;
  #isConnected = false;
  #mustDrain = false;
  #isStopping = false;
  #attempts = 0;
  #retry: NodeJS.Timeout | undefined;
  /** The timer that resets the back-off, started by the first completed write on this connection. */
  #stable: NodeJS.Timeout | undefined;

  constructor(address: HostPort, listener: ConnectionListener) {
    this.#address = address;
    this.#listener = listener;
  }

  get isConnecting(): boolean {
    return this.#socket !== undefined && !this.#isConnected;
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  /** Whether a write would be passed on at once. */
  get isWritable(): boolean {
    return this.#isConnected && !this.#mustDrain;
  }

  /** Connects. The host name is resolved for each attempt. */
  connect(): void {
    this.#attempts += 1;
    const { host, port } = this.#address;
    const socket = connect({ host: host === '' ? 'localhost' : host, port });
    socket.unref().setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_DELAY).setTimeout(CONNECT_TIMEOUT);
    let problem = 'the daemon closed the connection';
    socket.on('connect', () => this.#onConnect(socket));
    socket.on('timeout', () => socket.destroy(new Error('connection attempt timed out')));
    socket.on('drain', () => {
      this.#mustDrain = false;
      this.#listener.drained();
    });
    socket.on('error', (error) => (problem = error.message));
    socket.on('close', () => this.#onClose(problem));
    // The daemon sends nothing, but without reading, the end of the connection would not be noticed.
    socket.resume();
    this.#socket = socket;
  }

  /**
   * Writes to the connection.
   *
   * @param onTaken called when the bytes were passed to the operating system
   */
  write(bytes: Buffer, onTaken: () => void): void {
    const hasSpace = this.#socket?.write(bytes, (error) => {
      if (error !== null && error !== undefined) return;
      // A daemon that accepts connections and closes them must be reconnected to with back-off.
      if (this.#isConnected) this.#stable ??= setTimeout(() => this.#backoff.reset(), STABLE_TIME).unref();
      onTaken();
    });
    this.#mustDrain = hasSpace !== true;
  }

  /** Makes no further attempt to connect. */
  stopReconnecting(): void {
    this.#isStopping = true;
    clearTimeout(this.#retry);
  }

  /**
   * Closes the connection after the written bytes.
   *
   * @param timeout how long to wait for the daemon to close it too, in milliseconds
   */
  async end(timeout: number): Promise<void> {
    const socket = this.#socket;
    if (socket === undefined) return;
    if (this.#isConnected) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeout);
        socket.once('close', () => {
          clearTimeout(timer);
          resolve();
        });
        socket.end();
      });
    }
    socket.destroy();
  }

  #onConnect(socket: Socket): void {
    socket.setTimeout(0);
    this.#isConnected = true;
    this.#mustDrain = false;
    this.#listener.connected(this.#attempts === 1);
  }

  #onClose(problem: string): void {
    clearTimeout(this.#stable);
    this.#stable = undefined;
    this.#isConnected = false;
    this.#socket = undefined;
    if (this.#isStopping) return this.#listener.closed();
    this.#listener.lost(problem);
    this.#retry = setTimeout(() => this.connect(), this.#backoff.next()).unref();
  }
}
