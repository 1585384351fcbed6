// Reads the TLS files that a plugin's options name. They are checked when the plugin starts, so that the error names the option.

import { statSync } from 'node:fs';
import { checkKeyPair, readCertificates, readPrivateKey } from '../../core/common/certificates/tls-files.js';

/** The options of a TLS client; an empty path means no file. */
export interface TlsClientPaths {
  /** CAs of the server certificate. */
  readonly ca: string;
  /** The client certificate. */
  readonly cert: string;
  /** The private key of the client certificate. */
  readonly key: string;
}

/** The PEM text of the files that are set. */
export interface TlsClientFiles {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/**
 * Checks that a client certificate has a private key and a private key a certificate.
 *
 * @throws Error naming both options
 */
export function checkTlsClientPaths({ cert, key }: TlsClientPaths): void {
  if ((cert === '') !== (key === '')) throw new Error('options.cert and options.key must be set together');
}

/**
 * Reads the files of a TLS client.
 *
 * @throws Error naming the option, the file and what is wrong with it
 */
export function readTlsClientFiles(paths: TlsClientPaths): TlsClientFiles {
  const ca = paths.ca === '' ? undefined : readCertificates(paths.ca, 'options.ca:').pem;
  const client = paths.cert === '' ? undefined : readKeyPair(paths);
  return { ...(ca !== undefined && { ca }), ...client };
}

/** A text that changes when one of the files changes. @param files paths; empty ones are skipped */
export function versionsOf(files: readonly string[]): string {
  return files
    .map((file) => {
      const stats = file === '' ? undefined : statSync(file, { throwIfNoEntry: false });
      return stats === undefined ? '' : `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
    })
    .join();
}

/** What is logged when changed TLS files are used, and when they cannot be. */
export const TLS_FILES_READ = 'the TLS files have changed and were read again';
export const TLS_FILES_UNUSABLE = 'the TLS files have changed but cannot be used, keeping the current ones';

function readKeyPair({ cert, key }: TlsClientPaths): { cert: string; key: string } {
  const certificate = readCertificates(cert, 'options.cert:');
  const privateKey = readPrivateKey(key, 'options.key:');
  checkKeyPair(certificate, privateKey, { certificate: `options.cert: ${cert}`, key: `options.key: ${key}` });
  return { cert: certificate.pem, key: privateKey.pem };
}
