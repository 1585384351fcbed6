// What happens at the end of each TLS handshake: the client is determined, and a refused certificate is logged.

import type { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Server, TLSSocket } from 'node:tls';
import { reasonOf, type Logger } from '../contract/index.js';
import { clientOf } from './client-certificate.js';
import { describeRefusal } from './refusal.js';

/** What {@link watchHandshakes} needs. */
export interface HandshakeOptions {
  /** The current client root CAs. */
  readonly cas: () => readonly X509Certificate[];
  /** Whether every client must have a trusted certificate. */
  readonly clientAuthRequired: boolean;
  readonly log: Logger;
}

/** Determines the client of each connection, closes the connection of one that is refused, and logs refusals. */
export function watchHandshakes(server: Server, { cas, clientAuthRequired, log }: HandshakeOptions): void {
  server.prependListener('secureConnection', (socket) => {
    // Reading the certificate also empties OpenSSL's queue of errors. The next read would take what a signature that did not verify
    // left there for an error of its own, and reset the connection.
    const { refusal, distrust } = clientOf(socket, cas());
    if (refusal === undefined) return;
    const { remoteAddress } = socket;
    if (clientAuthRequired) {
      log.warn(
        `TLS handshake failed: ${distrust === undefined ? NO_CERTIFICATE : describeRefused(distrust)}`,
        { remoteAddress },
      );
      socket.destroy();
    } else if (distrust !== undefined) log.warn(describeRefused(distrust), { remoteAddress });
  });
  logFailedHandshakes(server, log);
}

/** The text of OpenSSL. */
const NO_CERTIFICATE = 'peer did not return a certificate';

const describeRefused = (reason: string): string => `the client certificate was refused: ${reason}`;

function logFailedHandshakes(server: Server, log: Logger): void {
  server.on('tlsClientError', (error: Error, socket: TLSSocket & { readonly _parent?: Socket }) => {
    // Null, in spite of its type, where no certificate was refused. After a refusal `error` is only that of a closed connection.
    const code = socket.authorizationError as unknown as string | null;
    const reason = code === null ? reasonOf(error) : describeRefused(describeRefusal(code));
    // Node closes a TLS socket before it refuses its certificate; only the TCP socket below still has the address.
    log.warn(`TLS handshake failed: ${reason}`, { remoteAddress: socket._parent?.remoteAddress });
  });
}
