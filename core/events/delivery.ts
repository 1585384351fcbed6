// What waits to be delivered to one notifier, and the outcomes of one delivery.

import type { AgentEvent, DeliveryReport } from '../contract/index.js';

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

/** The outcomes of the events of one call of a notifier. */
export class Delivery implements DeliveryReport {
  /** The events without an outcome. */
  readonly #pending: Set<AgentEvent>;
  readonly #onSettled: (event: AgentEvent) => void;
  #accepted = 0;
  #refused = 0;
  #refusal: unknown;

  /** @param onSettled called for each event that will not be sent again */
  constructor(events: readonly AgentEvent[], onSettled: (event: AgentEvent) => void) {
    this.#pending = new Set(events);
    this.#onSettled = onSettled;
  }

  /** How many events were accepted. */
  get acceptedCount(): number {
    return this.#accepted;
  }

  /** How many events were refused. */
  get refusedCount(): number {
    return this.#refused;
  }

  /** The first refusal. */
  get refusal(): unknown {
    return this.#refusal;
  }

  accepted(event: AgentEvent): void {
    if (this.#settle(event)) this.#accepted += 1;
  }

  refused(event: AgentEvent, error: unknown): void {
    if (!this.#settle(event)) return;
    if (this.#refused === 0) this.#refusal = error;
    this.#refused += 1;
  }

  omitted(event: AgentEvent): void {
    this.#settle(event);
  }

  /** The call has ended: accepts the events that were not reported. */
  acceptRest(): void {
    for (const event of this.#pending) this.accepted(event);
  }

  /** The call has ended: refuses the events that were not reported. */
  refuseRest(error: unknown): void {
    for (const event of this.#pending) this.refused(event, error);
  }

  /** @returns false for what is not an event of the call, or was reported before */
  #settle(event: AgentEvent): boolean {
    if (!this.#pending.delete(event)) return false;
    this.#onSettled(event);
    return true;
  }
}
