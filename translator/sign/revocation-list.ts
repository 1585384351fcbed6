// Makes certificate revocation lists (RFC 5280), as Fabric reads them.

import { context, OCTET_STRING, OID, SEQUENCE } from '../../core/common/certificates/der.js';
import { concatBytes, fromLatin1 } from '../../proto/bytes.js';
import { AUTHORITY_KEY_ID, derBitString, derHeader, derInteger, type Certificate } from '../msp/index.js';
import type { SigningIdentity } from './signing-identity.js';

/** Content of a new revocation list. */
export interface RevocationListContent {
  readonly ca: Certificate;
  readonly sign: SigningIdentity['sign'];
  readonly serials: Iterable<bigint>;
  readonly now: Date;
}

const CRL_NUMBER = '2.5.29.20';
const VERSION_2 = 1n;
const GENERALIZED_TIME = 0x18;
const UTC_TIME = 0x17;
/** RFC 5280, 5.1.2.4: years from 2050 are written as GeneralizedTime. */
const FIRST_GENERALIZED_YEAR = 2050;

const element = (tag: number, ...parts: readonly Uint8Array[]): Uint8Array => {
  const content = concatBytes(...parts);
  return concatBytes(derHeader(tag, content.length), content);
};

/**
 * Makes a revocation list in DER. It ends with the CA: Fabric does not read the end of a list (msp/mspimplvalidate.go,
 * `validateCertAgainstChain`).
 */
export async function makeRevocationList({
  ca,
  sign,
  serials,
  now,
}: RevocationListContent): Promise<Uint8Array> {
  const algorithm = element(
    SEQUENCE,
    // ecdsa-with-SHA256, or Ed25519
    oid(ca.publicKey.type === 'Ed25519' ? '1.3.101.112' : '1.2.840.10045.4.3.2'),
  );
  const revoked = [...new Set(serials)].map((serial) => element(SEQUENCE, derInteger(serial), time(now)));
  const keyId = element(SEQUENCE, element(context(0, false), ca.extensions.subjectKeyId));
  const number = derInteger(BigInt(Math.floor(now.getTime() / 1000)));
  const extensions = element(SEQUENCE, extension(AUTHORITY_KEY_ID, keyId), extension(CRL_NUMBER, number));
  const signed = element(
    SEQUENCE,
    derInteger(VERSION_2),
    algorithm,
    ca.subject.raw,
    time(now),
    time(ca.notAfter),
    element(SEQUENCE, ...revoked),
    element(context(0, true), extensions),
  );
  return element(SEQUENCE, signed, algorithm, derBitString(await sign(signed)));
}

const extension = (id: string, value: Uint8Array): Uint8Array =>
  element(SEQUENCE, oid(id), element(OCTET_STRING, value));

function time(at: Date): Uint8Array {
  const digits = at.toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return at.getUTCFullYear() >= FIRST_GENERALIZED_YEAR
    ? element(GENERALIZED_TIME, fromLatin1(digits))
    : element(UTC_TIME, fromLatin1(digits.slice(2)));
}

function oid(text: string): Uint8Array {
  const [first = 0, second = 0, ...others] = text.split('.').map(Number);
  return element(OID, Uint8Array.from([40 * first + second, ...others].flatMap(base128)));
}

function base128(arc: number): number[] {
  const bytes = [arc & 0x7f];
  for (let rest = arc >>> 7; rest > 0; rest >>>= 7) bytes.unshift(0x80 | (rest & 0x7f));
  return bytes;
}
