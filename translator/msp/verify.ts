// Verifies signatures: of certificates like Go, and of identities like Fabric.

import { is, requireTypes } from '../../proto/arguments.js';
import { sameBytes, toLatin1 } from '../../proto/bytes.js';
import {
  digest,
  hasCurve,
  importVerifier,
  type HashName,
  type Scheme,
  type Verifier,
} from '../crypto/index.js';
import {
  halfOrder,
  isLowS,
  readEcdsaSignature,
  toP1363,
  writeEcdsaSignature,
  type Curve,
  type EcdsaSignature,
} from './ecdsa.js';
import type { Identity } from './identity.js';
import type { GoVersion } from './releases.js';
import { MIN_RSA_BITS, type PublicKey, type SignatureAlgorithm } from './public-key.js';
import { signingKeys } from './signing-keys.js';

/** A cache of imported keys, by the original key and the scheme, because importing takes as long as verifying. */
const imported = new WeakMap<PublicKey, Map<string, Promise<Verifier>>>();

/** A signed object: a certificate or a revocation list. */
interface Signed {
  readonly signed: Uint8Array;
  readonly algorithm: SignatureAlgorithm;
  readonly signature: Uint8Array;
}

/**
 * Verifies the signature of a certificate or revocation list (Go: crypto/x509/x509.go, `checkSignature`).
 *
 * @param isOneOfMany whether the key is one of several candidates
 * @returns Go's text if the signature is not valid
 */
export async function checkSignature(
  { signed, algorithm, signature }: Signed,
  key: PublicKey,
  go: GoVersion,
  isOneOfMany = false,
): Promise<string | undefined> {
  if (algorithm.key === 'unknown') return 'x509: cannot verify signature: algorithm unimplemented';
  if (algorithm.hash === 'SHA-1')
    return `x509: cannot verify signature: insecure algorithm ${algorithm.name}${algorithm.key === 'DSA' || go >= '1.24' ? '' : ' (temporarily override with GODEBUG=x509sha1=1)'}`;
  if (algorithm.key !== key.type)
    return `x509: signature algorithm specifies an ${algorithm.key} public key, but have public key of type ${goType(key)}`;
  if (key.type === 'Ed25519')
    return (await verifyEd25519(key, signature, signed)) ? undefined : 'x509: Ed25519 verification failure';
  if (key.type === 'RSA' && go >= '1.24' && key.bits < MIN_RSA_BITS)
    return `crypto/rsa: ${key.bits}-bit keys are insecure (see https://go.dev/pkg/crypto/rsa#hdr-Minimum_key_size)`;
  if (key.type === 'RSA')
    return (await verifyWith(key, rsaScheme(algorithm), signature, signed))
      ? undefined
      : 'crypto/rsa: verification error';
  const pair = strictSignature(signed, signature);
  const isValid =
    pair !== undefined &&
    key.type === 'ECDSA' &&
    (!isOneOfMany || mayHaveSigned(key, algorithm.hash!, pair, signed)) &&
    (await verifyEcdsa(key, algorithm.hash!, pair, signed));
  return isValid ? undefined : 'x509: ECDSA verification failure';
}

const rsaScheme = ({ hash, salt }: SignatureAlgorithm): Scheme =>
  salt === undefined
    ? { name: 'RSASSA-PKCS1-v1_5', hash: hash as HashName }
    : { name: 'RSA-PSS', hash: hash as HashName, saltLength: salt };

/** A cache of results, by the signed bytes and the key, because most chains are built several times. */
const results = new WeakMap<Uint8Array, WeakMap<PublicKey, Promise<string | undefined>>>();

/** `checkSignature` with a cached result. */
export function checkOnce(
  checked: Signed,
  key: PublicKey,
  go: GoVersion,
  isOneOfMany: boolean,
): Promise<string | undefined> {
  const ofSigned = results.get(checked.signed) ?? new WeakMap<PublicKey, Promise<string | undefined>>();
  results.set(checked.signed, ofSigned);
  const found = ofSigned.get(key) ?? checkSignature(checked, key, go, isOneOfMany);
  ofSigned.set(key, found);
  return found;
}

/** A cache of parsed signatures, by the signed bytes: a certificate and its low-S form have the same array. */
const signatures = new WeakMap<Uint8Array, EcdsaSignature | undefined>();

