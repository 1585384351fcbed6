// The client of a connection.

import type { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { peerOf } from '../common/server/mutual-tls.js';

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
  const { certificate, problem } = peerOf(socket, cas);
  if (certificate === undefined) return { refusal: 'none was sent', name: address };
  if (problem !== undefined)
    return { refusal: `it cannot be trusted: ${problem}`, distrust: problem, name: address };
  return { refusal: undefined, name: subjectOf(certificate) };
}

function subjectOf({ subject, subjectAltName, serialNumber }: X509Certificate): string {
  // Undefined, which its type omits, for a certificate without a subject.
  const name = (subject as string | undefined) ?? subjectAltName ?? `certificate ${serialNumber}`;
  return name.replaceAll('\n', ',');
}
