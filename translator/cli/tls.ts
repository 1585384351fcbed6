// The files behind `--tls-cert`, `--tls-key` and `--tls-client-ca`.

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { CommandError, UsageError } from './errors.js';
import { readInput } from './files.js';
import type { Process } from './process.js';
import type { Values } from './values.js';

/**
 * Reads certificate, key and authorities and checks that they can be used.
 *
 * @throws UsageError where one of those that belong together is missing
 * @throws CommandError
 */
export function readTls(values: Values, process: Process): SecureContextOptions {
  const [certFile, keyFile] = [values.optional('tls-cert'), values.optional('tls-key')];
  const authorityFiles = values.all('tls-client-ca');
  if (certFile === undefined) throw new UsageError('required flag --tls-cert not provided');
  if (keyFile === undefined) throw new UsageError('required flag --tls-key not provided');
  const [cert, key] = [readInput(certFile, process), readInput(keyFile, process)];
  const context: SecureContextOptions = {
    cert,
    key,
    ...(authorityFiles.length > 0 && { ca: authorityFiles.map((file) => readAuthority(file, process)) }),
  };
  try {
    createSecureContext(context);
    // A context takes a key of another type than the certificate's, and no handshake ever succeeds.
    if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
      throw new Error('the key is not that of the certificate');
  } catch (error) {
    const { message } = error as Error;
    throw new CommandError(`certificate ${certFile} and key ${keyFile} cannot be used: ${message}`);
  }
  return context;
}

/** A file without a certificate would let nobody in, and node would not say so. */
function readAuthority(file: string, process: Process): Buffer {
  const pem = readInput(file, process);
  try {
    void new X509Certificate(pem);
    return pem;
  } catch {
    throw new CommandError(`authority ${file} holds no certificate in PEM form`);
  }
}
