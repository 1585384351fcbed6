// Limits for one client. Sizes are bytes, times milliseconds.

/** Largest request body without `--max-body`. */
export const DEFAULT_MAX_BODY = 100 * 1024 * 1024;
/** Largest request header, all lines together. */
export const MAX_HEADER_SIZE = 64 * 1024;
/** Most header lines of a request; further ones are ignored. */
export const MAX_HEADER_LINES = 200;
/** Longest time to send a request header. */
export const HEADER_TIMEOUT = 10_000;
/** Longest time without any data of a request body. */
export const STALL_TIMEOUT = 10_000;
/** Longest time to send a request: the largest body at 350 kB a second. */
export const REQUEST_TIMEOUT = 300_000;
/** Longest time between two requests of one connection. */
export const KEEP_ALIVE_TIMEOUT = 10_000;
/** Longest TLS handshake. */
export const HANDSHAKE_TIMEOUT = 10_000;
/** Longest time without progress while a response is sent. */
export const IDLE_TIMEOUT = 120_000;
/** How often request timeouts are checked. */
export const TIMEOUT_CHECK_INTERVAL = 1000;
/** Most connections at a time; more are closed at once. */
export const MAX_CONNECTIONS = 1024;
/** Longest wait for requests in flight when the service stops. */
export const SHUTDOWN_TIMEOUT = 10_000;
/** Most parts of a form, as in Go. */
export const MAX_FORM_PARTS = 1000;
/** Longest header of one part of a form. */
export const MAX_PART_HEADER_SIZE = 16 * 1024;
