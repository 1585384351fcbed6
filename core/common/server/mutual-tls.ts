// TLS of the servers of both programs: options, and verification of client certificates.

import { constants, X509Certificate, type KeyObject } from 'node:crypto';
import type { SecureContextOptions, TLSSocket, PeerCertificate } from 'node:tls';
import { encodePem } from '../certificates/pem.js';

/** Fewest bits of the RSA key of a client. */
const MIN_RSA_BITS = 2048;

/** Cipher suites with forward secrecy and authenticated encryption. */
const SUITES = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
];

/** The certificate and key of a server, in PEM, and its client root CAs. */
interface ServerTls {
  readonly cert: string;
  readonly key: string;
  /** Client root CAs. */
  readonly cas: readonly X509Certificate[];
}

/** Options for `https.createServer` and `setSecureContext`. */
export const secureContextOptions = ({ cert, key, cas }: ServerTls): SecureContextOptions => ({
  cert,
  key,
  ca: cas.map(trustedPem),
  sessionIdContext: 'fabric-ops-agent',
  minVersion: 'TLSv1.2',
  ciphers: SUITES.join(':'),
  honorCipherOrder: true,
  // Without tickets no session is resumed: the client certificate of each connection is verified against the current CAs.
  secureOptions: constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION,
});

/** The client certificate of a connection. */
interface Peer {
  /** Undefined if none was sent. */
  readonly certificate: X509Certificate | undefined;
  /** Why the certificate is not trusted: the code of Node, or a few words. Undefined if it is trusted, or none was sent. */
  readonly problem: string | undefined;
}

/**
 * Reads and verifies the client certificate of a connection, at its event `secureConnection`. Reading the certificate also clears OpenSSL's
 * error queue. Otherwise the next read would mistake the error of a signature that did not verify for its own error, and reset the
 * connection.
 */
export function peerOf(socket: TLSSocket): Peer {
  // getPeerX509Certificate() of Node 20 never frees the certificates of CAs that the client sends with its own, 5 KB for each connection.
  // An empty object without a certificate; null, which its type omits, on a closed connection.
  const { raw } = (socket.getPeerCertificate() as PeerCertificate | null) ?? ({} as Partial<PeerCertificate>);
  // `authorized` is also true for a resumed TLS 1.3 session without a certificate.
  if (raw === undefined) return { certificate: undefined, problem: undefined };
  const certificate = new X509Certificate(raw);
  const weak = keyProblem(certificate.publicKey);
  const problem = socket.authorized ? weak : describe(socket.authorizationError, weak);
  return { certificate, problem };
}

/** Node's code for every refusal without a specific code, for example when newer versions of OpenSSL refuse a short key. */
const UNSPECIFIED = 'UNSPECIFIED';

const describe = (code: Error | undefined, weak: string | undefined): string =>
  String(code) === UNSPECIFIED && weak !== undefined ? weak : String(code);

/** Why a public key is too weak; undefined if it is not. */
function keyProblem({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string | undefined {
  const bits = asymmetricKeyDetails?.modulusLength;
  return asymmetricKeyType?.startsWith('rsa') === true && bits !== undefined && bits < MIN_RSA_BITS
    ? `its RSA key has ${bits} bits, fewer than ${MIN_RSA_BITS}`
    : undefined;
}

/** DER of the trust settings of OpenSSL: trusted for TLS client authentication (OID 1.3.6.1.5.5.7.3.2). */
const CLIENT_AUTH_TRUST = Buffer.from('300c300a06082b06010505070302', 'hex');

/**
 * A CA as OpenSSL's `TRUSTED CERTIFICATE`: it is a trust anchor even if it is an intermediate CA, as in Fabric. `setSecureContext`, which a
 * reload uses, ignores Node's option for that, `allowPartialTrustChain`, in Node 20.
 */
function trustedPem({ raw }: X509Certificate): string {
  return encodePem('TRUSTED CERTIFICATE', Buffer.concat([raw, CLIENT_AUTH_TRUST]));
}
