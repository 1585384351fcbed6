// Verifies signatures of certificates with WebCrypto.

import { DerReader } from './der.js';
import { readEcdsaSignature, toP1363, type EcdsaSignature } from './ecdsa.js';
import type { PublicKey } from './public-key.js';
import type { SignatureAlgorithm } from './signature-algorithm.js';

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;
type HashName = NonNullable<SignatureAlgorithm['hash']>;

/** Keys that were imported, by the key they were imported from and the hash: importing takes as long as verifying. */
const imported = new WeakMap<PublicKey, Map<string, Promise<Key>>>();

/** Something that is signed: a certificate or a revocation list. */
export interface Signed {
  readonly signed: Uint8Array;
  readonly algorithm: SignatureAlgorithm;
  readonly signature: Uint8Array;
}

/**
 * Verifies the signature of a certificate or revocation list (Go: crypto/x509/x509.go, `checkSignature`).
 *
 * @returns Go's text if it is not valid
 */
export async function checkSignature(
  { signed, algorithm, signature }: Signed,
  key: PublicKey,
): Promise<string | undefined> {
  if (algorithm.key === 'unknown') return 'x509: cannot verify signature: algorithm unimplemented';
  if (algorithm.hash === 'SHA-1')
    return `x509: cannot verify signature: insecure algorithm ${algorithm.name}${algorithm.key === 'DSA' ? '' : ' (temporarily override with GODEBUG=x509sha1=1)'}`;
  if (algorithm.key !== key.type)
    return `x509: signature algorithm specifies an ${algorithm.key} public key, but have public key of type ${goType(key)}`;
  if (key.type === 'Ed25519')
    return (await verifyEd25519(key, signature, signed)) ? undefined : 'x509: Ed25519 verification failure';
  if (key.type === 'RSA')
    return (await verifyRsa(key, algorithm.hash!, signature, signed))
      ? undefined
      : 'crypto/rsa: verification error';
  const pair = readEcdsaSignature(signature);
  const isValid =
    isOneElement(signature) &&
    typeof pair !== 'string' &&
    key.type === 'ECDSA' &&
    (await verifyEcdsa(key, algorithm.hash!, pair, signed));
  return isValid ? undefined : 'x509: ECDSA verification failure';
}

/** Go's crypto/ecdsa refuses bytes after a signature; Go's asn1.Unmarshal does not. */
function isOneElement(bytes: Uint8Array): boolean {
  const reader = new DerReader(bytes);
  return reader.next() !== undefined && reader.isEmpty;
}

/** Verifies an ECDSA signature. */
export async function verifyEcdsa(
  key: PublicKey & { type: 'ECDSA' },
  hash: HashName,
  signature: EcdsaSignature,
  message: Uint8Array,
): Promise<boolean> {
  const raw = toP1363(signature, key.curve);
  if (raw === undefined) return false;
  const publicKey = await importOnce(key, hash, { name: 'ECDSA', namedCurve: key.curve.name });
  return crypto.subtle.verify({ name: 'ECDSA', hash }, publicKey, raw, message);
}

/** Verifies an Ed25519 signature. */
export async function verifyEd25519(
  key: PublicKey,
  signature: Uint8Array,
  message: Uint8Array,
): Promise<boolean> {
  const publicKey = await importOnce(key, '', { name: 'Ed25519' });
  return crypto.subtle.verify({ name: 'Ed25519' }, publicKey, signature, message);
}

async function verifyRsa(
  key: PublicKey,
  hash: HashName,
  signature: Uint8Array,
  message: Uint8Array,
): Promise<boolean> {
  const publicKey = await importOnce(key, hash, { name: 'RSASSA-PKCS1-v1_5', hash });
  return crypto.subtle.verify({ name: 'RSASSA-PKCS1-v1_5' }, publicKey, signature, message);
}

function importOnce(
  key: PublicKey,
  hash: string,
  algorithm: { readonly name: string; readonly namedCurve?: string; readonly hash?: string },
): Promise<Key> {
  const ofKey = imported.get(key) ?? new Map<string, Promise<Key>>();
  imported.set(key, ofKey);
  const found = ofKey.get(hash);
  if (found !== undefined) return found;
  const made = crypto.subtle.importKey('spki', key.spki, algorithm, false, ['verify']);
  ofKey.set(hash, made);
  return made;
}

function goType({ type }: PublicKey): string {
  if (type === 'ECDSA') return '*ecdsa.PublicKey';
  if (type === 'RSA') return '*rsa.PublicKey';
  return type === 'Ed25519' ? 'ed25519.PublicKey' : '<nil>';
}
