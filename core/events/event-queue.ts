import type { AgentEvent } from '../contract/index.js';

/** The most events that wait for one notifier. */
export const MAX_QUEUED = 1_000;

/** Events that wait to be delivered, oldest first. */
export class EventQueue {
  #events: readonly AgentEvent[] = [];
  readonly #onDropped: () => void;

  /** @param onDropped called for each event that is dropped because there are too many */
  constructor(onDropped: () => void) {
    this.#onDropped = onDropped;
  }

  /** How many events wait. */
  get size(): number {
    return this.#events.length;
  }

  /** Adds an event. When there are too many, the oldest one that a later one supersedes is dropped, or else the oldest. */
  add(event: AgentEvent): void {
    this.#events = [...this.#events, event];
    if (this.#events.length <= MAX_QUEUED) return;
    const last = new Map(this.#events.map(({ id }, index) => [id, index]));
    const superseded = this.#events.findIndex(({ id }, index) => last.get(id) !== index);
    this.#events = this.#events.toSpliced(Math.max(superseded, 0), 1);
    this.#onDropped();
  }

  /** The oldest events. */
  first(most: number): readonly AgentEvent[] {
    return this.#events.slice(0, most);
  }

  /** Removes events that were delivered. */
  remove(events: readonly AgentEvent[]): void {
    const removed = new Set(events);
    this.#events = this.#events.filter((event) => !removed.has(event));
  }
}
