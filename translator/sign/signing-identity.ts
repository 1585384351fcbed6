// A certificate with its private key.

import { concatBytes, toBigint } from '../../proto/bytes.js';
import {
  readCertificate,
  type Certificate,
  DerReader,
  CURVES,
  derHeader,
  readEcdsaSignature,
  toLowS,
  writeEcdsaSignature,
  type Curve,
  type PublicKey,
  writeSerializedIdentity,
  sanitize,
  verifyEcdsa,
  verifyEd25519,
} from '../msp/index.js';
import { context, INTEGER, OCTET_STRING, OID, oidOf, SEQUENCE } from '../../core/common/certificates/der.js';
import { TranslateError, attempt } from '../../proto/errors.js';
import { decodeAllPem, decodePem } from '../../core/common/certificates/pem.js';

/** An identity that signs. */
export interface SigningIdentity {
  /** The serialized `msp.SerializedIdentity`. */
  readonly creator: Uint8Array;
  readonly certificate: Certificate;
  /** Signs a message as Fabric does: ECDSA over SHA-256 with low s as DER, or Ed25519. */
  readonly sign: (message: Uint8Array) => Promise<Uint8Array>;
}

/** The parts of a signing identity; certificates and key are PEM. */
export interface SigningIdentityFiles {
  readonly mspid: string;
  readonly certificate: Uint8Array;
  /** PKCS #8 or SEC 1, not encrypted. */
  readonly key: Uint8Array;
  /** The CAs of the MSP, with which the certificate is converted to low-S form as in `peer`. */
  readonly cas?: readonly Uint8Array[];
}

type SignableKey = Extract<PublicKey, { type: 'ECDSA' | 'Ed25519' }>;
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const EC = Uint8Array.of(0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01);

/** Reads a certificate and its key. @throws TranslateError if they cannot be read, or do not match */
export async function readSigningIdentity(files: SigningIdentityFiles): Promise<SigningIdentity> {
  const certificate = await readLowS(files);
  const { publicKey } = certificate;
  if (publicKey.type !== 'ECDSA' && publicKey.type !== 'Ed25519')
    throw new TranslateError(
      'BAD_KEY',
      `the certificate has an ${publicKey.type} key; ECDSA and Ed25519 are allowed`,
    );
  if (publicKey.type === 'ECDSA' && publicKey.curve.name === 'P-224')
    throw new TranslateError(
      'BAD_KEY',
      'the certificate has a P-224 key, with which WebCrypto does not sign; P-256, P-384 and P-521 are allowed',
    );
  const key = await importKey(readPrivateKey(files.key), publicKey);
  const sign = (message: Uint8Array): Promise<Uint8Array> => signWith(key, publicKey, message);
  if (!(await belongsTo(sign, publicKey)))
    throw new TranslateError(
      'KEY_MISMATCH',
      `the key does not belong to the certificate of ${certificate.subject.text}`,
    );
  return { creator: writeSerializedIdentity(files.mspid, certificate.raw), certificate, sign };
}

/** A certificate, and candidates for its private key with their paths. */
export interface SigningIdentityFolder extends Omit<SigningIdentityFiles, 'key'> {
  readonly keys: readonly { readonly path: string; readonly bytes: Uint8Array }[];
}

/** The signing identity with the key of the certificate. @throws TranslateError KEY_MISMATCH if no key matches */
export async function findSigningIdentity({
  keys,
  ...files
}: SigningIdentityFolder): Promise<SigningIdentity> {
  const reasons: string[] = [];
  for (const { path, bytes } of keys) {
    const found = await attempt(
      async () => readSigningIdentity({ ...files, key: bytes }),
      ({ message }) => void reasons.push(`${path}: ${message}`),
    );
    if (found !== undefined) return found;
  }
  throw new TranslateError(
    'KEY_MISMATCH',
    keys.length === 0
      ? 'the certificate has no private key'
      : `no private key belongs to the certificate (${reasons.join('; ')})`,
  );
}

async function readLowS({ certificate, cas = [] }: SigningIdentityFiles): Promise<Certificate> {
  const [read, known] = asBadKey(() => [readPem(certificate), cas.map(readPem)] as const);
  return attempt(
    async () => sanitize(read, { roots: known, intermediates: known }),
    // Without its CA, a certificate is used unchanged: most CAs make low-S signatures.
    () => read,
  );
}

