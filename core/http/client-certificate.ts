import type { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** Whether a connection may use protected resources, and who is at its other end. */
export interface Client {
  /** Why there is no verified certificate; undefined when there is one, or when TLS is off. */
  readonly refusal: string | undefined;
  /** The subject of the verified certificate, or the address. */
  readonly name: string;
}

const clients = new WeakMap<Socket, Client>();

/** Looks at the client of a connection; the answer is kept for the connection. */
export function clientOf(socket: Socket): Client {
  let client = clients.get(socket);
  if (client === undefined) clients.set(socket, (client = inspect(socket)));
  return client;
}

function inspect(socket: Socket): Client {
  const address = `${socket.remoteAddress ?? 'unknown'}:${socket.remotePort ?? 0}`;
  if (!(socket instanceof TLSSocket)) return { refusal: undefined, name: address };
  const certificate = socket.getPeerX509Certificate();
  // `authorized` alone is not enough: it is also true for a resumed TLS 1.3 session that never had a certificate.
  if (certificate === undefined) return { refusal: 'none was sent', name: address };
  if (!socket.authorized)
    return {
      refusal: `it cannot be trusted: ${describeRefusal(String(socket.authorizationError))}`,
      name: address,
    };
  return { refusal: undefined, name: subjectOf(certificate) };
}

function subjectOf({ subject, subjectAltName, serialNumber }: X509Certificate): string {
  // A certificate may be without a subject; node then has undefined for it, whatever its types say.
  const name = (subject as string | undefined) ?? subjectAltName ?? `certificate ${serialNumber}`;
  return name.replaceAll('\n', ',');
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['CERT_HAS_EXPIRED', 'it has expired'],
  ['CERT_NOT_YET_VALID', 'it is not valid yet'],
  ['INVALID_PURPOSE', 'it is not meant for clients'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'its issuer is not among the client root CAs'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'its issuer is not among the client root CAs'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'its issuer is not among the client root CAs'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'its issuer is not among the client root CAs'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its issuer is not among the client root CAs'],
]);

/** Why a certificate is not trusted, in words. @param code of OpenSSL */
export function describeRefusal(code: string): string {
  return REASONS.get(code) ?? code;
}
