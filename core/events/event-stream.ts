// `/events`: the state of the agent and its events as server-sent events, for the page and for scripts. Without listeners the state is not
// collected.

import { readFileSync } from 'node:fs';
import { PAGE_HEADERS } from '../common/server/page-headers.js';
import { reasonOf, type AgentEvent } from '../contract/index.js';
import type { Route, Subscribe } from '../http/route.js';
import { eventDocument, type StatusDocument } from '../status/index.js';
import type { Events } from './events.js';
import { plainPage } from './plain-page.js';

/** How often the state is sent, in milliseconds. */
const INTERVAL = 5_000;
/** Delay of the state after an event, in milliseconds, so that several events at the same time cause one state. */
const AFTER_EVENT = 100;
/** Maximum number of events that are kept for new listeners. */
const MAX_EVENTS = 200;
/** How long an event is kept, in milliseconds. */
const MAX_AGE = 24 * 3_600_000;

/** Collects the state, and sends it with the events to all listeners. */
export class EventStream {
  readonly #state: () => Promise<object>;
  readonly #listeners = new Set<(text: string) => void>();
  /** The last events with their texts, oldest first. */
  #recent: readonly { readonly beganAt: number; readonly text: string }[] = [];
  /** The number of the last event; the first is 1. */
  #number = 0;
  #timer: NodeJS.Timeout | undefined;
  #isCollecting = false;
  /** Whether an event occurred while the state was being collected. */
  #isOutdated = false;
  /** The last state, while there are listeners. */
  #last: string | undefined;

  /** @param state collects the state; called while there are listeners */
  constructor(events: Pick<Events, 'subscribe'>, state: () => Promise<object>) {
    this.#state = state;
    events.subscribe(({ event, explained, beganAt }) => {
      if (explained === undefined) this.#add(event, beganAt);
    });
  }

  /** Sends the recent events and the state, then new ones. @returns a function that ends the subscription */
  readonly subscribe: Subscribe = (send) => {
    send('retry: 2000\n\n');
    // The wall clock may jump.
    const oldest = performance.now() - MAX_AGE;
    for (const { beganAt, text } of this.#recent) if (beganAt >= oldest) send(text);
    this.#listeners.add(send);
    if (this.#last !== undefined) send(this.#last);
    if (this.#listeners.size === 1) void this.#collect();
    return () => {
      this.#listeners.delete(send);
      if (this.#listeners.size > 0) return;
      clearTimeout(this.#timer);
      this.#last = undefined;
    };
  };

  #add(event: AgentEvent, beganAt: number): void {
    this.#number += 1;
    const fields = event.state === 'info' ? event.fields : undefined;
    const data = JSON.stringify({ ...eventDocument(event), fields });
    const text = `id: ${this.#number}\n${messageOf('event', data)}`;
    this.#recent = [...this.#recent, { beganAt, text }].slice(-MAX_EVENTS);
    if (this.#listeners.size === 0) return;
    this.#send(text);
    this.#isOutdated = true;
    this.#collectIn(AFTER_EVENT);
  }

  #send(text: string): void {
    for (const listener of this.#listeners) listener(text);
  }

  #collectIn(delay: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#collect(), delay).unref();
  }

  async #collect(): Promise<void> {
    if (this.#isCollecting) return;
    this.#isCollecting = true;
    this.#isOutdated = false;
    const text = await this.#state().then(
      (state) => messageOf('state', JSON.stringify(state)),
      (error: unknown) => messageOf('problem', JSON.stringify({ error: reasonOf(error) })),
    );
    this.#isCollecting = false;
    if (this.#listeners.size === 0) return;
    this.#last = text;
    this.#send(text);
    this.#collectIn(this.#isOutdated ? AFTER_EVENT : INTERVAL);
  }
}

/** A server-sent event. JSON has no line breaks, so one line of data is enough. */
const messageOf = (type: string, data: string): string => `event: ${type}\ndata: ${data}\n\n`;

/** Reads the page for each request, so that it takes no memory while nobody opens it. */
const readPage = (): Buffer => readFileSync(new URL('../../page/agent.html', import.meta.url));

/** Headers of the page without JavaScript, which has neither scripts nor styles. */
const PLAIN_HEADERS = {
  ...PAGE_HEADERS,
  'Content-Security-Policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
};

/** The routes `/` and `/events`. @param status makes the document of `/status`, for the page without JavaScript */
export const pageRoutes = (stream: EventStream, status: () => Promise<StatusDocument>): readonly Route[] => [
  {
    path: '/',
    handlers: {
      GET: async ({ query }) =>
        query.has('plain')
          ? { status: 200, headers: PLAIN_HEADERS, body: plainPage(await status(), Date.now()) }
          : { status: 200, headers: PAGE_HEADERS, body: readPage() },
    },
  },
  {
    path: '/events',
    handlers: {
      GET: () => ({
        status: 200,
        headers: {
          'Content-Type': 'text/event-stream',
          'Cache-Control': 'no-store',
          'X-Accel-Buffering': 'no',
        },
        events: stream.subscribe,
      }),
    },
  },
];
