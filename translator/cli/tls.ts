// Reads the files of `--tls-cert`, `--tls-key` and `--tls-client-ca`.

import { checkCaNames } from '../../core/common/certificates/ca-names.js';
import { readCertificates, readKeyPair, validityProblem } from '../../core/common/certificates/tls-files.js';
import type { TranslatorTls } from '../http/index.js';
import { asCommandError, UsageError } from './errors.js';

/** The paths of the files. */
interface TlsFiles {
  readonly 'tls-cert': string | undefined;
  readonly 'tls-key': string | undefined;
  readonly 'tls-client-ca': readonly string[];
}

/**
 * Reads and checks the certificate, the private key and the client CAs; `problem` is the reason if clients refuse the certificate now.
 *
 * @throws UsageError if the certificate or the key is not given
 * @throws CommandError if a file is unusable
 */
export function readTls({
  'tls-cert': certFile,
  'tls-key': keyFile,
  'tls-client-ca': clientCas,
}: TlsFiles): TranslatorTls & { readonly problem: string | undefined } {
  if (certFile === undefined) throw new UsageError('required flag --tls-cert not provided');
  if (keyFile === undefined) throw new UsageError('required flag --tls-key not provided');
  return asCommandError(() => {
    const roles = { cert: '--tls-cert', key: '--tls-key' };
    const { certificates, cert, key } = readKeyPair({ cert: certFile, key: keyFile }, roles);
    const clientCAs = clientCas.flatMap((file) => readCertificates(file, '--tls-client-ca').certificates);
    checkCaNames(clientCAs, '--tls-client-ca');
    const problem = validityProblem(certificates[0]);
    return {
      cert,
      key,
      clientCAs,
      problem: problem && `--tls-cert ${certFile} ${problem}`,
    };
  });
}
