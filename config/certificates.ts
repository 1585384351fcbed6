// Verifies certificates offline: who issued them, and whether a server would accept them from a client.

import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { validityProblem } from '../core/common/certificates/tls-files.js';
import { readRegularFile } from '../core/common/files/regular-file.js';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;
/** Largest file, in bytes. */
const MAX_FILE_SIZE = 1024 * 1024;
/** Most certificates of a file that are examined. */
const MAX_CERTIFICATES = 100;
/** Longest chain from a certificate to a CA. */
const MAX_CHAIN = 10;
/** Extended key usages that a client certificate may have: TLS client authentication, and any usage. */
const CLIENT_USAGES = new Set(['1.3.6.1.5.5.7.3.2', '2.5.29.37.0']);

/** The certificates of a PEM file; none when it cannot be used, which the checks of TLS files report. */
export function certificatesIn(file: string): readonly X509Certificate[] {
  try {
    const blocks = readRegularFile(file, MAX_FILE_SIZE).match(CERTIFICATE) ?? [];
    return blocks.slice(0, MAX_CERTIFICATES).map((block) => new X509Certificate(block));
  } catch {
    return [];
  }
}

/**
 * Whether one of the CAs issued the first certificate of a chain, directly or through the other certificates. A CA need not be
 * self-signed.
 */
export function isIssuedBy(
  [certificate, ...intermediates]: readonly X509Certificate[],
  cas: readonly X509Certificate[],
): boolean {
  let current = certificate;
  for (let length = 0; current !== undefined && length < MAX_CHAIN; length += 1) {
    const subject: X509Certificate = current;
    const issued = (issuer: X509Certificate): boolean =>
      subject.checkIssued(issuer) && subject.verify(issuer.publicKey);
    if (cas.some((ca) => ca.raw.equals(subject.raw) || issued(ca))) return true;
    current = intermediates.find((issuer) => !issuer.raw.equals(subject.raw) && issued(issuer));
  }
  return false;
}

/**
 * Why a server with these client CAs would refuse a client certificate; undefined: it accepts it.
 *
 * @param chain the certificate, then its intermediate CAs
 */
export function clientProblem(
  chain: readonly X509Certificate[],
  clientCAs: readonly X509Certificate[],
): string | undefined {
  const [certificate] = chain;
  if (certificate === undefined) return 'there is no certificate';
  // Node's types have string[], but the value is undefined when the certificate has no such extension.
  const usages = certificate.keyUsage as readonly string[] | undefined;
  if (usages !== undefined && !usages.some((usage) => CLIENT_USAGES.has(usage)))
    return 'its extended key usage does not include client authentication';
  const validity = validityProblem(certificate);
  if (validity !== undefined) return `it ${validity}`;
  return isIssuedBy(chain, clientCAs) ? undefined : 'it was not issued by a client CA of the node';
}

/** Whether a certificate is valid for a host name or an IP address. */
export function isValidFor(certificate: X509Certificate, host: string): boolean {
  return (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined;
}

/** The first host name of a certificate without a wildcard; empty: it has none. */
export function firstHostName({ subjectAltName = '' }: X509Certificate): string {
  return /(?:^|, )DNS:([A-Za-z0-9._-]+)(?=,|$)/.exec(subjectAltName)?.[1] ?? '';
}
