// Hashes, and the verification of signatures, with node:crypto: calls of WebCrypto take twice as long, because each of them waits for
// another thread. Bundles for browsers contain web.ts instead of this module (`browser` in package.json).

import { constants, createHash, createPublicKey, verify } from 'node:crypto';

/** A hash function, by its name in WebCrypto. */
export type HashName = 'SHA-256' | 'SHA-384' | 'SHA-512' | 'SHA3-256' | 'SHA3-384';

/** A kind of signature, as WebCrypto names it. RSA is with the padding of PKCS #1. */
export type Scheme =
  | {
      readonly name: 'ECDSA';
      readonly namedCurve: 'P-256' | 'P-384' | 'P-521';
      readonly hash: HashName;
    }
  | { readonly name: 'Ed25519' }
  | { readonly name: 'RSASSA-PKCS1-v1_5'; readonly hash: HashName };

/** Whether a signature of a key over a message is valid; an ECDSA signature is r and s, each as long as a coordinate. */
export type Verifier = (signature: Uint8Array, message: Uint8Array) => Promise<boolean>;

const nameOf = (hash: HashName): string => hash.toLowerCase().replace(/^sha-/, 'sha');

/** The hash of some bytes that follow each other. */
export function digest(name: HashName, parts: readonly Uint8Array[]): Uint8Array {
  const made = createHash(nameOf(name));
  for (const part of parts) made.update(part);
  return new Uint8Array(made.digest());
}

/** Imports a public key. @param spki its DER. @throws if it is not a key of the scheme */
export async function importVerifier(spki: Uint8Array, scheme: Scheme): Promise<Verifier> {
  const key = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' });
  const name = scheme.name === 'Ed25519' ? undefined : nameOf(scheme.hash);
  const options = { key, dsaEncoding: 'ieee-p1363', padding: PADDING[scheme.name] } as const;
  return async (signature, message) => verify(name, message, options, signature);
}

const PADDING: Readonly<Record<Scheme['name'], number | undefined>> = {
  ECDSA: undefined,
  Ed25519: undefined,
  'RSASSA-PKCS1-v1_5': constants.RSA_PKCS1_PADDING,
};
