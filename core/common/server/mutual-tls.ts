// The server side of TLS of both programs: its options, and whether the certificate of a client is trusted.

import { constants, X509Certificate } from 'node:crypto';
import type { SecureContextOptions, TLSSocket, PeerCertificate } from 'node:tls';
import { encodePem } from '../certificates/pem.js';
import { isVerified, keyProblem, shareNames } from '../certificates/same-name-cas.js';

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

/** What a server presents and trusts, in PEM. */
export interface ServerTls {
  readonly cert: string;
  readonly key: string;
  /** Client root CAs. */
  readonly cas: readonly X509Certificate[];
}

/** For `https.createServer` and `setSecureContext`. */
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

/**
 * Whether Node closes a connection whose client certificate OpenSSL refuses. OpenSSL also refuses good ones where several CAs have the
 * same name; then the listener of `secureConnection` decides with {@link peerOf}.
 *
 * @param isRequired whether every client must have a trusted certificate
 */
export const rejectsUnauthorized = (cas: readonly X509Certificate[], isRequired: boolean): boolean =>
  isRequired && !shareNames(cas);

/** The client certificate of a connection. */
export interface Peer {
  /** Undefined if none was sent. */
  readonly certificate: X509Certificate | undefined;
  /** Why the certificate cannot be trusted: the code of Node, or a few words. Undefined if it can be, or none was sent. */
  readonly problem: string | undefined;
}

/**
 * Reads and judges the client certificate of a connection, at its event `secureConnection`. Reading the certificate also empties OpenSSL's
 * queue of errors. The next read would take what a signature that did not verify left there for an error of its own, and reset the
 * connection.
 *
 * @param cas the client root CAs that the connection was made with
 */
export function peerOf(socket: TLSSocket, cas: readonly X509Certificate[]): Peer {
  // getPeerX509Certificate() of Node 20 never frees the certificates of CAs that the client sends with its own, 5 KB for each connection.
  // An empty object without a certificate; null, which its type omits, on a closed connection.
  const { raw } = (socket.getPeerCertificate() as PeerCertificate | null) ?? ({} as Partial<PeerCertificate>);
  // `authorized` is also true for a resumed TLS 1.3 session without a certificate.
  if (raw === undefined) return { certificate: undefined, problem: undefined };
  const certificate = new X509Certificate(raw);
  const weak = keyProblem(certificate.publicKey);
  const problem = isVerified(socket, certificate, cas) ? weak : describe(socket.authorizationError, weak);
  return { certificate, problem };
}

/** The code of Node for every refusal without a code of its own, such as when newer versions of OpenSSL refuse a short key. */
const UNSPECIFIED = 'UNSPECIFIED';

const describe = (code: Error | undefined, weak: string | undefined): string =>
  String(code) === UNSPECIFIED && weak !== undefined ? weak : String(code);

/** DER of the trust settings of OpenSSL: trusted for TLS client authentication (OID 1.3.6.1.5.5.7.3.2). */
const CLIENT_AUTH_TRUST = Buffer.from('300c300a06082b06010505070302', 'hex');

/**
 * A CA as OpenSSL's `TRUSTED CERTIFICATE`, which makes it a trust anchor whether it is a root or an intermediate CA, as in Fabric.
 * Node's option for that, `allowPartialTrustChain`, is ignored by `setSecureContext` in Node 20, which a reload uses.
 */
function trustedPem({ raw }: X509Certificate): string {
  return encodePem('TRUSTED CERTIFICATE', Buffer.concat([raw, CLIENT_AUTH_TRUST]));
}
