// The interface between routes and the server. It does not depend on restify.

/** A request as a handler sees it. */
export interface HttpRequest {
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
  body(): Promise<Buffer>;
}

/** Starts server-sent events: `send` takes messages in the format of `text/event-stream`. @returns called when nobody listens any more */
export type Subscribe = (send: (text: string) => void) => () => void;

/** A response. The server adds `Content-Length`, `Date` and `X-Request-Id`. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Instead of a body: messages until the client or the service ends the response. */
  readonly events?: Subscribe;
}

/**
 * Handles one request. Unless the client caused it, an error becomes a 500 without details. A reply without a promise is sent at once,
 * which is faster.
 */
export type Handler = (request: HttpRequest) => Reply | Promise<Reply>;

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
  readonly handlers: { readonly GET?: Handler; readonly PUT?: Handler };
}
