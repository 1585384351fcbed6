// What Raft and BFT consenters have in common.

import type { Address } from '../config/address.js';

/** A consenter of a channel with its bytes. */
export interface ConsenterEntry extends Address {
  /** The serialized consenter. */
  readonly bytes: Uint8Array;
  readonly clientTlsCert: Uint8Array;
  readonly serverTlsCert: Uint8Array;
}
