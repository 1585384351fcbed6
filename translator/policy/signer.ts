// A signer, with the properties that policies need.

import type { Principal } from '../msp/index.js';

/** The signer of a valid signature. Validity is checked elsewhere. */
export interface Signer {
  readonly mspid: string;
  /**
   * The identifier of the identity in its MSP: the SHA-256 of the certificate with a low-S signature, in hexadecimal. A second
   * signature with the same MSP and identifier is ignored (Fabric: `IdentityIdentifier`, `SignatureSetToValidIdentities`).
   */
  readonly id: string;
  /** Whether the identity satisfies a principal, as `SatisfiesPrincipal` of its MSP decides. */
  satisfies(principal: Principal): boolean;
}