/** An ECDSA signature; undefined if Go's crypto/ecdsa refuses its form, which is stricter than Go's asn1.Unmarshal. */
function strictSignature(signed: Uint8Array, signature: Uint8Array): EcdsaSignature | undefined {
  if (signatures.has(signed)) return signatures.get(signed);
  const pair = readEcdsaSignature(signature);
  const isStrict = typeof pair !== 'string' && sameBytes(signature, writeEcdsaSignature(pair));
  const found = isStrict ? pair : undefined;
  signatures.set(signed, found);
  return found;
}

/** A cache of possible keys, by the signed bytes and the curve. */
const signers = new WeakMap<Uint8Array, Map<Curve, ReadonlySet<string>>>();

/** Whether a key could have made an ECDSA signature; other keys are not tried. */
function mayHaveSigned(
  { curve, point }: PublicKey & { type: 'ECDSA' },
  hash: HashName,
  signature: EcdsaSignature,
  signed: Uint8Array,
): boolean {
  const ofCurve = signers.get(signed) ?? new Map<Curve, ReadonlySet<string>>();
  signers.set(signed, ofCurve);
  let keys = ofCurve.get(curve);
  if (keys === undefined) {
    const found = signingKeys(signature, digest(hash, [signed]), curve);
    if (found === undefined) return true;
    keys = new Set(found.map(toLatin1));
    ofCurve.set(curve, keys);
  }
  return keys.has(toLatin1(point));
}

/** Verifies an ECDSA signature. */
export async function verifyEcdsa(
  key: PublicKey & { type: 'ECDSA' },
  hash: HashName,
  signature: EcdsaSignature,
  message: Uint8Array,
): Promise<boolean> {
  const { name } = key.curve;
  const raw = toP1363(signature, key.curve);
  if (raw === undefined) return false;
  if (hasCurve(name)) return verifyWith(key, { name: 'ECDSA', namedCurve: name, hash }, raw, message);
  const { verifyP224 } = await import('./p-224.js');
  return verifyP224(key, raw, digest(hash, [message]));
}

/** Verifies an Ed25519 signature. */
export const verifyEd25519 = async (
  key: PublicKey,
  signature: Uint8Array,
  message: Uint8Array,
): Promise<boolean> => verifyWith(key, { name: 'Ed25519' }, signature, message);

async function verifyWith(
  key: PublicKey,
  scheme: Scheme,
  signature: Uint8Array,
  message: Uint8Array,
): Promise<boolean> {
  const ofKey = imported.get(key) ?? new Map<string, Promise<Verifier>>();
  imported.set(key, ofKey);
  const name = scheme.name === 'Ed25519' ? '' : `${scheme.name} ${scheme.hash}`;
  const verifier = ofKey.get(name) ?? importVerifier(key.spki, scheme);
  ofKey.set(name, verifier);
  return (await verifier)(signature, message);
}

function goType({ type }: PublicKey): string {
  if (type === 'ECDSA') return '*ecdsa.PublicKey';
  if (type === 'RSA') return '*rsa.PublicKey';
  return type === 'Ed25519' ? 'ed25519.PublicKey' : '<nil>';
}

const FAILURE = 'could not determine the validity of the signature';

const IDENTITY = is.named('an identity of an MSP', is.record({ certificate: is.record({}) }));

/**
 * Verifies the signature of an identity over a message as Fabric does (msp/identities.go, `Verify`): ECDSA over SHA-256 with low s,
 * Ed25519 over the message itself, which must not be empty (bccsp/sw/impl.go, `Verify`).
 *
 * In a channel, an MSP with the hash family SHA3 refuses signatures over SHA-256. Signatures over SHA-3 are refused here as well:
 * WebCrypto does not support them, and no known program makes them.
 *
 * @returns Fabric's text if it is not valid
 */
export async function verifySignature(
  identity: Identity,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<string | undefined> {
  requireTypes(
    { identity, message, signature },
    { identity: IDENTITY, message: is.bytes, signature: is.bytes },
  );
  const { certificate, hashFamily } = identity;
  const { publicKey: key } = certificate;
  if (signature.length === 0) return `${FAILURE}: Invalid signature. Cannot be empty.`;
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
