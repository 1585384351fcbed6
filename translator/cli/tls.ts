// Reads the files of `--tls-cert`, `--tls-key` and `--tls-client-ca`.

import type { SecureContextOptions } from 'node:tls';
import { checkKeyPair, readCertificates, readPrivateKey } from '../../core/service/tls-files.js';
import { CommandError, UsageError } from './errors.js';
import type { Values } from './values.js';

/**
 * Reads and checks the certificate, the private key and the client CAs.
 *
 * @throws UsageError if the certificate or the key is not given
 * @throws CommandError if a file is unusable
 */
export function readTls(values: Values): SecureContextOptions {
  const [certFile, keyFile] = [values.optional('tls-cert'), values.optional('tls-key')];
  if (certFile === undefined) throw new UsageError('required flag --tls-cert not provided');
  if (keyFile === undefined) throw new UsageError('required flag --tls-key not provided');
  try {
    const certificate = readCertificates(certFile, '--tls-cert');
    const key = readPrivateKey(keyFile, '--tls-key');
    checkKeyPair(certificate, key, { certificate: `--tls-cert ${certFile}`, key: `--tls-key ${keyFile}` });
    const cas = values.all('tls-client-ca').map((file) => readCertificates(file, '--tls-client-ca').pem);
    return { cert: certificate.pem, key: key.pem, ...(cas.length > 0 && { ca: cas }) };
  } catch (error) {
    throw new CommandError((error as Error).message, { cause: error });
  }
}
