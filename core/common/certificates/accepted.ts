// Whether the other side of a TLS connection accepts the certificate in a file. Nothing is sent.

import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { readRegularFile } from '../files/regular-file.js';
import { isIssuedBy } from './chain.js';
import { certificateBlocks } from './pem.js';
import { validityProblem } from './tls-files.js';

/** Largest file, in bytes. */
const MAX_FILE_SIZE = 1024 * 1024;
/** Most certificates of a file that are examined. */
const MAX_CERTIFICATES = 100;
/** Extended key usages that a client certificate may have: TLS client authentication, and any usage. */
const CLIENT_USAGES = new Set(['1.3.6.1.5.5.7.3.2', '2.5.29.37.0']);

/** The certificates of a PEM file; none when it cannot be used, which the checks of TLS files report. */
export function certificatesIn(file: string): readonly X509Certificate[] {
  try {
    const blocks = certificateBlocks(readRegularFile(file, MAX_FILE_SIZE), MAX_CERTIFICATES);
    return blocks.map((block) => new X509Certificate(block));
  } catch {
    return [];
  }
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
