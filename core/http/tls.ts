// Certificates, key and authorities of the service: read, checked, and read again.

import { constants, createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { describeFileError } from '../text/file-error.js';
import { AgentError, reasonOf } from '../contract/index.js';

/** Where the TLS material is and what it is for. */
export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
  readonly clientRootCAFiles: readonly string[];
}

/** TLS material that was checked. */
export interface TlsMaterial {
  /** For `https.createServer` and `setSecureContext`. */
  readonly context: SecureContextOptions;
  /** When the server certificate and the earliest of the authorities expire, in milliseconds since the epoch. */
  readonly expiry: { readonly server: number; readonly client_ca: number };
}

const SUITES = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
];

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/**
 * Reads and checks TLS material.
 *
 * @throws AgentError `TLS_INVALID`, naming the file and what is wrong with it
 */
export function readTlsMaterial(files: TlsFiles): TlsMaterial {
  const { certFile, keyFile, clientRootCAFiles } = files;
  const cert = readPem(certFile, 'server certificate');
  const key = readPem(keyFile, 'private key');
  const [server] = certificatesIn(certFile, cert);
  if (server === undefined) {
    const swapped = cert.includes('PRIVATE KEY-----')
      ? '; it holds a private key: are the two files exchanged?'
      : '';
    throw invalid(`server certificate ${certFile} holds no certificate in PEM form${swapped}`);
  }
  const authorities = clientRootCAFiles.flatMap((file) => {
    const found = certificatesIn(file, readPem(file, 'client root CA'));
    if (found.length === 0) throw invalid(`client root CA ${file} holds no certificate in PEM form`);
    return found;
  });
  if (authorities.length === 0)
    throw invalid('no client root CA is set: nobody could use the protected resources');

  const context: SecureContextOptions = {
    cert,
    key,
    ca: authorities.map(String),
    // As for a node, each of them is trusted by itself, be it a root or not.
    allowPartialTrustChain: true,
    sessionIdContext: 'fabric-ops-agent',
    minVersion: 'TLSv1.2',
    ciphers: SUITES.join(':'),
    honorCipherOrder: true,
    // Without tickets no session is resumed: each connection proves its certificate against the present authorities.
    secureOptions: constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION,
  };
  checkTogether(context, server, readKey(keyFile, key), files);
  return {
    context,
    expiry: {
      server: Date.parse(server.validTo),
      client_ca: Math.min(...authorities.map(({ validTo }) => Date.parse(validTo))),
    },
  };
}

function checkTogether(
  context: SecureContextOptions,
  server: X509Certificate,
  key: KeyObject,
  { certFile, keyFile }: TlsFiles,
): void {
  // A context takes a key of another type than the certificate's, and no handshake ever succeeds.
  if (!server.checkPrivateKey(key))
    throw invalid(`private key ${keyFile} does not belong to server certificate ${certFile}`);
  try {
    createSecureContext(context);
  } catch (error) {
    throw invalid(
      `server certificate ${certFile} and private key ${keyFile} cannot be used: ${reasonOf(error)}`,
      error,
    );
  }
}

function readKey(file: string, pem: string): KeyObject {
  if (!pem.includes('PRIVATE KEY-----')) {
    const swapped = pem.includes('CERTIFICATE-----')
      ? '; it holds a certificate: are the two files exchanged?'
      : '';
    throw invalid(`private key ${file} holds no private key in PEM form${swapped}`);
  }
  if (pem.includes('ENCRYPTED'))
    throw invalid(`private key ${file} is encrypted: it must be stored without a passphrase`);
  try {
    return createPrivateKey(pem);
  } catch (error) {
    throw invalid(`private key ${file} cannot be used: ${reasonOf(error)}`, error);
  }
}

function readPem(file: string, what: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw invalid(`${what} ${file} cannot be read: ${describeFileError(error)}`, error);
  }
}

function certificatesIn(file: string, pem: string): X509Certificate[] {
  return (pem.match(CERTIFICATE) ?? []).map((block) => {
    try {
      return new X509Certificate(block);
    } catch (error) {
      throw invalid(`${file} holds a certificate that cannot be read: ${reasonOf(error)}`, error);
    }
  });
}

function invalid(message: string, cause?: unknown): AgentError {
  return new AgentError('TLS_INVALID', message, { cause });
}
