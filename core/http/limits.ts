// What one client may take of the service. Sizes are bytes, times milliseconds.

/** Largest request body. */
export const MAX_BODY_SIZE = 64 * 1024;
/** How much of a body over the limit is read and thrown away, so that an honest client sees the answer and not a reset. */
export const MAX_DISCARDED_SIZE = 1024 * 1024;
/** Largest request header, all lines together. */
export const MAX_HEADER_SIZE = 64 * 1024;
/** Most header lines in one request; further ones are ignored, or the request refused where Node does that. */
export const MAX_HEADER_LINES = 200;
/** Longest time to send a request header, and again to send a body. */
export const REQUEST_TIMEOUT = 10_000;
/** Longest time between two requests of one connection. */
export const KEEP_ALIVE_TIMEOUT = 10_000;
/** Longest TLS handshake. */
export const HANDSHAKE_TIMEOUT = 10_000;
/** Longest time a connection may stand still while an answer is sent. */
export const IDLE_TIMEOUT = 120_000;
/** How often slow requests are looked for. */
export const TIMEOUT_CHECK_INTERVAL = 1000;
/** Most connections at a time; more are closed at once. */
export const MAX_CONNECTIONS = 4096;
/** Longest request id that is echoed. */
export const MAX_REQUEST_ID_LENGTH = 256;
/** How much of a request's target is in the log. */
export const MAX_LOGGED_TARGET = 200;
/** Longest time that requests in flight get when the service stops. */
export const SHUTDOWN_GRACE = 5_000;
