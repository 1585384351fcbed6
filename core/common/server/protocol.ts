// Refuses requests with a version or a framing that the services do not implement, although Node's parser accepts them. A proxy in front of
// the service may read such a request in another way.

import type { IncomingMessage } from 'node:http';
import { shownHeader } from './host-headers.js';

/** Why a request is refused, and the status of the response. The connection is closed after it. */
interface ProtocolProblem {
  readonly status: 400 | 501 | 505;
  readonly reason: string;
}

/**
 * Checks the version of HTTP, the transfer coding and the number of `Host` headers of a request. The statuses are those of Go's net/http, and
 * therefore of Fabric's programs (`http1ServerSupportsRequest`, `parseTransferEncoding`), except that Go ignores the transfer coding of
 * HTTP/1.0.
 *
 * @returns undefined if the request can be served
 */
export function protocolProblem({
  httpVersion,
  headers,
  rawHeaders,
}: Pick<IncomingMessage, 'httpVersion' | 'headers' | 'rawHeaders'>): ProtocolProblem | undefined {
  if (httpVersion !== '1.0' && httpVersion !== '1.1')
    return {
      status: 505,
      reason: `unsupported protocol version HTTP/${httpVersion}; HTTP/1.0 and HTTP/1.1 are supported`,
    };
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && httpVersion === '1.0')
    return { status: 400, reason: 'a request of HTTP/1.0 has no Transfer-Encoding' };
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return {
      status: 501,
      reason: `Unsupported transfer encoding '${shownHeader(coding)}'; only chunked is supported`,
    };
  // Node uses the first one; a proxy in front of the service may have used the last.
  return hasTwoHosts(rawHeaders)
    ? { status: 400, reason: 'the request has more than one Host header' }
    : undefined;
}

function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count > 1;
}
