// The type of a route.

import type { IncomingHttpHeaders } from 'node:http';
import type { Reply } from './reply.js';

/** The parts of a request that routes need. */
export interface RouteRequest {
  readonly headers: IncomingHttpHeaders;
  /** The last path segment of a route with {@link Route.hasName}; otherwise empty. */
  readonly name: string;
  /** The raw query with its question mark; empty if there is none. */
  readonly query: string;
  /** @throws RequestError */
  readonly body: () => Promise<Buffer>;
}

/** Handles requests with one method and path. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** The path, without the name. */
  readonly path: string;
  /** Whether one more path segment follows, the name of a message type. */
  readonly hasName: boolean;
  readonly handle: (request: RouteRequest) => Promise<Reply> | Reply;
}
