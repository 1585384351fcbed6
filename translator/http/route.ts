// What a route is.

import type { IncomingHttpHeaders } from 'node:http';
import type { Reply } from './replies.js';

/** A request as a route sees it. */
export interface RouteRequest {
  readonly headers: IncomingHttpHeaders;
  /** The part of the path that the route leaves open; empty where it leaves none. */
  readonly name: string;
  /** As it was sent, with its question mark; empty where there is none. */
  readonly query: string;
  /** @throws RequestError */
  readonly body: () => Promise<Buffer>;
}

/** Answers requests of one method to one path. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** What the decoded path begins with. */
  readonly path: string;
  /** Whether one more segment follows, any but an empty one. */
  readonly hasName: boolean;
  readonly answer: (request: RouteRequest) => Promise<Reply> | Reply;
}
