// The signature algorithms of certificates and CRLs.

import { OID, oidOf, type Element } from '../../core/common/certificates/der.js';
import { badCertificate, DerReader } from './der.js';

/** An algorithm that Go's x509 knows. */
export interface SignatureAlgorithm {
  readonly name: string;
  readonly key: 'ECDSA' | 'Ed25519' | 'RSA' | 'unknown';
  /** The hash, as WebCrypto names it; undefined for Ed25519 and unknown algorithms. */
  readonly hash: 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512' | undefined;
  /** The length of the salt of RSA-PSS, in bytes; undefined for PKCS #1. */
  readonly salt?: number;
}

const ALGORITHMS: ReadonlyMap<string, SignatureAlgorithm> = new Map([
  ['1.2.840.10045.4.1', { name: 'ECDSA-SHA1', key: 'ECDSA', hash: 'SHA-1' }],
  ['1.2.840.10045.4.3.2', { name: 'ECDSA-SHA256', key: 'ECDSA', hash: 'SHA-256' }],
  ['1.2.840.10045.4.3.3', { name: 'ECDSA-SHA384', key: 'ECDSA', hash: 'SHA-384' }],
  ['1.2.840.10045.4.3.4', { name: 'ECDSA-SHA512', key: 'ECDSA', hash: 'SHA-512' }],
  ['1.3.101.112', { name: 'Ed25519', key: 'Ed25519', hash: undefined }],
  ['1.2.840.113549.1.1.5', { name: 'SHA1-RSA', key: 'RSA', hash: 'SHA-1' }],
  ['1.2.840.113549.1.1.11', { name: 'SHA256-RSA', key: 'RSA', hash: 'SHA-256' }],
  ['1.2.840.113549.1.1.12', { name: 'SHA384-RSA', key: 'RSA', hash: 'SHA-384' }],
  ['1.2.840.113549.1.1.13', { name: 'SHA512-RSA', key: 'RSA', hash: 'SHA-512' }],
]);

/** Reads an AlgorithmIdentifier. @throws TranslateError with Go's text */
export function readAlgorithm({ content }: Element): SignatureAlgorithm {
  const failure = 'x509: malformed algorithm identifier';
  const oid = oidOf(new DerReader(content).read(OID, failure).content);
  if (oid === undefined) throw badCertificate(failure);
  return ALGORITHMS.get(oid) ?? { name: oid, key: 'unknown', hash: undefined };
}
