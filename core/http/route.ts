// What the rest of the agent knows of HTTP: routes, requests and replies. Nothing here knows restify.

/** A request as a handler sees it. */
export interface HttpRequest {
  /** Header names in lower case; of a header sent more than once the values are joined. */
  readonly headers: ReadonlyMap<string, string>;
  /** Who asks: the subject of the verified client certificate, or the address. */
  readonly caller: string;
  /**
   * The whole body.
   *
   * @throws AgentError `BODY_TOO_LARGE`, `BODY_TIMED_OUT` or `BODY_INVALID`; the server turns them into replies
   */
  body(): Promise<Buffer>;
}

/** A complete answer. The server adds `Content-Length`, `Date` and `X-Request-Id`. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Answers one request. What it throws becomes a 500 without details. */
export type Handler = (request: HttpRequest) => Promise<Reply>;

/** One resource. */
export interface Route {
  /** The exact path. */
  readonly path: string;
  /** Whether it is answered without a client certificate when TLS is on. @default false */
  readonly isOpen?: boolean;
  /** By method. HEAD is answered where GET is. */
  readonly handlers: { readonly GET?: Handler; readonly PUT?: Handler };
}
