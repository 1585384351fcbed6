import type { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** The client of a connection. */
export interface Client {
  /** Why there is no verified certificate; undefined if there is one or TLS is off. */
  readonly refusal: string | undefined;
  /** The subject of the verified certificate, or the address. */
  readonly name: string;
}

const clients = new WeakMap<Socket, Client>();

/** The client of a connection. It is determined once per connection. */
export function clientOf(socket: Socket): Client {
  let client = clients.get(socket);
  if (client === undefined) clients.set(socket, (client = inspect(socket)));
  return client;
}

function inspect(socket: Socket): Client {
  const address = `${socket.remoteAddress ?? 'unknown'}:${socket.remotePort ?? 0}`;
  if (!(socket instanceof TLSSocket)) return { refusal: undefined, name: address };
  const certificate = socket.getPeerX509Certificate();
  // `authorized` is also true for a resumed TLS 1.3 session without a certificate.
  if (certificate === undefined) return { refusal: 'none was sent', name: address };
  if (!socket.authorized)
    return {
      refusal: `it cannot be trusted: ${describeRefusal(String(socket.authorizationError))}`,
      name: address,
    };
  return { refusal: undefined, name: subjectOf(certificate) };
}

function subjectOf({ subject, subjectAltName, serialNumber }: X509Certificate): string {
  // Undefined, in spite of its type, for a certificate without a subject.
  const name = (subject as string | undefined) ?? subjectAltName ?? `certificate ${serialNumber}`;
  return name.replaceAll('\n', ',');
}

const UNKNOWN_ISSUER = 'its issuer is not among the client root CAs';
const REASONS: ReadonlyMap<string, string> = new Map([
  ['CERT_HAS_EXPIRED', 'it has expired'],
  ['CERT_NOT_YET_VALID', 'it is not valid yet'],
  ['INVALID_PURPOSE', 'it is not meant for clients'],
  ['UNABLE_TO_GET_ISSUER_CERT', UNKNOWN_ISSUER],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', UNKNOWN_ISSUER],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', UNKNOWN_ISSUER],
  ['SELF_SIGNED_CERT_IN_CHAIN', UNKNOWN_ISSUER],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', UNKNOWN_ISSUER],
]);

/** Why a certificate is not trusted. @param code of OpenSSL */
export function describeRefusal(code: string): string {
  return REASONS.get(code) ?? code;
}
