// Limits for clients. Sizes are in bytes, times in milliseconds.

/** The limits of a server. */
export type Limits = Readonly<Record<keyof typeof LIMITS, number>>;

/** The limits of the agent. */
export const LIMITS = {
  /** Largest request body. */
  maxBodySize: 64 * 1024,
  /** Most header lines of one request. Further ones are ignored, or the request is refused, depending on the version of Node. */
  maxHeaderLines: 200,
  /** Longest time to receive a request header, and again to receive a body. */
  requestTimeout: 10_000,
  /** Longest time between two requests on one connection. */
  keepAliveTimeout: 10_000,
  /** Longest TLS handshake. */
  handshakeTimeout: 10_000,
  /** Longest time without any transfer on a connection while a response is sent. */
  idleTimeout: 120_000,
  /** Interval of the check for late requests. */
  timeoutCheckInterval: 1000,
  /** Most connections at a time; further ones are closed at once. */
  maxConnections: 4096,
  /** Most bytes of responses that clients have not read yet, of all connections together. */
  maxUnsent: 32 * 1024 * 1024,
  /** Most responses with server-sent events at a time. */
  maxEventStreams: 100,
  /** Most of them for one client: a certificate, or an address without TLS. */
  maxEventStreamsOfClient: 50,
  /** Most bytes that a client of server-sent events leaves unread; then its connection is closed. */
  maxUnsentEvents: 1024 * 1024,
  /** Interval at which such a response sends data: less than `idleTimeout`. */
  eventStreamInterval: 15_000,
  /** Longest time for requests in flight during shutdown. */
  shutdownTimeout: 5_000,
};

/** Window for limiting log lines of one kind that clients or plugins cause. */
export const LOG_WINDOW = 10_000;
/** Most log lines of one kind in this window. */
export const MAX_LOG_LINES = 20;
/** Longest request id that is echoed. */
export const MAX_REQUEST_ID_LENGTH = 256;
/** Longest part of a request target that is logged. */
export const MAX_LOGGED_TARGET = 200;
