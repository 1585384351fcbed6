import type { IncomingMessage } from 'node:http';
import { hasTwoHosts } from '../common/server/host-headers.js';
import type { Hosts } from './hosts.js';
import type { LimitedLog } from './limited-log.js';
import { MAX_LOGGED_TARGET } from './limits.js';
import { errorReply } from './replies.js';
import type { Reply } from './route.js';

/**
 * Checks the host and the target of a request and brings them into a form that restify can route. restify finds the path by
 * parsing `http://HOST TARGET` as a URL: an invalid host would throw, and a host such as `x/healthz?` would change the path. Requests
 * under a name that is not one of the service are logged.
 *
 * @returns the reply to send if the request is refused
 */
export function prepareRequest(request: IncomingMessage, hosts: Hosts, log: LimitedLog): Reply | undefined {
  // Node uses the first one; a proxy in front of the agent may have used the other.
  if (hasTwoHosts(request.rawHeaders))
    return errorReply(400, 'the request has more than one Host header', { Connection: 'close' });
  const { url = '', method, socket } = request;
  const problem = hosts.problemOf(request);
  if (problem !== undefined) {
    log.log('warn', 'request under another name', `request refused: ${problem}`, {
      url: url.slice(0, MAX_LOGGED_TARGET),
      method,
      remoteAddress: `${socket.remoteAddress ?? ''}:${socket.remotePort ?? 0}`,
    });
    return errorReply(403, problem);
  }
  request.headers.host = 'localhost';
  if (url.startsWith('/')) return undefined;
  // A client that treats the agent as a proxy sends the absolute form, `GET http://host/path`.
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    return errorReply(400, 'the request target is neither a path nor an http URL');
  const { pathname, search } = new URL(url);
  request.url = pathname + search;
  return undefined;
}
