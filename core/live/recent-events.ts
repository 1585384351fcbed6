// The events of the last hours, for pages that are opened later.

import type { AgentEvent } from '../contract/index.js';
import type { Events } from '../events/index.js';

/** More are not kept. */
const MAX_EVENTS = 200;
/** How long an event is kept, in milliseconds. */
const MAX_AGE = 24 * 3_600_000;

/** An event with its number, from 1 on. */
export interface NumberedEvent {
  readonly number: number;
  readonly event: AgentEvent;
}

/** The last events of an agent. */
export class RecentEvents {
  #kept: readonly NumberedEvent[] = [];
  #last = 0;

  constructor(events: Pick<Events, 'subscribe'>) {
    events.subscribe((event) => {
      this.#last += 1;
      this.#kept = [...this.#kept, { number: this.#last, event }].slice(-MAX_EVENTS);
    });
  }

  /** The events that are still kept, oldest first. */
  get all(): readonly NumberedEvent[] {
    const oldest = Date.now() - MAX_AGE;
    return this.#kept.filter(({ event }) => event.since >= oldest);
  }
}
