// Server-sent events: responses that last until the client or the agent ends them.

import type { ServerResponse } from 'node:http';
import type { Limits } from './limits.js';
import type { Subscribe } from './route.js';

/** The responses with server-sent events that are open. */
export class EventStreams {
  readonly #limits: Limits;
  /** With the ids of their clients. */
  readonly #open = new Map<ServerResponse, string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Why a client gets no further response with events; undefined if it gets one. @param client as {@link Client.id} */
  refusalOf(client: string): string | undefined {
    const { maxEventStreams, maxEventStreamsOfClient } = this.#limits;
    if (this.#open.size >= maxEventStreams) return 'too many responses with events';
    const ofClient = [...this.#open.values()].filter((id) => id === client).length;
    return ofClient < maxEventStreamsOfClient
      ? undefined
      : `too many responses with events to this client: it has ${ofClient}, the most that one client can have`;
  }

  /** Starts the events of a response, after its headers. A client that does not read loses its connection. @param client as {@link Client.id} */
  start(response: ServerResponse, client: string, subscribe: Subscribe): void {
    this.#open.set(response, client);
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
    for (const response of this.#open.keys()) response.end();
  }

  #keepAlive(): void {
    for (const response of this.#open.keys()) this.#send(response, ':\n\n');
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
