// Reads and checks the TLS files of the operations server.

import { constants, type X509Certificate } from 'node:crypto';
import type { SecureContextOptions } from 'node:tls';
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

/** Certificate, key and CAs that were checked. */
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

/** Forward secret suites with authenticated encryption. */
const SUITES = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
];

/**
 * Reads and checks certificate, key and CAs.
 *
 * @throws AgentError `TLS_INVALID`, naming the file and what is wrong with it
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
    const problem = validityProblem(server.certificates[0]);
    return {
      context: contextOf(server.pem, key.pem, cas),
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

function contextOf(cert: string, key: string, cas: readonly X509Certificate[]): SecureContextOptions {
  return {
    cert,
    key,
    ca: cas.map(trustedPem),
    sessionIdContext: 'fabric-ops-agent',
    minVersion: 'TLSv1.2',
    ciphers: SUITES.join(':'),
    honorCipherOrder: true,
    // Without tickets no session is resumed: the client certificate of each connection is verified against the current CAs.
    secureOptions: constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION,
  };
}

/** DER of the trust settings of OpenSSL: trusted for TLS client authentication (OID 1.3.6.1.5.5.7.3.2). */
const CLIENT_AUTH_TRUST = Buffer.from('300c300a06082b06010505070302', 'hex');

/**
 * A CA as OpenSSL's `TRUSTED CERTIFICATE`, which makes it a trust anchor whether it is a root or an intermediate CA, as in Fabric.
 * Node's option for that, `allowPartialTrustChain`, is ignored by `setSecureContext` in Node 20, which a reload uses.
 */
function trustedPem({ raw }: X509Certificate): string {
  const base64 = Buffer.concat([raw, CLIENT_AUTH_TRUST]).toString('base64');
  const lines = base64.replace(/.{64}/g, '$&\n');
  return `-----BEGIN TRUSTED CERTIFICATE-----\n${lines}\n-----END TRUSTED CERTIFICATE-----\n`;
}
