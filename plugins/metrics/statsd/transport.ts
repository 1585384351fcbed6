import type { Packet } from './packets.js';

/** Where the daemon is. */
export interface DaemonAddress {
  readonly host: string;
  readonly port: number;
}

/** What a transport tells of, for the metrics of the sink. */
export interface TransportListener {
  sent(bytes: number): void;
  reconnected(): void;
  /** Samples that will not be sent. */
  dropped(samples: number): void;
  /** The daemon can be reached again, or not any more; only changes are told. */
  reachable(problem: string | undefined): void;
}

/** Takes packets to a StatsD daemon. */
export interface Transport {
  /** Size of the largest packet, in bytes. */
  readonly maxPacket: number;
  /** Begins to look for the daemon, without waiting for it. */
  start(): void;
  /**
   * Gets ready for a flush.
   *
   * @throws Error when the daemon cannot be reached now
   */
  begin(): Promise<void>;
  /**
   * Takes one packet, waiting while the daemon is slow.
   *
   * @throws Error when it was not sent and will not be
   */
  send(packet: Packet): Promise<void>;
  /**
   * Ends a flush.
   *
   * @throws Error when something of it is known not to have arrived
   */
  end(): Promise<void>;
  /** Sends what is left, within a limited time, and closes. */
  stop(): Promise<void>;
}
