// Decrypts what a password protects: PBES2 of PKCS #5 (RFC 8018) with PBKDF2 and AES-CBC, as OpenSSL 3 and Java write it.

import { INTEGER, NULL, OCTET_STRING, OID, oidOf, SEQUENCE } from '../../core/common/certificates/der.js';
import { toBigint } from '../../proto/bytes.js';
import { TranslateError } from '../../proto/errors.js';
import { DerReader } from '../msp/index.js';

const PBES2 = '1.2.840.113549.1.5.13';
const PBKDF2 = '1.2.840.113549.1.5.12';
const HMAC_SHA1 = '1.2.840.113549.2.7';
const HASHES: ReadonlyMap<string, string> = new Map([
  [HMAC_SHA1, 'SHA-1'],
  ['1.2.840.113549.2.9', 'SHA-256'],
  ['1.2.840.113549.2.10', 'SHA-384'],
  ['1.2.840.113549.2.11', 'SHA-512'],
]);
/** The sizes of AES keys in bits, by the algorithm. */
const AES_CBC: ReadonlyMap<string, number> = new Map([
  ['2.16.840.1.101.3.4.1.2', 128],
  ['2.16.840.1.101.3.4.1.22', 192],
  ['2.16.840.1.101.3.4.1.42', 256],
]);
/** A file with more iterations would block for many seconds. OpenSSL writes 2048, Java 10,000; OWASP advises 600,000. */
const MAX_ITERATIONS = 5_000_000;

const FAILURE = 'the encrypted data cannot be read';
/** The advice for other algorithms. */
const CONVERT =
  'PBES2 with PBKDF2 and AES-CBC is supported; convert it, for example with openssl pkcs8 -topk8 -v2 aes-256-cbc';

const badKey = (message: string): TranslateError => new TranslateError('BAD_KEY', message);
const unsupported = (what: string): TranslateError =>
  badKey(`it is encrypted with an unsupported algorithm, ${what}: ${CONVERT}`);

/**
 * Decrypts the content of an `EncryptedPrivateKeyInfo` or of encrypted data in PKCS #12.
 *
 * @param algorithm the content of the `AlgorithmIdentifier`
 * @throws TranslateError BAD_KEY for another algorithm or a wrong password; BAD_CERTIFICATE if it is not DER
 */
export async function decryptWithPassword(
  algorithm: DerReader,
  encrypted: Uint8Array,
  password: string,
): Promise<Uint8Array> {
  const scheme = readOid(algorithm);
  if (scheme !== PBES2) throw unsupported(scheme);
  const parameters = algorithm.enter(SEQUENCE, FAILURE);
  const { hash, salt, iterations } = readDerivation(parameters.enter(SEQUENCE, FAILURE));
  const cipher = parameters.enter(SEQUENCE, FAILURE);
  const cipherId = readOid(cipher);
  const length = AES_CBC.get(cipherId);
  if (length === undefined) throw unsupported(cipherId);
  const iv = new Uint8Array(cipher.read(OCTET_STRING, FAILURE).content);
  const { subtle } = crypto;
  const secret = new TextEncoder().encode(password);
  const base = await subtle.importKey('raw', secret, 'PBKDF2', false, ['deriveKey']);
  try {
    const key = await subtle.deriveKey(
      { name: 'PBKDF2', hash, salt, iterations },
      base,
      { name: 'AES-CBC', length },
      false,
      ['decrypt'],
    );
    return new Uint8Array(await subtle.decrypt({ name: 'AES-CBC', iv }, key, new Uint8Array(encrypted)));
  } catch {
    // The padding is wrong.
    throw wrongPassword();
  }
}

/** The error for a wrong password. */
export const wrongPassword = (): TranslateError => badKey('the password is wrong');

function readDerivation(reader: DerReader): {
  readonly hash: string;
  readonly salt: Uint8Array<ArrayBuffer>;
  readonly iterations: number;
} {
  const derivation = readOid(reader);
  if (derivation !== PBKDF2) throw unsupported(derivation);
  const parameters = reader.enter(SEQUENCE, FAILURE);
  const salt = new Uint8Array(parameters.read(OCTET_STRING, FAILURE).content);
  const iterations = Number(toBigint(parameters.read(INTEGER, FAILURE).content));
  if (iterations < 1 || iterations > MAX_ITERATIONS)
    throw badKey(`it is encrypted with ${iterations} iterations; 1 to ${MAX_ITERATIONS} are allowed`);
  parameters.optional(INTEGER, FAILURE);
  const prf = parameters.isEmpty ? HMAC_SHA1 : readPrf(parameters.enter(SEQUENCE, FAILURE));
  const hash = HASHES.get(prf);
  if (hash === undefined) throw unsupported(prf);
  return { hash, salt, iterations };
}

function readPrf(reader: DerReader): string {
  const prf = readOid(reader);
  reader.optional(NULL, FAILURE);
  return prf;
}

/** The object identifier that comes next. @throws TranslateError BAD_CERTIFICATE */
export const readOid = (reader: DerReader): string => oidOf(reader.read(OID, FAILURE).content) ?? 'unknown';

/** Decrypts an `EncryptedPrivateKeyInfo`. @returns PKCS #8 @throws TranslateError as {@link decryptWithPassword} */
export async function decryptKey(der: Uint8Array, password: string): Promise<Uint8Array> {
  const info = new DerReader(der).enter(SEQUENCE, FAILURE);
  const algorithm = info.enter(SEQUENCE, FAILURE);
  return decryptWithPassword(algorithm, info.read(OCTET_STRING, FAILURE).content, password);
}
