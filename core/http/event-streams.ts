// Server-sent events: responses that last until the client or the service ends them.

import type { ServerResponse } from 'node:http';
import { EVENT_STREAM_INTERVAL, MAX_EVENT_STREAMS, MAX_UNSENT_EVENTS } from './limits.js';
import type { Subscribe } from './route.js';

/** The responses with server-sent events that are open. */
export class EventStreams {
  readonly #open = new Set<ServerResponse>();
  #timer: NodeJS.Timeout | undefined;

  get isFull(): boolean {
    return this.#open.size >= MAX_EVENT_STREAMS;
  }

  /** Starts the events of a response whose headers were written. A client that does not read loses its connection. */
  start(response: ServerResponse, subscribe: Subscribe): void {
    this.#open.add(response);
    // Proxies and the server itself close connections on which nothing happens.
    this.#timer ??= setInterval(() => this.#keepAlive(), EVENT_STREAM_INTERVAL).unref();
    response.flushHeaders();
    const end = subscribe((text) => send(response, text));
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
    for (const response of this.#open) send(response, ':\n\n');
  }

  #stopTimer(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

function send(response: ServerResponse, text: string): void {
  if (response.writableEnded || response.destroyed) return;
  if (response.writableLength > MAX_UNSENT_EVENTS) response.destroy();
  else response.write(text);
}
