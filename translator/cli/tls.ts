// Reads the files of `--tls-cert`, `--tls-key` and `--tls-client-ca`.

import { readCertificates, readKeyPair, validityProblem } from '../../core/common/certificates/tls-files.js';
import type { TranslatorTls } from '../http/index.js';
import { CommandError, UsageError } from './errors.js';
import type { Values } from './values.js';

/**
 * Reads and checks the certificate, the private key and the client CAs; `problem` says why clients refuse the certificate now.
 *
 * @throws UsageError if the certificate or the key is not given
 * @throws CommandError if a file is unusable
 */
export function readTls(values: Values): TranslatorTls & { readonly problem: string | undefined } {
  const [certFile, keyFile] = [values.optional('tls-cert'), values.optional('tls-key')];
  if (certFile === undefined) throw new UsageError('required flag --tls-cert not provided');
  if (keyFile === undefined) throw new UsageError('required flag --tls-key not provided');
  try {
    const roles = { cert: '--tls-cert', key: '--tls-key' };
    const { certificates, cert, key } = readKeyPair({ cert: certFile, key: keyFile }, roles);
    const files = values.all('tls-client-ca').map((file) => readCertificates(file, '--tls-client-ca'));
    const problem = validityProblem(certificates[0]);
    return {
      cert,
      key,
      clientCAs: files.flatMap((file) => file.certificates),
      problem: problem && `--tls-cert ${certFile} ${problem}`,
    };
  } catch (error) {
    throw new CommandError((error as Error).message, { cause: error });
  }
}
