// A filter between the events and the notifiers, which holds failures back.

import type { AgentEvent } from '../contract/index.js';
import type { EventListener, Events } from './events.js';
import { HeldFailures, type SentEvent } from './held-failures.js';

/** How often held events are looked at again, in milliseconds. */
const RECHECK = 2_000;

/** Events to subscribe to: of the agent, or of another filter. */
export type EventSource = Pick<Events, 'latest' | 'subscribe' | 'stop'>;

/** The events of a source without those that are held back. `Why` is the type of the reason for which an event is held. */
export abstract class EventFilter<Why> implements EventSource {
  protected readonly held = new HeldFailures<Why>();
  readonly #source: EventSource;
  readonly #listeners = new Set<EventListener>();
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(source: EventSource) {
    this.#source = source;
    source.subscribe((event, explained, beganAt) => this.receive({ event, explained, beganAt }));
  }

  /** Holds an event of the source, or sends it. */
  protected abstract receive(sent: SentEvent): void;

  /** Looks at the held events again. */
  protected abstract recheck(): void;

  /** As {@link Events.subscribe}. */
  subscribe(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** As {@link Events.latest}. */
  latest(id: string): AgentEvent | undefined {
    return this.#source.latest(id);
  }

  /** Ends the waits, also of the source: what is held remains held. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#source.stop();
  }

  /** Calls {@link recheck} after {@link RECHECK}. */
  protected recheckLater(): void {
    if (this.#isStopped) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.recheck();
    }, RECHECK).unref();
  }

  protected send({ event, explained, beganAt }: SentEvent): void {
    for (const listener of this.#listeners) listener(event, explained, beganAt);
  }
}
