// What waits to be delivered to one notifier, and the outcomes of one delivery.

import type { AgentEvent, DeliveryReport } from '../contract/index.js';

/** The most events that wait for one notifier. */
export const MAX_QUEUED = 1_000;

/** What a receiver can believe of a component: that it fails, needs attention, or works. */
type Believed = Exclude<AgentEvent['state'], 'info'>;

/** How an event ended: `accepted` also if the receiver has no place for it; `refused`: it will never accept it. */
type Outcome = 'accepted' | 'refused';

const WORKS: ReadonlySet<Believed> = new Set(['recovered']);

/**
 * The difference between what is true and what the receiver last accepted, oldest first: at most one event for each `id`, and each event
 * of the state `info`.
 */
export class EventQueue {
  #events: readonly AgentEvent[] = [];
  /** The events of the current call. */
  readonly #sending = new Set<AgentEvent>();
  /** By id, what the receiver may believe: several states if it is unclear which events it accepted. Without an entry it believes that it works. */
  readonly #believed = new Map<string, ReadonlySet<Believed>>();
  readonly #onDropped: () => void;

  /** @param onDropped called for each event that is dropped because there are too many */
  constructor(onDropped: () => void) {
    this.#onDropped = onDropped;
  }

  /** How many events wait. */
  get size(): number {
    return this.#events.length;
  }

  /**
   * Adds an event in place of the one with the same id, or neither if the receiver believes that already. When there are too many, the
   * oldest one with the state `info` is dropped, or else the oldest.
   */
  add(event: AgentEvent): void {
    const others =
      event.state === 'info'
        ? this.#events
        : this.#events.filter(({ id, state }) => id !== event.id || state === 'info');
    this.#events = this.#isBelieved(event) ? others : [...others, event];
    if (this.#events.length <= MAX_QUEUED) return;
    const index = Math.max(
      this.#events.findIndex(({ state }) => state === 'info'),
      0,
    );
    this.#forget(this.#events[index]!);
    this.#events = this.#events.toSpliced(index, 1);
    this.#onDropped();
  }

  /** The oldest events. */
  first(most: number): readonly AgentEvent[] {
    return this.#events.slice(0, most);
  }

  /** A call with these events begins, which may be others than those that wait: a reminder. */
  begin(events: readonly AgentEvent[]): void {
    for (const event of events) this.#sending.add(event);
  }

  /** An event has an outcome, and does not wait any more. */
  settle(event: AgentEvent, outcome: Outcome): void {
    this.#sending.delete(event);
    this.#events = this.#events.filter((each) => each !== event);
    if (outcome === 'refused' || event.state === 'recovered') this.#forget(event);
    else if (event.state !== 'info') this.#believed.set(event.id, new Set([event.state]));
  }

  /** The call has ended. @param isUnclear whether the receiver may have accepted the events without an outcome */
  end(isUnclear: boolean): void {
    for (const { id, state } of isUnclear ? this.#sending : [])
      if (state !== 'info') this.#believed.set(id, new Set([...this.#statesOf(id), state]));
    this.#sending.clear();
    this.#events = this.#events.filter((event) => !this.#isBelieved(event));
  }

  /** After a recovery, delivered or not, the next failure of the component is sent. */
  #forget({ id, state }: AgentEvent): void {
    if (state === 'recovered') this.#believed.delete(id);
  }

  #statesOf(id: string): ReadonlySet<Believed> {
    return this.#believed.get(id) ?? WORKS;
  }

  /** Whether the receiver certainly believes what an event says; not while it is sent another event of the same id. */
  #isBelieved({ id, state }: AgentEvent): boolean {
    if (state === 'info') return false;
    for (const sent of this.#sending) if (sent.id === id && sent.state !== 'info') return false;
    const states = this.#statesOf(id);
    return states.size === 1 && states.has(state);
  }
}

/** The outcomes of the events of one call of a notifier. */
export class Delivery implements DeliveryReport {
  /** The events without an outcome. */
  readonly #pending: Set<AgentEvent>;
  readonly #onSettled: (event: AgentEvent, outcome: Outcome) => void;
  #accepted = 0;
  #refused = 0;
  #refusal: unknown;

  /** @param onSettled called for each event that will not be sent again */
  constructor(events: readonly AgentEvent[], onSettled: (event: AgentEvent, outcome: Outcome) => void) {
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
    if (!this.#pending.delete(event)) return;
    this.#accepted += 1;
    this.#onSettled(event, 'accepted');
  }

  refused(event: AgentEvent, error: unknown): void {
    if (!this.#pending.delete(event)) return;
    if (this.#refused === 0) this.#refusal = error;
    this.#refused += 1;
    this.#onSettled(event, 'refused');
  }

  omitted(event: AgentEvent): void {
    if (this.#pending.delete(event)) this.#onSettled(event, 'accepted');
  }

  /** The call has ended: accepts the events that were not reported. */
  acceptRest(): void {
    for (const event of this.#pending) this.accepted(event);
  }

  /** The call has ended: refuses the events that were not reported. */
  refuseRest(error: unknown): void {
    for (const event of this.#pending) this.refused(event, error);
  }
}
