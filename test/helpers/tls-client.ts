// HTTPS requests with every detail of the connection in the hands of the test.

import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import type { Leaf } from './certificates.js';

/** An answer over TLS. */
export interface TlsAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** The serial number of the certificate that the server showed. */
  readonly serial: string;
  /** Whether the connection had carried a request before. */
  readonly isKept: boolean;
}

/** What a client of an authority uses: the authority of the server, and its own certificate if it has one. */
export function clientOptions(authority: string, leaf?: Leaf): ConnectionOptions {
  return {
    ca: readFileSync(authority),
    ...(leaf && { cert: readFileSync(leaf.cert), key: readFileSync(leaf.key) }),
  };
}

/** Asks over TLS, on a connection of its own unless an agent is given; rejects when the connection is refused. */
export function askTls(
  port: number,
  path: string,
  options: ConnectionOptions & { agent?: Agent; method?: string; requestBody?: string | undefined },
): Promise<TlsAnswer> {
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
    // The answer to CONNECT comes without a body.
    sent.on('connect', ({ statusCode: status = 0, headers }, socket: TLSSocket) => {
      socket.destroy();
      resolve({ status, headers, body: '', serial: '', isKept: false });
    });
    sent.on('error', reject);
    sent.end(requestBody);
  });
}
