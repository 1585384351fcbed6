// The interface between routes and the server, and the replies that routes share. It does not depend on restify.

import type { BuildInfo } from '../common/files/build-info.js';

/** A request for a handler. */
export interface IncomingRequest {
  /** Header names in lower case. The values of a repeated header are joined with commas. */
  readonly headers: ReadonlyMap<string, string>;
  /** The client: the subject of its verified certificate, or its address. */
  readonly caller: string;
  /** The id in `X-Request-Id` of the response. */
  readonly id: string;
  /** The parameters after `?`, decoded. */
  readonly query: URLSearchParams;
  /** The decoded values of the segments `:name` and `*` of the path. */
  readonly params: ReadonlyMap<string, string>;
  /**
   * Reads the whole body.
   *
   * @throws AgentError `BODY_TOO_LARGE`, `BODY_TIMED_OUT` or `BODY_INVALID`; the server responds to them if the handler does not
   */
  body(): Promise<Uint8Array>;
}

/** Starts server-sent events: `send` takes messages in the format of `text/event-stream`. @returns a function that ends the subscription */
export type Subscribe = (send: (text: string) => void) => () => void;

/** A response. The server adds `Content-Length`, `Date` and `X-Request-Id`. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Instead of a body: messages until the client or the agent ends the response. */
  readonly events?: Subscribe;
}

/** Handles one request. Unless the client caused it, an error becomes a 500 without details. */
export type Handler = (request: IncomingRequest) => Reply | Promise<Reply>;

/** One resource. */
export interface Route {
  /** The exact path; a segment `:name` matches any one segment, and a last segment `*` the rest of the path. */
  readonly path: string;
  /**
   * Whether the resource is available without a client certificate when TLS is on, for every query or depending on it.
   *
   * @default false
   */
  readonly isOpen?: boolean | ((query: URLSearchParams) => boolean);
  /** By method. HEAD uses the handler of GET. */
  readonly handlers: { readonly GET?: Handler; readonly PUT?: Handler; readonly DELETE?: Handler };
}

/** The header of a JSON document. */
export const JSON_TYPE = { 'Content-Type': 'application/json' };
const HTML_SPECIAL = /[<>&\u2028\u2029]/g;

/** JSON with the escapes that Go adds for HTML. */
function json(value: unknown): string {
  return JSON.stringify(value).replace(
    HTML_SPECIAL,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A reply with one JSON document. */
export function jsonReply(status: number, value: unknown): Reply {
  return { status, headers: JSON_TYPE, body: json(value) };
}

/** A reply with one JSON document and a newline. */
export function jsonLineReply(status: number, value: unknown): Reply {
  return { status, headers: JSON_TYPE, body: `${json(value)}\n` };
}

/** An error reply: `{"error":"…"}` and a newline. */
export function errorReply(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const reply = jsonLineReply(status, { error: message.toWellFormed() });
  return { ...reply, headers: { ...JSON_TYPE, ...headers } };
}

/** The reply for an unknown path, byte for byte as from Go's `http.NotFound`. */
export const NOT_FOUND: Reply = {
  status: 404,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' },
  body: '404 page not found\n',
};

/** `/version`: the build of the agent, in the form that nodes use. */
export function versionRoute({ version, commit }: BuildInfo): Route {
  // An unknown value is omitted.
  const document = { CommitSHA: commit || undefined, Version: version || undefined };
  return {
    path: '/version',
    handlers: { GET: async () => jsonReply(200, document) },
  };
}
