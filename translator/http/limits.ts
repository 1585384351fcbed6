// Limits for clients. Sizes are in bytes, times in milliseconds.

/** The maximum request body without `--max-body`. */
export const DEFAULT_MAX_BODY = 100 * 1024 * 1024;
/** The maximum size of a request header. */
export const MAX_HEADER_SIZE = 64 * 1024;
/** The maximum number of header lines of a request; further ones are ignored. */
export const MAX_HEADER_LINES = 200;
/** The maximum time to send a request header. */
export const HEADER_TIMEOUT = 10_000;
/** The maximum time without data of a request body. */
export const STALL_TIMEOUT = 10_000;
/** The maximum time to send a request: enough for the largest body at 350 kB per second. */
export const REQUEST_TIMEOUT = 300_000;
/** The maximum time between two requests on one connection. */
export const KEEP_ALIVE_TIMEOUT = 10_000;
/** The maximum time of a TLS handshake. */
export const HANDSHAKE_TIMEOUT = 10_000;
/** The maximum time without progress while a response is sent. */
export const IDLE_TIMEOUT = 120_000;
/** The interval in which request timeouts are checked. */
export const TIMEOUT_CHECK_INTERVAL = 1000;
/** The maximum number of connections; further ones are closed at once. */
export const MAX_CONNECTIONS = 1024;
/** The maximum wait for current requests when the service stops. */
export const SHUTDOWN_TIMEOUT = 10_000;
/** The maximum number of parts of a form, as in Go. */
export const MAX_FORM_PARTS = 1000;
/** The maximum header of one part of a form. */
export const MAX_PART_HEADER_SIZE = 16 * 1024;
/** The largest body that is translated on the event loop: the worst ones take less than 100 ms when their code runs for the first time. */
export const MAX_LOOP_BODY = 64 * 1024;
/** The bound of translations on the event loop, see `Bounds` in `proto/limits.ts`: a small body can have a large result. */
export const MAX_LOOP_OUTPUT = 512 * 1024;
/** The maximum time without a translation until the thread for large bodies ends. */
export const THREAD_IDLE_TIMEOUT = 30_000;
/** The maximum heap of this thread for each byte of `--max-body`. */
export const THREAD_MEMORY_PER_BYTE = 20;
/** The maximum heap of this thread if `--max-body` is small. */
export const THREAD_MIN_MEMORY = 64 * 1024 * 1024;
