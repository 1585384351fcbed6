// Hashes and the verification of signatures in browsers: the functions of index.ts with @noble/hashes and WebCrypto.

import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import { sha3_256, sha3_384 } from '@noble/hashes/sha3.js';
import type { CurveName, CurvePoints, HashName, Scheme, Verifier } from './index.js';

const HASHES = {
  'SHA-256': sha256,
  'SHA-384': sha384,
  'SHA-512': sha512,
  'SHA3-256': sha3_256,
  'SHA3-384': sha3_384,
} as const;

/** See index.ts. */
export function digest(name: HashName, parts: readonly Uint8Array[]): Uint8Array {
  const made = HASHES[name].create();
  for (const part of parts) made.update(part);
  return made.digest();
}

/** See index.ts. */
export async function importVerifier(spki: Uint8Array, scheme: Scheme): Promise<Verifier> {
  const key = await crypto.subtle.importKey('spki', new Uint8Array(spki), scheme, false, ['verify']);
  return (signature, message) =>
    crypto.subtle.verify(scheme, key, new Uint8Array(signature), new Uint8Array(message));
}

/** See index.ts. */
export const hasCurve = (curve: CurveName): boolean => curve !== 'P-224';

/** See index.ts. WebCrypto has no operations on points. */
export const pointsOf = (): CurvePoints | undefined => undefined;
