// HTTPS requests with full control of the connection.

import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import type { Leaf } from './certificates.js';

/** A response received over TLS. */
export interface TlsResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** The serial number of the server certificate. */
  readonly serial: string;
  /** Whether the connection had served an earlier request. */
  readonly isKept: boolean;
}

/** Connection options of a client: the CA of the server, and the client certificate if there is one. */
export function clientOptions(ca: string, leaf?: Leaf): ConnectionOptions {
  return {
    ca: readFileSync(ca),
    ...(leaf && { cert: readFileSync(leaf.cert), key: readFileSync(leaf.key) }),
  };
}

/** Sends a request over TLS, on a new connection unless an agent is given. Rejects if the connection fails. */
export function sendTlsRequest(
  port: number,
  path: string,
  options: ConnectionOptions & {
    agent?: Agent;
    method?: string;
    headers?: Record<string, string>;
    requestBody?: string | undefined;
  },
): Promise<TlsResponse> {
  const { method = 'GET', requestBody, agent = false, ...tls } = options;
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, agent, ...tls }, (response) => {
      const socket = response.socket as TLSSocket;
      const serial = socket.getPeerX509Certificate()?.serialNumber ?? '';
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString('utf8'),
          serial,
          isKept: sent.reusedSocket,
        }),
      );
    });
    sent.on('error', reject);
    sent.end(requestBody);
  });
}
export type { TlsResponse as TlsAnswer };

/** Connects and resolves with the negotiated protocol and suite; rejects if the handshake fails. */
export function handshake(
  port: number,
  options: ConnectionOptions,
): Promise<{ protocol: string | null; suite: string }> {
  return new Promise((resolve, reject) => {
    const socket: TLSSocket = connect({ host: '127.0.0.1', port, ...options }, () => {
      resolve({ protocol: socket.getProtocol(), suite: socket.getCipher().name });
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

/** Sends `GET path` on a new connection and returns its sessions. */
export function sendWithSession(
  port: number,
  path: string,
  options: ConnectionOptions,
): Promise<{ status: string; sessions: Buffer[]; isReused: boolean }> {
  return new Promise((resolve, reject) => {
    const sessions: Buffer[] = [];
    let response = '';
    const socket: TLSSocket = connect({ host: '127.0.0.1', port, ...options }, () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`),
    );
    socket.on('session', (session) => sessions.push(session));
    let isReused = false;
    socket.on('data', (chunk) => {
      response += chunk.toString('latin1');
      isReused = socket.isSessionReused();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve({ status: response.slice(9, 12), sessions, isReused }));
  });
}
