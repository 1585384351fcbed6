// A certificate with its private key.

import { is, requireTypes } from '../../proto/arguments.js';
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
  writeSerializedIdentity,
  sanitize,
  verifyEcdsa,
  verifyEd25519,
} from '../msp/index.js';
import { context, INTEGER, OCTET_STRING, OID, oidOf, SEQUENCE } from '../../core/common/certificates/der.js';
import { TranslateError, attempt } from '../../proto/errors.js';
import { decodeAllPem, decodePem } from '../../core/common/certificates/pem.js';
import { decryptKey } from './encrypted.js';
import { signingKeyOf, type SigningKey } from './signature.js';

/** An identity whose key may be elsewhere. */
export interface SignerIdentity {
  /** The serialized `msp.SerializedIdentity`. */
  readonly creator: Uint8Array;
  readonly certificate: Certificate;
}

/** An identity that signs. */
export interface SigningIdentity extends SignerIdentity {
  /**
   * Signs a message: ECDSA over its SHA-256, or Ed25519. The callers verify the signature and convert it to the form that Fabric accepts,
   * DER with low s, so a device may also return r and s, or a high s.
   */
  readonly sign: (message: Uint8Array) => Promise<Uint8Array>;
}

/** The parts of a signer; certificates are PEM. */
export interface SignerIdentityFiles {
  readonly mspid: string;
  readonly certificate: Uint8Array;
  /** The CAs of the MSP, with which the certificate is converted to low-S form as in `peer`. */
  readonly cas?: readonly Uint8Array[];
}

/** The parts of a signing identity; certificates and key are PEM. */
export interface SigningIdentityFiles extends SignerIdentityFiles {
  /** PKCS #8, which may be encrypted, or SEC 1. */
  readonly key: Uint8Array;
  /** The password of an encrypted key. */
  readonly password?: string | undefined;
}

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const EC = Uint8Array.of(0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01);

const SIGNER = { mspid: is.text, certificate: is.bytes, cas: is.optional(is.list(is.bytes)) };

/** Reads the certificate of a signer whose key is elsewhere. @throws TranslateError BAD_KEY */
export async function readSigner(file: SignerIdentityFiles): Promise<SignerIdentity> {
  requireTypes({ file }, { file: is.record(SIGNER) });
  const certificate = await readLowS(file);
  signingKeyOf(certificate);
  return { creator: writeSerializedIdentity(file.mspid, certificate.raw), certificate };
}

/** Reads a certificate and its key. @throws TranslateError if they cannot be read, or do not match */
export async function readSigningIdentity(files: SigningIdentityFiles): Promise<SigningIdentity> {
  requireTypes({ files }, { files: is.record({ ...SIGNER, key: is.bytes, password: is.optional(is.text) }) });
  const { certificate, creator } = await readSigner(files);
  const publicKey = signingKeyOf(certificate);
  if (publicKey.type === 'ECDSA' && publicKey.curve.name === 'P-224')
    throw new TranslateError(
      'BAD_KEY',
      'the certificate has a P-224 key, with which WebCrypto does not sign; P-256, P-384 and P-521 are allowed',
    );
  const key = await importKey(await readPrivateKey(files.key, files.password), publicKey);
  const sign = (message: Uint8Array): Promise<Uint8Array> => signWith(key, publicKey, message);
  if (!(await belongsTo(sign, publicKey)))
    throw new TranslateError(
      'KEY_MISMATCH',
      `the key does not belong to the certificate of ${certificate.subject.text}`,
    );
  return { creator, certificate, sign };
}

/** A certificate, and candidates for its private key with their paths. */
export interface SigningIdentityFolder extends Omit<SigningIdentityFiles, 'key'> {
  readonly keys: readonly { readonly path: string; readonly bytes: Uint8Array }[];
}

/** The signing identity with the key of the certificate. @throws TranslateError KEY_MISMATCH if no key matches */
export async function findSigningIdentity(folder: SigningIdentityFolder): Promise<SigningIdentity> {
  requireTypes(
    { folder },
    { folder: is.record({ ...SIGNER, keys: is.list(is.record({ path: is.text, bytes: is.bytes })) }) },
  );
  const { keys, ...files } = folder;
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

async function readLowS({ certificate, cas = [] }: SignerIdentityFiles): Promise<Certificate> {
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
/** The label of an encrypted key in PKCS #8. */
const ENCRYPTED_LABEL = 'ENCRYPTED PRIVATE KEY';

/** Whether a file contains a private key that needs a password. */
export const isEncryptedKey = (pem: Uint8Array): boolean =>
  decodeAllPem(pem).some(({ label }) => label === ENCRYPTED_LABEL);

/** The PKCS #8 of a private key in PEM. @throws TranslateError */
async function readPrivateKey(pem: Uint8Array, password: string | undefined): Promise<Uint8Array> {
  const blocks = decodeAllPem(pem);
  const block = blocks.find(({ label }) => label.endsWith('PRIVATE KEY'));
  if (block === undefined) throw new TranslateError('BAD_KEY', 'the file contains no private key in PEM');
  if (block.label === 'EC PRIVATE KEY' && ENCRYPTED.test(new TextDecoder('latin1').decode(pem)))
    throw new TranslateError(
      'BAD_KEY',
      'the private key is encrypted in the old form of OpenSSL; convert it with openssl pkcs8 -topk8 -v2 aes-256-cbc',
    );
  if (block.label === 'PRIVATE KEY') return block.bytes;
  if (block.label === 'EC PRIVATE KEY') return wrapSec1(block.bytes);
  if (block.label !== ENCRYPTED_LABEL)
    throw new TranslateError(
      'BAD_KEY',
      `the private key is a PEM block ${JSON.stringify(block.label)}; PRIVATE KEY and ENCRYPTED PRIVATE KEY (PKCS #8) and EC PRIVATE KEY (SEC 1) are allowed`,
    );
  if (password === undefined)
    throw new TranslateError('BAD_KEY', 'the private key is encrypted, and there is no password');
  return decryptKey(block.bytes, password);
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
async function importKey(pkcs8: Uint8Array, publicKey: SigningKey): Promise<Key> {
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

async function signWith(key: Key, publicKey: SigningKey, message: Uint8Array): Promise<Uint8Array> {
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

async function belongsTo(sign: SigningIdentity['sign'], publicKey: SigningKey): Promise<boolean> {
  const message = crypto.getRandomValues(new Uint8Array(32));
  const signature = await sign(message);
  if (publicKey.type === 'Ed25519') return verifyEd25519(publicKey, signature, message);
  const pair = readEcdsaSignature(signature);
  return typeof pair !== 'string' && verifyEcdsa(publicKey, 'SHA-256', pair, message);
}
