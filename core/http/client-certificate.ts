import { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import { TLSSocket, type PeerCertificate } from 'node:tls';
import { isVerified, keyProblem } from '../common/certificates/namesake-ca.js';
import { describeRefusal, UNSPECIFIED } from './refusal.js';

/** The client of a connection. */
export interface Client {
  /** Why there is no verified certificate; undefined if there is one or TLS is off. */
  readonly refusal: string | undefined;
  /** Why the certificate that was sent cannot be trusted; undefined if it can be, or none was sent. */
  readonly distrust?: string;
  /** The subject of the verified certificate, or the address. */
  readonly name: string;
}

const clients = new WeakMap<Socket, Client>();

/**
 * The client of a connection. It is determined once per connection.
 *
 * @param cas the client root CAs that the connection was made with
 */
export function clientOf(socket: Socket, cas: readonly X509Certificate[] = []): Client {
  let client = clients.get(socket);
  if (client === undefined) clients.set(socket, (client = inspect(socket, cas)));
  return client;
}

function inspect(socket: Socket, cas: readonly X509Certificate[]): Client {
  const address = `${socket.remoteAddress ?? 'unknown'}:${socket.remotePort ?? 0}`;
  if (!(socket instanceof TLSSocket)) return { refusal: undefined, name: address };
  const certificate = certificateOf(socket);
  // `authorized` is also true for a resumed TLS 1.3 session without a certificate.
  if (certificate === undefined) return { refusal: 'none was sent', name: address };
  const distrust = distrustOf(socket, certificate, cas);
  if (distrust !== undefined)
    return { refusal: `it cannot be trusted: ${distrust}`, distrust, name: address };
  return { refusal: undefined, name: subjectOf(certificate) };
}

function certificateOf(socket: TLSSocket): X509Certificate | undefined {
  // getPeerX509Certificate() of Node 20 never frees the certificates of CAs that the client sends with its own, 5 KB for each connection.
  // An empty object without a certificate; null, in spite of its type, on a closed connection.
  const { raw } = (socket.getPeerCertificate() as PeerCertificate | null) ?? ({} as Partial<PeerCertificate>);
  return raw === undefined ? undefined : new X509Certificate(raw);
}

/** Why a certificate cannot be trusted. */
function distrustOf(
  socket: TLSSocket,
  certificate: X509Certificate,
  cas: readonly X509Certificate[],
): string | undefined {
  return isVerified(socket, certificate, cas)
    ? keyProblem(certificate.publicKey)
    : reasonFor(String(socket.authorizationError), socket, certificate);
}

function reasonFor(code: string, socket: TLSSocket, { publicKey }: X509Certificate): string {
  // Newer versions of OpenSSL refuse short keys themselves, and do not say how short they are.
  const short = code === UNSPECIFIED ? keyProblem(publicKey) : undefined;
  return short ?? describeRefusal(code, messageOf(socket));
}

/** OpenSSL's own text of the refusal. Node has codes only for the more frequent ones, and no public access to the text. */
function messageOf(socket: TLSSocket): string | undefined {
  const { _handle: handle } = socket as { _handle?: { verifyError?: () => Error | null } | null };
  return handle?.verifyError?.()?.message;
}

function subjectOf({ subject, subjectAltName, serialNumber }: X509Certificate): string {
  // Undefined, in spite of its type, for a certificate without a subject.
  const name = (subject as string | undefined) ?? subjectAltName ?? `certificate ${serialNumber}`;
  return name.replaceAll('\n', ',');
}
