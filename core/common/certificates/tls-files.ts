// Reads certificates, private keys and CAs in PEM, from files or from memory, and checks them, so that an unusable one is reported at start
// and not at the first handshake.

import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { describeSystemError } from '../text/system-error.js';
import { readGivenFile } from '../files/regular-file.js';
import { certificateBlocks } from './pem.js';

/** Largest file, in bytes. */
const MAX_FILE_SIZE = 1024 * 1024;

/** The content of a PEM file of certificates. */
interface CertificateFile {
  readonly pem: string;
  /** In the order of the file; at least one. */
  readonly certificates: readonly [X509Certificate, ...X509Certificate[]];
}

/** The content of a PEM file of a private key. */
interface KeyFile {
  readonly pem: string;
  readonly key: KeyObject;
}

/**
 * Reads a file with one or more PEM certificates.
 *
 * @param role the purpose of the file, such as `server certificate`; errors begin with it
 * @throws Error naming the role, the file and the fault
 */
export const readCertificates = (file: string, role: string): CertificateFile =>
  parseCertificates(readText(file, role), `${role} ${file}`);

/**
 * Reads one or more PEM certificates.
 *
 * @param what errors begin with it
 * @throws Error naming the fault
 */
export function parseCertificates(pem: string, what: string): CertificateFile {
  const [first, ...rest] = certificateBlocks(pem).map((block) => {
    try {
      return new X509Certificate(block);
    } catch (error) {
      throw new Error(`${what} contains an invalid certificate: ${messageOf(error)}`, { cause: error });
    }
  });
  if (first === undefined) {
    const hint = pem.includes('PRIVATE KEY-----')
      ? '; it contains a private key: are the files swapped?'
      : '';
    throw new Error(`${what} contains no PEM certificate${hint}`);
  }
  return { pem, certificates: [first, ...rest] };
}

/**
 * Reads a file with a PEM private key.
 *
 * @param role the purpose of the file, such as `private key`; errors begin with it
 * @throws Error naming the role, the file and the fault
 */
export const readPrivateKey = (file: string, role: string): KeyFile =>
  parsePrivateKey(readText(file, role), `${role} ${file}`);

/**
 * Reads a PEM private key.
 *
 * @param what errors begin with it
 * @throws Error naming the fault
 */
export function parsePrivateKey(pem: string, what: string): KeyFile {
  if (!pem.includes('PRIVATE KEY-----')) {
    const hint = pem.includes('CERTIFICATE-----')
      ? '; it contains a certificate: are the files swapped?'
      : '';
    throw new Error(`${what} contains no PEM private key${hint}`);
  }
  if (pem.includes('ENCRYPTED')) throw new Error(`${what} is encrypted; store it without a passphrase`);
  try {
    return { pem, key: createPrivateKey(pem) };
  } catch (error) {
    throw new Error(`${what} is invalid: ${messageOf(error)}`, { cause: error });
  }
}

/** A certificate with its private key, in PEM. */
export interface KeyPair {
  readonly cert: string;
  /** All certificates in the certificate file, in its order. */
  readonly certificates: readonly [X509Certificate, ...X509Certificate[]];
  readonly key: string;
}

/**
 * Reads a certificate and its private key, and checks that TLS can use them.
 *
 * @param roles the purposes of the files, such as `server certificate` and `private key`; errors begin with them
 * @throws Error naming the role, the file and the fault
 */
export function readKeyPair(
  files: { readonly cert: string; readonly key: string },
  roles: { readonly cert: string; readonly key: string },
): KeyPair {
  const certificate = readCertificates(files.cert, roles.cert);
  const key = readPrivateKey(files.key, roles.key);
  checkKeyPair(certificate, key, {
    certificate: `${roles.cert} ${files.cert}`,
    key: `${roles.key} ${files.key}`,
  });
  return { certificates: certificate.certificates, cert: certificate.pem, key: key.pem };
}

/**
 * Checks that a certificate and a private key belong together and that TLS can use them. OpenSSL accepts a key of another type, and then
 * every handshake fails.
 *
 * @param names how errors name the two files, such as `server certificate /tls/cert.pem`
 * @throws Error naming both files
 */
export function checkKeyPair(
  { pem: cert, certificates: [certificate] }: CertificateFile,
  { pem: key, key: keyObject }: KeyFile,
  names: { readonly certificate: string; readonly key: string },
): void {
  if (!certificate.checkPrivateKey(keyObject))
    throw new Error(`${names.key} does not belong to ${names.certificate}`);
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new Error(`${names.certificate} and ${names.key} cannot be used: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** Why a certificate cannot be used now; undefined: it is valid. */
export function validityProblem(
  { validFrom, validTo }: X509Certificate,
  now = Date.now(),
): string | undefined {
  if (now < Date.parse(validFrom)) return `is not valid before ${validFrom}`;
  return now > Date.parse(validTo) ? `expired on ${validTo}` : undefined;
}

function readText(file: string, role: string): string {
  try {
    return readGivenFile(file, MAX_FILE_SIZE);
  } catch (error) {
    throw new Error(`${role} ${file} cannot be read: ${describeSystemError(error)}`, { cause: error });
  }
}

/** A message of OpenSSL: `error:<code>:<library>:<function>:<reason>`, also with a thread before it, and a file and a line after it. */
const OPENSSL_MESSAGE = /\berror:[0-9A-F]+:[^:]*:[^:]*:(?<reason>[^:]+)/;

function messageOf(error: unknown): string {
  const { message } = error as Error;
  return OPENSSL_MESSAGE.exec(message)?.groups?.reason ?? message;
}
