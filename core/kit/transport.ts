import type { Packet } from './packets.js';

/** The address of the daemon. */
export interface DaemonAddress {
  readonly host: string;
  readonly port: number;
}

/** Events of a transport. */
export interface TransportListener {
  /** Bytes were handed to the operating system. */
  sent(bytes: number): void;
  /** A connection was made after the first attempt. */
  reconnected(): void;
  /** Samples were dropped. */
  dropped(samples: number): void;
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
