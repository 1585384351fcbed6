// Verifies signatures that identities made.

import { halfOrder, isLowS, readEcdsaSignature } from './ecdsa.js';
import type { Identity } from './identity.js';
import { verifyEcdsa, verifyEd25519 } from './verify.js';

const FAILURE = 'could not determine the validity of the signature';

/**
 * Verifies the signature of an identity over a message as Fabric does (msp/identities.go, `Verify`): ECDSA over SHA-256 with low s,
 * Ed25519 over the message itself, which must not be empty (bccsp/sw/impl.go, `Verify`).
 *
 * A channel whose MSP has SHA3 as the hash family refuses signatures over SHA-256. Signatures over SHA-3 are refused here as well:
 * WebCrypto has no SHA-3, and no known program makes such signatures.
 *
 * @returns the reason if it is not valid, as Fabric words it
 */
export async function verifySignature(
  { certificate, hashFamily }: Identity,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<string | undefined> {
  const { publicKey: key } = certificate;
  if (key.type === 'Ed25519' && message.length === 0) return `${FAILURE}: Invalid digest. Cannot be empty.`;
  if (key.type === 'Ed25519')
    return (await verifyEd25519(key, signature, message)) ? undefined : 'The signature is invalid';
  if (hashFamily !== 'SHA2' && hashFamily !== 'SHA3')
    return `failed getting hash function options: hash famility not recognized [${hashFamily}]`;
  if (key.type !== 'ECDSA') return `${FAILURE}: ${key.type} is not supported`;
  const pair = readEcdsaSignature(signature);
  if (typeof pair === 'string')
    return `${FAILURE}: Failed verifing with opts [<nil>]: Failed unmashalling signature [${pair}]`;
  if (!isLowS(pair, key.curve))
    return `${FAILURE}: Failed verifing with opts [<nil>]: Invalid S. Must be smaller than half the order [${pair.s}][${halfOrder(key.curve)}].`;
  const isValid = hashFamily === 'SHA2' && (await verifyEcdsa(key, 'SHA-256', pair, message));
  return isValid ? undefined : 'The signature is invalid';
}
