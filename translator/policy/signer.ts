// A party that signed, as far as policies need to know it.

import type { Principal } from './principal.js';

/** A party whose signature is valid. Whether it is valid is not decided here. */
export interface Signer {
  readonly mspid: string;
  /** Whether the identity of the signer satisfies a principal, as `SatisfiesPrincipal` of its MSP decides. */
  satisfies(principal: Principal): boolean;
}
