// What one client may take of the service. Sizes are bytes, times milliseconds.

/** Largest request body where `--max-body` says nothing else. */
export const DEFAULT_MAX_BODY = 100 * 1024 * 1024;
/** Largest request header, all lines together. */
export const MAX_HEADER_SIZE = 64 * 1024;
/** Most header lines in one request. */
export const MAX_HEADER_LINES = 200;
/** Longest time to send a request header. */
export const HEADER_TIMEOUT = 10_000;
/** Longest time in which nothing of a request body arrives. */
export const STALL_TIMEOUT = 10_000;
/** Longest time to send a whole request: the largest body at 350 kB a second. */
export const REQUEST_TIMEOUT = 300_000;
/** Longest time between two requests of one connection. */
export const KEEP_ALIVE_TIMEOUT = 10_000;
/** Longest TLS handshake. */
export const HANDSHAKE_TIMEOUT = 10_000;
/** Longest time a connection may stand still while an answer is sent. */
export const IDLE_TIMEOUT = 120_000;
/** How often slow requests are looked for. */
export const TIMEOUT_CHECK_INTERVAL = 1000;
/** Most connections at a time; more are closed at once. */
export const MAX_CONNECTIONS = 1024;
/** Longest time that requests in flight get when the service stops. */
export const SHUTDOWN_GRACE = 10_000;
/** Most parts of a form, the number that Go allows. */
export const MAX_FORM_PARTS = 1000;
/** Longest header of one part of a form. */
export const MAX_PART_HEADER_SIZE = 16 * 1024;
