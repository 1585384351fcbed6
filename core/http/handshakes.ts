// What happens at the end of each TLS handshake: the client is determined, and a refused certificate is logged.

import type { X509Certificate } from 'node:crypto';
import type { Server, TLSSocket } from 'node:tls';
import { reasonOf } from '../contract/index.js';
import { clientOf } from './client-certificate.js';
import type { LimitedLog } from './limited-log.js';

/** What {@link watchHandshakes} needs. */
export interface HandshakeOptions {
  /** The current client root CAs. */
  readonly cas: () => readonly X509Certificate[];
  /** Whether every client must have a trusted certificate. */
  readonly clientAuthRequired: boolean;
  readonly log: LimitedLog;
}

/** Determines the client of each connection, closes the connection of one that is refused, and logs refusals. */
export function watchHandshakes(server: Server, { cas, clientAuthRequired, log }: HandshakeOptions): void {
  server.prependListener('secureConnection', (socket) => {
    const { refusal, distrust } = clientOf(socket, cas());
    if (refusal === undefined) return;
    const { remoteAddress } = socket;
    if (clientAuthRequired) {
      const reason = distrust === undefined ? NO_CERTIFICATE : describeRefused(distrust);
      log.log('warn', FAILED, `${FAILED}: ${reason}`, { remoteAddress });
      socket.destroy();
    } else if (distrust !== undefined) log.log('warn', REFUSED, describeRefused(distrust), { remoteAddress });
  });
  logFailedHandshakes(server, log);
}

/** The text of OpenSSL. */
const NO_CERTIFICATE = 'peer did not return a certificate';

const FAILED = 'TLS handshake failed';
const REFUSED = 'the client certificate was refused';

const describeRefused = (reason: string): string => `${REFUSED}: ${reason}`;

function logFailedHandshakes(server: Server, log: LimitedLog): void {
  server.on('tlsClientError', (error: Error, socket: TLSSocket) => {
    // Null, which its type omits, where no certificate was refused. After a refusal `error` is only that of a closed connection.
    const code = socket.authorizationError as unknown as string | null;
    const reason = code === null ? reasonOf(error) : describeRefused(code);
    // Undefined where Node has refused a certificate: it closes the connection first.
    const { remoteAddress } = socket;
    log.log('warn', FAILED, `${FAILED}: ${reason}`, { remoteAddress });
  });
}
