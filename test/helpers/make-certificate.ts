// Single certificates with any subject, key, digest and extensions, created with the openssl command.

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Leaf } from './certificates.js';

/** How a certificate differs from a client certificate that is valid for a year and self-signed. */
export interface CertificateOptions {
  readonly subject?: string;
  readonly issuer?: Leaf;
  readonly key?: string;
  readonly days?: number;
  readonly extensions?: readonly string[];
  readonly digest?: string;
}

/** Without key identifiers OpenSSL knows an issuer by its name only. */
export const NO_IDS = ['subjectKeyIdentifier=none', 'authorityKeyIdentifier=none'];
/** The extensions of a client certificate. */
export const CLIENT = ['basicConstraints=CA:FALSE', 'extendedKeyUsage=clientAuth', ...NO_IDS];
/** The extensions of a CA. */
export const CA = ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,keyCertSign', ...NO_IDS];

const EC = 'ec -pkeyopt ec_paramgen_curve:P-256';

/** Creates a certificate. */
export function makeCertificate(
  directory: string,
  name: string,
  {
    subject = name,
    issuer,
    key = EC,
    days = 365,
    extensions = CLIENT,
    digest = 'sha256',
  }: CertificateOptions = {},
): Leaf {
  const leaf = { cert: join(directory, `${name}.pem`), key: join(directory, `${name}.key`) };
  const request = join(directory, `${name}.csr`);
  const file = join(directory, `${name}.ext`);
  writeFileSync(file, extensions.join('\n'));
  const created = ['-newkey', ...key.split(' '), '-nodes', '-subj', `/CN=${subject}`];
  openssl('req', '-new', ...created, '-keyout', leaf.key, '-out', request);
  const signed = issuer === undefined ? ['-signkey', leaf.key] : ['-CA', issuer.cert, '-CAkey', issuer.key];
  const serial = ['-set_serial', String(1 + Math.floor(Math.random() * 1e12)), '-days', String(days)];
  const files = ['-in', request, '-extfile', file, '-out', leaf.cert];
  openssl('x509', '-req', ...signed, ...serial, `-${digest}`, ...files);
  return leaf;
}

function openssl(...args: readonly string[]): void {
  execFileSync('openssl', args, { stdio: 'ignore' });
}
