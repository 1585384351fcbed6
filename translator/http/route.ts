// The types of routes and of translations.

import type { IncomingHttpHeaders } from 'node:http';
import type { TranslateError } from '../../proto/errors.js';
import type { Bounds } from '../../proto/limits.js';
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
  /** Calls back when the connection is closed, or after the response. */
  readonly onClose: (listener: () => void) => void;
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

/** A request with its body: plain data, which can be sent to a thread. */
export interface TranslationRequest {
  /** The path of its translation. */
  readonly path: string;
  /** As in {@link RouteRequest}. */
  readonly name: string;
  /** As in {@link RouteRequest}. */
  readonly query: string;
  readonly contentType: string | undefined;
  readonly body: Uint8Array;
}

/** What the service does with the bodies of one path. */
export interface Translation extends Pick<Route, 'path' | 'hasName'> {
  /** @throws TranslateError */
  readonly translate: (request: TranslationRequest, bounds: Bounds) => Promise<Reply> | Reply;
  readonly errorReply: (error: TranslateError) => Reply;
}
