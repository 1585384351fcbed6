// Verifies signatures with keys on the curve P-224, which WebCrypto and some builds of OpenSSL lack.

import { ecdsa, weierstrass } from '@noble/curves/abstract/weierstrass.js';
import { sha224 } from '@noble/hashes/sha2.js';
import type { PublicKey } from './public-key.js';

/** Verifies a signature (r and s, each with the length of a coordinate) over a hash. */
export function verifyP224(
  { curve: { prime: p, order: n, b }, point }: PublicKey & { type: 'ECDSA' },
  signature: Uint8Array,
  digest: Uint8Array,
): boolean {
  const curve = weierstrass({
    p,
    n,
    h: 1n,
    a: p - 3n,
    b,
    Gx: 0xb70e0cbd6bb4bf7f321390b94a03c1d356c21122343280d6115c1d21n,
    Gy: 0xbd376388b5f723fb4c22dfe6cd4375a05a07476444d5819985007e34n,
  });
  return ecdsa(curve, sha224).verify(signature, digest, point, { prehash: false, lowS: false });
}
