// The signature algorithms of certificates and CRLs.

import { OID, oidOf, type Element } from '../../core/common/certificates/der.js';
import { badCertificate, DerReader } from './der.js';

/** An algorithm that Go's x509 knows. */
export interface SignatureAlgorithm {
  readonly name: string;
  readonly key: 'DSA' | 'ECDSA' | 'Ed25519' | 'RSA' | 'unknown';
  /** The hash, as WebCrypto names it; undefined for Ed25519 and unknown algorithms. */
  readonly hash: 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512' | undefined;
  /** The length of the salt of RSA-PSS, in bytes; undefined for PKCS #1. */
  readonly salt?: number;
}

const ALGORITHMS: ReadonlyMap<string, SignatureAlgorithm> = new Map([
  ['1.2.840.10040.4.3', { name: 'DSA-SHA1', key: 'DSA', hash: 'SHA-1' }],
  ['2.16.840.1.101.3.4.3.2', { name: 'DSA-SHA256', key: 'DSA', hash: 'SHA-256' }],
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

/** An AlgorithmIdentifier: its object identifier, and its parameters where it has some. */
export interface AlgorithmIdentifier {
  readonly oid: string;
  readonly parameters: Element | undefined;
}

/** Reads an AlgorithmIdentifier (`parseAI`). @throws TranslateError with Go's text */
export function readAlgorithmIdentifier({ content }: Element): AlgorithmIdentifier {
  const reader = new DerReader(content);
  const oid = oidOf(reader.read(OID, 'x509: malformed OID').content);
  if (oid === undefined) throw badCertificate('x509: malformed OID');
  if (reader.isEmpty) return { oid, parameters: undefined };
  const parameters = reader.next();
  if (parameters === undefined) throw badCertificate('x509: malformed parameters');
  return { oid, parameters };
}

/** The signature algorithm of an AlgorithmIdentifier. @throws TranslateError with Go's text */
export function readAlgorithm(element: Element): SignatureAlgorithm {
  const { oid } = readAlgorithmIdentifier(element);
  return ALGORITHMS.get(oid) ?? { name: oid, key: 'unknown', hash: undefined };
}
