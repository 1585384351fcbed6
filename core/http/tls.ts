// Reads and checks the TLS files of the operations server.

import type { X509Certificate } from 'node:crypto';
import type { SecureContextOptions } from 'node:tls';
import { checkCaNames } from '../common/certificates/ca-names.js';
import { secureContextOptions } from '../common/server/mutual-tls.js';
import type { Settings } from '../../config/index.js';
import { AgentError, reasonOf } from '../contract/index.js';
import {
  checkKeyPair,
  readCertificates,
  readPrivateKey,
  validityProblem,
} from '../common/certificates/tls-files.js';
import { Roles } from './roles.js';

/** The TLS files of the operations server. */
interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
  readonly clientRootCAFiles: readonly string[];
  /** @default every client may change something */
  readonly roles?: Settings['operations']['tls']['roles'];
}

/** The checked certificate, key and CAs. */
export interface TlsMaterial {
  /** For `https.createServer` and `setSecureContext`. */
  readonly context: SecureContextOptions;
  /** The client root CAs, and the CAs of the roles. */
  readonly cas: readonly X509Certificate[];
  /** Undefined: every client may change something. */
  readonly roles: Roles | undefined;
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
export function readTlsMaterial({
  certFile,
  keyFile,
  clientRootCAFiles,
  roles: settings,
}: TlsFiles): TlsMaterial {
  try {
    const server = readCertificates(certFile, 'server certificate');
    const key = readPrivateKey(keyFile, 'private key');
    checkKeyPair(server, key, {
      certificate: `server certificate ${certFile}`,
      key: `private key ${keyFile}`,
    });
    const roots = clientRootCAFiles.flatMap((file) => readCertificates(file, 'client root CA').certificates);
    if (roots.length === 0)
      throw new Error('operations.tls.clientRootCAs.files is empty: no client certificate could be verified');
    const roles = settings && new Roles(settings, roots);
    const known = new Set(roots.map(({ fingerprint256 }) => fingerprint256));
    const ofRoles = (roles?.cas ?? []).filter(({ fingerprint256 }) => !known.has(fingerprint256));
    const cas = [...roots, ...ofRoles];
    checkCaNames(cas, 'operations.tls.clientRootCAs.files');
    const problem = validityProblem(server.certificates[0]);
    return {
      context: secureContextOptions({ cert: server.pem, key: key.pem, cas }),
      cas,
      roles,
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
