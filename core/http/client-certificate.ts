// The client of a connection: reads its certificate after a TLS handshake, and decides whether a request needs one.

import type { X509Certificate } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket, type Server } from 'node:tls';
import errors from 'restify-errors';
import { peerOf } from '../common/server/mutual-tls.js';
import { reasonOf } from '../contract/index.js';
import { requestFields, type LimitedLog } from './limited-log.js';

/** The client of a connection. */
export interface Client {
  /** Why there is no verified certificate; undefined if there is one or TLS is off. */
  readonly refusal: string | undefined;
  /** Why the certificate is not trusted; undefined if it is trusted, or none was sent. */
  readonly distrust?: string;
  /** The subject of the verified certificate, or the address. */
  readonly name: string;
  /** The same for all connections of a client: the fingerprint of the verified certificate, or the address without the port. */
  readonly id: string;
}

const clients = new WeakMap<Socket, Client>();

/** The client of a connection. It is determined once per connection. */
export function clientOf(socket: Socket): Client {
  let client = clients.get(socket);
  if (client === undefined) clients.set(socket, (client = inspect(socket)));
  return client;
}

function inspect(socket: Socket): Client {
  const { remoteAddress: id = 'unknown', remotePort = 0 } = socket;
  const name = `${id}:${remotePort}`;
  if (!(socket instanceof TLSSocket)) return { refusal: undefined, name, id };
  const { certificate, problem } = peerOf(socket);
  if (certificate === undefined) return { refusal: 'none was sent', name, id };
  if (problem !== undefined)
    return { refusal: `it cannot be trusted: ${problem}`, distrust: problem, name, id };
  return { refusal: undefined, name: subjectOf(certificate), id: certificate.fingerprint256 };
}

function subjectOf({ subject, subjectAltName, serialNumber }: X509Certificate): string {
  // For a certificate without a subject: undefined, which its type omits, or an empty text by Node.js 22.
  const name = (subject as string | undefined) || subjectAltName || `certificate ${serialNumber}`;
  return name.replaceAll('\n', ',');
}

/**
 * Checks a request to a protected resource, or to an unknown path: with TLS it needs a verified client certificate. Refusals are logged.
 *
 * @throws UnauthorizedError
 */
export function requireClientCertificate(request: IncomingMessage, log: LimitedLog): void {
  const { refusal } = clientOf(request.socket);
  if (refusal === undefined) return;
  const reason = `a verified client certificate is required, but ${refusal}`;
  log.log('warn', 'unauthorized request', `unauthorized request: ${reason}`, requestFields(request));
  throw new errors.UnauthorizedError('%s', reason);
}

/** Options of {@link watchHandshakes}. */
interface HandshakeOptions {
  /** Whether every client must have a trusted certificate. */
  readonly clientAuthRequired: boolean;
  readonly log: LimitedLog;
}

/**
 * Determines the client of each connection, closes refused connections, and logs refusals.
 *
 * @returns the connections with a verified certificate
 */
export function watchHandshakes(
  server: Server,
  { clientAuthRequired, log }: HandshakeOptions,
): VerifiedConnections {
  const verified = new VerifiedConnections(server);
  server.prependListener('secureConnection', (socket) => {
    const { refusal, distrust } = clientOf(socket);
    if (refusal === undefined) return verified.add(socket);
    const { remoteAddress } = socket;
    if (clientAuthRequired) {
      const reason = distrust === undefined ? NO_CERTIFICATE : describeRefused(distrust);
      log.log('warn', FAILED, `${FAILED}: ${reason}`, { remoteAddress });
      socket.destroy();
    } else if (distrust !== undefined) log.log('warn', REFUSED, describeRefused(distrust), { remoteAddress });
  });
  logFailedHandshakes(server, log);
  return verified;
}

/** The open connections with verified client certificates. */
export class VerifiedConnections {
  readonly #sockets = new Set<Socket>();
  /** The last response on each connection, until it is sent completely. */
  readonly #responses = new Map<Socket, ServerResponse>();

  constructor(server: Server) {
    server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.#responses.set(socket, response);
      response.once('close', () => {
        if (this.#responses.get(socket) === response) this.#responses.delete(socket);
      });
    });
  }

  add(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }

  /** Closes all connections, each after the response to its last request. */
  end(): void {
    for (const socket of this.#sockets) {
      const response = this.#responses.get(socket);
      if (response === undefined) socket.destroy();
      else {
        if (!response.headersSent) response.setHeader('Connection', 'close');
        response.once('close', () => socket.destroySoon());
      }
    }
  }
}

/** OpenSSL's text for a missing certificate. */
const NO_CERTIFICATE = 'peer did not return a certificate';

const FAILED = 'TLS handshake failed';
const REFUSED = 'the client certificate was refused';

const describeRefused = (reason: string): string => `${REFUSED}: ${reason}`;

function logFailedHandshakes(server: Server, log: LimitedLog): void {
  server.on('tlsClientError', (error: Error, socket: TLSSocket) => {
    // Null, which its type omits, if no certificate was refused. After a refusal `error` only reports that the connection was closed.
    const code = socket.authorizationError as unknown as string | null;
    const reason = code === null ? reasonOf(error) : describeRefused(code);
    // Undefined if Node has refused a certificate, because it closes the connection first.
    const { remoteAddress } = socket;
    log.log('warn', FAILED, `${FAILED}: ${reason}`, { remoteAddress });
  });
}
