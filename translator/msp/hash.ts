// Hashes by the names that Fabric gives them (bccsp/opts.go, `GetHashOpt`).

import { sha3_256, sha3_384 } from '@noble/hashes/sha3.js';

/** A hash function. */
export type Hash = (bytes: Uint8Array) => Promise<Uint8Array>;

const HASHES: ReadonlyMap<string, Hash> = new Map<string, Hash>([
  ['SHA256', (bytes) => digest('SHA-256', bytes)],
  ['SHA384', (bytes) => digest('SHA-384', bytes)],
  ['SHA3_256', async (bytes) => sha3_256(bytes)],
  ['SHA3_384', async (bytes) => sha3_384(bytes)],
]);

/** The hash function of a name; undefined if Fabric does not know it. */
export function hashOf(name: string): Hash | undefined {
  return HASHES.get(name);
}

async function digest(name: string, bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest(name, bytes));
}
