import type { IncomingMessage } from 'node:http';
import { clientOf } from './client-certificate.js';
import type { LimitedLog } from './limited-log.js';
import { MAX_LOGGED_TARGET } from './limits.js';
import { errorReply } from './replies.js';
import type { Reply } from './route.js';

/**
 * Decides whether a request to a protected resource, or to an unknown path, may proceed: with TLS on it needs a verified client
 * certificate. Refusals are logged.
 *
 * @returns the 401 to send; undefined if the request may proceed
 */
export function requireClientCertificate(request: IncomingMessage, log: LimitedLog): Reply | undefined {
  const { method, url, socket } = request;
  const { refusal } = clientOf(socket);
  if (refusal === undefined) return undefined;
  const reason = `a verified client certificate is required, but ${refusal}`;
  log.log('warn', 'unauthorized request', `unauthorized request: ${reason}`, {
    url: url?.slice(0, MAX_LOGGED_TARGET),
    method,
    remoteAddress: `${socket.remoteAddress ?? ''}:${socket.remotePort ?? 0}`,
  });
  return errorReply(401, reason);
}
