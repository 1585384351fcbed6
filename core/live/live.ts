// What is now, and what happens: server-sent events for pages and scripts. Nothing is collected while nobody listens.

import { reasonOf, type AgentEvent } from '../contract/index.js';
import type { Events } from '../events/index.js';
import type { Subscribe } from '../http/index.js';
import { RecentEvents, type NumberedEvent } from './recent-events.js';

/** How often the state is sent, in milliseconds. */
const INTERVAL = 5_000;
/** An event is followed by the state at once; several events of one moment by one state. */
const AFTER_EVENT = 100;

/** Collects the state, and sends it with the events to all listeners. */
export class Live {
  readonly #state: () => Promise<object>;
  readonly #recent: RecentEvents;
  readonly #listeners = new Set<(text: string) => void>();
  #timer: NodeJS.Timeout | undefined;
  #isCollecting = false;
  /** Whether something happened while the state was collected. */
  #isOutdated = false;
  /** The last state, while there are listeners. */
  #last: string | undefined;

  /** @param state collects the state; called while there are listeners */
  constructor(events: Events, state: () => Promise<object>) {
    this.#state = state;
    this.#recent = new RecentEvents(events);
    events.subscribe(() => {
      const newest = this.#recent.all.at(-1);
      if (this.#listeners.size === 0 || newest === undefined) return;
      this.#send(eventText(newest));
      this.#isOutdated = true;
      this.#collectIn(AFTER_EVENT);
    });
  }

  /** Sends the events of the last hours and the state, then what follows. @returns ends it */
  readonly subscribe: Subscribe = (send) => {
    send('retry: 2000\n\n');
    for (const each of this.#recent.all) send(eventText(each));
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

/** JSON has no line ends, so that one line of data is enough. */
const messageOf = (type: string, data: string): string => `event: ${type}\ndata: ${data}\n\n`;

const eventText = ({ number, event }: NumberedEvent): string =>
  `id: ${number}\n${messageOf('event', JSON.stringify(eventOf(event)))}`;

/** An event in JSON: times as text. */
export const eventOf = ({
  component,
  node,
  state,
  severity,
  reason,
  since,
  runbook,
}: AgentEvent): object => ({
  component,
  node,
  state,
  severity,
  reason,
  since: new Date(since).toISOString(),
  runbook,
});
