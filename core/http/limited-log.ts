// The limits for clients, and the limit of log lines about them.

import type { Logger } from '../contract/index.js';
import type { LogFields } from '../contract/logging.js';
import { LOG_WINDOW, MAX_LOG_LINES, MAX_LOGGED_TARGET } from './limits.js';

/** The lines of one kind in the current window. */
interface Window {
  /** As `performance.now()`. */
  readonly end: number;
  lines: number;
  suppressed: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Limits the log lines that clients or plugins cause. For each kind, the first {@link MAX_LOG_LINES} lines in {@link LOG_WINDOW} are written,
 * then one line with the number of suppressed lines.
 */
export class LimitedLog {
  readonly #log: Logger;
  readonly #windows = new Map<string, Window>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** @param kind the subject of the line, one of a few texts; it is part of the line about suppressed lines */
  log(level: 'warn' | 'error', kind: string, message: string, fields?: LogFields): void {
    let window = this.#windows.get(kind);
    const now = performance.now();
    if (window === undefined || now >= window.end) {
      if (window !== undefined) this.#end(kind, window);
      window = { end: now + LOG_WINDOW, lines: 0, suppressed: 0, timer: undefined };
      this.#windows.set(kind, window);
    }
    window.lines += 1;
    if (window.lines <= MAX_LOG_LINES) return this.#log[level](message, fields);
    window.suppressed += 1;
    const ended = window;
    window.timer ??= setTimeout(() => this.#end(kind, ended), ended.end - now).unref();
  }

  /** Writes the numbers of suppressed lines now. */
  flush(): void {
    for (const [kind, window] of this.#windows) this.#end(kind, window);
    this.#windows.clear();
  }

  #end(kind: string, window: Window): void {
    clearTimeout(window.timer);
    if (window.suppressed > 0)
      this.#log.warn(`${window.suppressed} further lines '${kind}' were suppressed in ${LOG_WINDOW / 1000}s`);
    window.suppressed = 0;
  }
}

/** The parts of a request of `node:http` that are logged. */
interface LoggedRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly socket: { readonly remoteAddress?: string | undefined; readonly remotePort?: number | undefined };
}

/** The log fields of a refused request. */
export function requestFields({ method, url, socket }: LoggedRequest): LogFields {
  return {
    url: url?.slice(0, MAX_LOGGED_TARGET),
    method,
    remoteAddress: `${socket.remoteAddress ?? ''}:${socket.remotePort ?? 0}`,
  };
}
