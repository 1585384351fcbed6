// What one client may use. Sizes are bytes, times milliseconds.

/** Largest request body. */
export const MAX_BODY_SIZE = 64 * 1024;
/** Most header lines of one request. Further ones are ignored, or the request is refused, depending on the version of Node. */
export const MAX_HEADER_LINES = 200;
/** Longest time to receive a request header, and again to receive a body. */
export const REQUEST_TIMEOUT = 10_000;
/** Longest time between two requests on one connection. */
export const KEEP_ALIVE_TIMEOUT = 10_000;
/** Longest TLS handshake. */
export const HANDSHAKE_TIMEOUT = 10_000;
/** Longest time without any transfer on a connection while a response is sent. */
export const IDLE_TIMEOUT = 120_000;
/** Interval of the check for late requests. */
export const TIMEOUT_CHECK_INTERVAL = 1000;
/** Most connections at a time; further ones are closed at once. */
export const MAX_CONNECTIONS = 4096;
/** Most bytes of responses that clients have not read yet, of all connections together. */
export const MAX_UNSENT = 32 * 1024 * 1024;
/** Longest time over which log lines of one kind that clients or plugins cause are limited. */
export const LOG_WINDOW = 10_000;
/** Most log lines of one kind that clients or plugins cause in that time. */
export const MAX_LOG_LINES = 20;
/** Longest request id that is echoed. */
export const MAX_REQUEST_ID_LENGTH = 256;
/** Longest part of a request target that is logged. */
export const MAX_LOGGED_TARGET = 200;
/** Longest time that requests in flight get during shutdown. */
export const SHUTDOWN_TIMEOUT = 5_000;
/** Responses with server-sent events at a time. */
export const MAX_EVENT_STREAMS = 100;
/** What a client of server-sent events may leave unread, in bytes; then its connection is closed. */
export const MAX_UNSENT_EVENTS = 1024 * 1024;
/** How often such a response sends something, in milliseconds: less than {@link IDLE_TIMEOUT}. */
export const EVENT_STREAM_INTERVAL = 15_000;
