// Server-sent events: responses that last until the client or the service ends them.

import type { ServerResponse } from 'node:http';
import type { Limits } from './limits.js';
import type { Subscribe } from './route.js';

/** The responses with server-sent events that are open. */
export class EventStreams {
  readonly #limits: Limits;
  readonly #open = new Set<ServerResponse>();
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get isFull(): boolean {
    return this.#open.size >= this.#limits.maxEventStreams;
  }

  /** Starts the events of a response whose headers were written. A client that does not read loses its connection. */
  start(response: ServerResponse, subscribe: Subscribe): void {
    this.#open.add(response);
    // Proxies and the server itself close connections on which nothing happens.
    this.#timer ??= setInterval(() => this.#keepAlive(), this.#limits.eventStreamInterval).unref();
    response.flushHeaders();
    const end = subscribe((text) => this.#send(response, text));
    response.once('close', () => {
      this.#open.delete(response);
      if (this.#open.size === 0) this.#stopTimer();
      end();
    });
  }

  /** Ends all responses. */
  end(): void {
    this.#stopTimer();
    for (const response of this.#open) response.end();
  }

  #keepAlive(): void {
    for (const response of this.#open) this.#send(response, ':\n\n');
  }

  #stopTimer(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #send(response: ServerResponse, text: string): void {
    if (response.writableEnded || response.destroyed) return;
    if (response.writableLength > this.#limits.maxUnsentEvents) response.destroy();
    else response.write(text);
  }
}
