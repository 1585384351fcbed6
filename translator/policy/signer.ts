// A party that signed, as far as policies need to know it.

import type { Principal } from '../msp/index.js';

/** A party whose signature is valid. Whether it is valid is not decided here. */
export interface Signer {
  readonly mspid: string;
  /**
   * The identifier of the identity in its MSP: the SHA-256 of the certificate with a low-S signature, in hexadecimal. A second
   * signature of the same MSP with the same identifier does not count (Fabric: `IdentityIdentifier`, `SignatureSetToValidIdentities`).
   */
  readonly id: string;
  /** Whether the identity of the signer satisfies a principal, as `SatisfiesPrincipal` of its MSP decides. */
  satisfies(principal: Principal): boolean;
}
