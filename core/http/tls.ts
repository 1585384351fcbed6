// Reads and checks the TLS files of the operations server.

import type { X509Certificate } from 'node:crypto';
import type { SecureContextOptions } from 'node:tls';
import { checkCaNames } from '../common/certificates/ca-names.js';
import { secureContextOptions } from '../common/server/mutual-tls.js';
import { AgentError, reasonOf } from '../contract/index.js';
import {
  checkKeyPair,
  readCertificates,
  readPrivateKey,
  validityProblem,
} from '../common/certificates/tls-files.js';

/** The TLS files of the operations server. */
export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
  readonly clientRootCAFiles: readonly string[];
}

/** The checked certificate, key and CAs. */
export interface TlsMaterial {
  /** For `https.createServer` and `setSecureContext`. */
  readonly context: SecureContextOptions;
  /** The client root CAs. */
  readonly cas: readonly X509Certificate[];
  /** Why clients refuse the server certificate: it has expired or is not valid yet. */
  readonly problem: string | undefined;
  /** When the server certificate and the first of the CAs expire, in milliseconds since the epoch. */
  readonly expiry: { readonly server: number; readonly client_ca: number };
}

/**
 * Reads and checks certificate, key and CAs.
 *
 * @throws AgentError `TLS_INVALID`, naming the file and its fault
 */
export function readTlsMaterial({ certFile, keyFile, clientRootCAFiles }: TlsFiles): TlsMaterial {
  try {
    const server = readCertificates(certFile, 'server certificate');
    const key = readPrivateKey(keyFile, 'private key');
    checkKeyPair(server, key, {
      certificate: `server certificate ${certFile}`,
      key: `private key ${keyFile}`,
    });
    const cas = clientRootCAFiles.flatMap((file) => readCertificates(file, 'client root CA').certificates);
    if (cas.length === 0)
      throw new Error('operations.tls.clientRootCAs.files is empty: no client certificate could be verified');
    checkCaNames(cas, 'operations.tls.clientRootCAs.files');
    const problem = validityProblem(server.certificates[0]);
    return {
      context: secureContextOptions({ cert: server.pem, key: key.pem, cas }),
      cas,
      problem: problem && `server certificate ${certFile} ${problem}`,
      expiry: {
        server: Date.parse(server.certificates[0].validTo),
        client_ca: Math.min(...cas.map(({ validTo }) => Date.parse(validTo))),
      },
    };
  } catch (error) {
    throw new AgentError('TLS_INVALID', reasonOf(error), { cause: error });
  }
}
