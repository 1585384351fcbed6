// Reads a certificate and its private key from a PKCS #12 file (RFC 7292), as OpenSSL 3 and Java write it.

import { is, requireTypes } from '../../proto/arguments.js';
import { context, INTEGER, OCTET_STRING, SEQUENCE } from '../../core/common/certificates/der.js';
import { encodePem } from '../../core/common/certificates/pem.js';
import { TranslateError, attempt } from '../../proto/errors.js';
import { DerReader, readCertificate } from '../msp/index.js';
import { decryptKey, decryptWithPassword, readOid, wrongPassword } from './encrypted.js';
import type { SigningIdentityFolder } from './signing-identity.js';

const DATA = '1.2.840.113549.1.7.1';
const ENCRYPTED_DATA = '1.2.840.113549.1.7.6';
const BAG = '1.2.840.113549.1.12.10.1.';
const KEY_BAG = `${BAG}1`;
const SHROUDED_KEY_BAG = `${BAG}2`;
const CERTIFICATE_BAG = `${BAG}3`;
const EXPLICIT = context(0, true);
const IMPLICIT = context(0, false);
const VERSION = 3n;

const FAILURE = 'the PKCS #12 file cannot be read';

/** The certificate, the key and the CAs of a PKCS #12 file. */
type Pkcs12 = Omit<Required<SigningIdentityFolder>, 'mspid' | 'password'>;

/** Whether bytes begin like a PKCS #12 file. */
export function isPkcs12(bytes: Uint8Array): boolean {
  const outer = new DerReader(bytes).next();
  const version = outer?.tag === SEQUENCE ? new DerReader(outer.content).next() : undefined;
  return version?.tag === INTEGER && version.content.length === 1 && version.content[0] === Number(VERSION);
}

/** The content of the bags of a file. */
interface Content {
  readonly certificates: Uint8Array[];
  /** PKCS #8 */
  readonly keys: Uint8Array[];
}

/**
 * Reads a PKCS #12 file. Its integrity code is not verified, because a key that does not belong to the certificate is refused later.
 *
 * @throws TranslateError BAD_KEY if the password is wrong, an algorithm is not supported, or there is no certificate; BAD_CERTIFICATE if
 *   it is not DER
 */
export async function readPkcs12(bytes: Uint8Array, password: string): Promise<Pkcs12> {
  requireTypes({ bytes, password }, { bytes: is.bytes, password: is.text });
  const file = new DerReader(bytes).enter(SEQUENCE, FAILURE);
  file.read(INTEGER, FAILURE);
  const safe = dataOf(file.enter(SEQUENCE, FAILURE));
  const found: Content = { certificates: [], keys: [] };
  for (const parts = safe.enter(SEQUENCE, FAILURE); !parts.isEmpty;)
    await readBags(await contentOf(parts.enter(SEQUENCE, FAILURE), password), password, found);
  const certificates = found.certificates.map((der) => ({
    pem: new TextEncoder().encode(encodePem('CERTIFICATE', der)),
    isCa: attempt(
      () => readCertificate(der).extensions.isCa,
      () => false,
    ),
  }));
  const own = certificates.find(({ isCa }) => !isCa);
  if (own === undefined)
    throw new TranslateError('BAD_KEY', 'the PKCS #12 file contains no certificate of a person or node');
  return {
    certificate: own.pem,
    keys: found.keys.map((der) => ({
      path: 'its key',
      bytes: new TextEncoder().encode(encodePem('PRIVATE KEY', der)),
    })),
    cas: certificates.filter(({ isCa }) => isCa).map(({ pem }) => pem),
  };
}

/** The content of a `ContentInfo` of the type data. */
function dataOf(info: DerReader): DerReader {
  const type = readOid(info);
  if (type !== DATA) throw new TranslateError('BAD_KEY', `${FAILURE}: its content has the type ${type}`);
  return new DerReader(info.enter(EXPLICIT, FAILURE).read(OCTET_STRING, FAILURE).content);
}

async function contentOf(info: DerReader, password: string): Promise<DerReader> {
  const type = readOid(info);
  if (type === DATA) return new DerReader(info.enter(EXPLICIT, FAILURE).read(OCTET_STRING, FAILURE).content);
  if (type !== ENCRYPTED_DATA)
    throw new TranslateError('BAD_KEY', `${FAILURE}: a part of it has the type ${type}`);
  const data = info.enter(EXPLICIT, FAILURE).enter(SEQUENCE, FAILURE);
  data.read(INTEGER, FAILURE);
  const content = data.enter(SEQUENCE, FAILURE);
  readOid(content);
  const algorithm = content.enter(SEQUENCE, FAILURE);
  const encrypted = content.read(IMPLICIT, FAILURE).content;
  return new DerReader(await decryptWithPassword(algorithm, encrypted, password));
}

async function readBags(safe: DerReader, password: string, found: Content): Promise<void> {
  // With a wrong password, the padding is right in one of 256 cases, but the content is not.
  for (const bags = enterOr(safe); !bags.isEmpty;) {
    const bag = enterOr(bags);
    const type = readOid(bag);
    const value = bag.enter(EXPLICIT, FAILURE);
    if (type === KEY_BAG) found.keys.push(value.rest);
    else if (type === SHROUDED_KEY_BAG) found.keys.push(await decryptKey(value.rest, password));
    else if (type === CERTIFICATE_BAG) found.certificates.push(certificateIn(value));
  }
}

function enterOr(reader: DerReader): DerReader {
  if (reader.nextTag !== SEQUENCE) throw wrongPassword();
  return reader.enter(SEQUENCE, FAILURE);
}

function certificateIn(value: DerReader): Uint8Array {
  const bag = value.enter(SEQUENCE, FAILURE);
  readOid(bag);
  return bag.enter(EXPLICIT, FAILURE).read(OCTET_STRING, FAILURE).content;
}