/** Reads a part of an identity. @throws TranslateError BAD_KEY */
const asBadKey = <Result>(call: () => Result): Result =>
  attempt(call, ({ message }): never => {
    throw new TranslateError('BAD_KEY', message);
  });

function readPem(bytes: Uint8Array): Certificate {
  const block = decodePem(bytes);
  if (block === undefined) throw new TranslateError('BAD_KEY', 'the certificate is not PEM');
  return readCertificate(block.bytes);
}

/** A header of an encrypted key (RFC 1421). */
const ENCRYPTED = /^Proc-Type: *4, *ENCRYPTED/m;

/** The PKCS #8 of a private key in PEM. @throws TranslateError */
function readPrivateKey(pem: Uint8Array): Uint8Array {
  const blocks = decodeAllPem(pem);
  const block = blocks.find(({ label }) => label.endsWith('PRIVATE KEY'));
  if (block === undefined) throw new TranslateError('BAD_KEY', 'the file contains no private key in PEM');
  if (block.label === 'EC PRIVATE KEY' && ENCRYPTED.test(new TextDecoder('latin1').decode(pem)))
    throw new TranslateError(
      'BAD_KEY',
      'the private key is encrypted; decrypt it, for example with openssl pkey',
    );
  if (block.label === 'PRIVATE KEY') return block.bytes;
  if (block.label === 'EC PRIVATE KEY') return wrapSec1(block.bytes);
  throw new TranslateError(
    'BAD_KEY',
    `the private key is a PEM block ${JSON.stringify(block.label)}; PRIVATE KEY (PKCS #8) and EC PRIVATE KEY (SEC 1) are allowed, without a password`,
  );
}

/** Converts an `ECPrivateKey` of SEC 1 to PKCS #8, because WebCrypto does not import SEC 1. */
const wrapSec1 = (der: Uint8Array): Uint8Array =>
  asBadKey(() => {
    const failure = 'the EC private key cannot be read';
    const reader = new DerReader(der).enter(SEQUENCE, failure);
    reader.read(INTEGER, failure);
    reader.read(OCTET_STRING, failure);
    const parameters = reader.read(context(0, true), `${failure}: it does not name its curve`).content;
    const curve = oidOf(new DerReader(parameters).read(OID, failure).content);
    if (!CURVES.some(({ oid }) => oid === curve))
      throw new TranslateError('BAD_KEY', 'the private key has an unknown curve');
    const algorithm = element(SEQUENCE, concatBytes(EC, parameters));
    return element(
      SEQUENCE,
      concatBytes(Uint8Array.of(INTEGER, 1, 0), algorithm, element(OCTET_STRING, der)),
    );
  });

function element(tag: number, content: Uint8Array): Uint8Array {
  return concatBytes(derHeader(tag, content.length), content);
}

/** @throws TranslateError KEY_MISMATCH for a key of another algorithm, which WebCrypto does not import */
async function importKey(pkcs8: Uint8Array, publicKey: SignableKey): Promise<Key> {
  const algorithm =
    publicKey.type === 'ECDSA' ? { name: 'ECDSA', namedCurve: publicKey.curve.name } : { name: 'Ed25519' };
  try {
    return await crypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']);
  } catch {
    const expected = publicKey.type === 'ECDSA' ? publicKey.curve.name : publicKey.type;
    throw new TranslateError(
      'KEY_MISMATCH',
      `the private key cannot be read as a key of the certificate's algorithm, ${expected}`,
    );
  }
}

async function signWith(key: Key, publicKey: SignableKey, message: Uint8Array): Promise<Uint8Array> {
  if (publicKey.type === 'Ed25519')
    return new Uint8Array(await crypto.subtle.sign({ name: 'Ed25519' }, key, message));
  const raw = new Uint8Array(await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, message));
  return fromP1363(raw, publicKey.curve);
}

function fromP1363(raw: Uint8Array, curve: Curve): Uint8Array {
  const size = raw.length / 2;
  const signature = { r: toBigint(raw.subarray(0, size)), s: toBigint(raw.subarray(size)) };
  return writeEcdsaSignature(toLowS(signature, curve));
}

async function belongsTo(sign: SigningIdentity['sign'], publicKey: SignableKey): Promise<boolean> {
  const message = crypto.getRandomValues(new Uint8Array(32));
  const signature = await sign(message);
  if (publicKey.type === 'Ed25519') return verifyEd25519(publicKey, signature, message);
  const pair = readEcdsaSignature(signature);
  return typeof pair !== 'string' && verifyEcdsa(publicKey, 'SHA-256', pair, message);
}
