// The queue of events for one notifier, and the outcomes of one delivery.

import type { AgentEvent, DeliveryReport } from '../contract/index.js';

/** Maximum number of queued events for one notifier. */
export const MAX_QUEUED = 1_000;

/** The state of a component from the view of the receiver. */
type ReceiverState = Exclude<AgentEvent['state'], 'info'>;

/** The outcome of an event; `omitted`: the receiver cannot represent it; `refused`: the receiver will never accept it. */
type Outcome = 'accepted' | 'omitted' | 'refused';

const WORKS: ReadonlySet<ReceiverState> = new Set(['recovered']);

/**
 * The difference between the current states and the states that the receiver last accepted, oldest first: at most one event for each `id`,
 * and all events of the state `info`.
 */
export class EventQueue {
  #events: readonly AgentEvent[] = [];
  /** The events of the current call. */
  readonly #sending = new Set<AgentEvent>();
  /** Events that the receiver gets although it has their states. */
  readonly #again = new WeakSet<AgentEvent>();
  /**
   * By id, the possible states at the receiver, several if it is unclear which events it accepted, and the last failure. Without an entry:
   * `recovered`.
   */
  readonly #received = new Map<
    string,
    { readonly states: ReadonlySet<ReceiverState>; readonly failure: AgentEvent | undefined }
  >();
  readonly #onDropped: () => void;

  /** @param onDropped called for each event that is dropped because there are too many */
  constructor(onDropped: () => void) {
    this.#onDropped = onDropped;
  }

  /** The number of queued events. */
  get size(): number {
    return this.#events.length;
  }

  /**
   * Adds an event and removes a queued event with the same id; adds nothing if the receiver already has this state. If there are too many,
   * the oldest event of the state `info` is dropped, or else the oldest event.
   *
   * @param isAgain whether the receiver gets it although it already has this state
   */
  add(event: AgentEvent, isAgain = false): void {
    if (isAgain) this.#again.add(event);
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

  /** The failures that the receiver has or may have, without an end; also those that are being sent. */
  get told(): readonly AgentEvent[] {
    const accepted = [...this.#received.values()].flatMap(({ failure }) => failure ?? []);
    const failures = [...accepted, ...this.#sending].filter(isFailure);
    return [...new Map(failures.map((event) => [event.id, event])).values()];
  }

  /** Records a failure that the receiver had, or may have had, when the agent started. */
  restore(failure: AgentEvent): void {
    this.#setReceived(failure, [...WORKS, failure.state as ReceiverState]);
  }

  /** The oldest events. */
  first(most: number): readonly AgentEvent[] {
    return this.#events.slice(0, most);
  }

  /** Records that a call with these events begins. In a reminder they are not from the queue. */
  begin(events: readonly AgentEvent[]): void {
    for (const event of events) this.#sending.add(event);
  }

  /** Records the outcome of an event, and removes the event from the queue. */
  settle(event: AgentEvent, outcome: Outcome): void {
    this.#sending.delete(event);
    this.#events = this.#events.filter((each) => each !== event);
    if (outcome === 'refused' || event.state === 'recovered') this.#forget(event);
    else if (event.state !== 'info') this.#setReceived(event, [event.state]);
  }

  /** Records that the call has ended. @param isUnclear whether the receiver may have accepted the events without an outcome */
  end(isUnclear: boolean): void {
    for (const event of isUnclear ? this.#sending : [])
      if (event.state !== 'info') this.#setReceived(event, [...this.#statesOf(event.id), event.state]);
    this.#sending.clear();
    this.#events = this.#events.filter((event) => !this.#isBelieved(event));
  }

  /** After a recovery, delivered or not, the next failure of the component must be sent. */
  #forget({ id, state }: AgentEvent): void {
    if (state === 'recovered') this.#received.delete(id);
  }

  #statesOf(id: string): ReadonlySet<ReceiverState> {
    return this.#received.get(id)?.states ?? WORKS;
  }

  #setReceived(event: AgentEvent, states: readonly ReceiverState[]): void {
    const failure = isFailure(event) ? event : this.#received.get(event.id)?.failure;
    this.#received.set(event.id, { states: new Set(states), failure });
  }

  /** Returns true if the receiver certainly has the state of an event; false while another event with the same id is being sent. */
  #isBelieved(event: AgentEvent): boolean {
    const { id, state } = event;
    if (state === 'info' || this.#again.has(event)) return false;
    for (const sent of this.#sending) if (sent.id === id && sent.state !== 'info') return false;
    const states = this.#statesOf(id);
    return states.size === 1 && states.has(state);
  }
}

const isFailure = ({ state }: AgentEvent): boolean => state === 'failed' || state === 'warning';

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

  /** The number of accepted events. */
  get acceptedCount(): number {
    return this.#accepted;
  }

  /** The number of refused events. */
  get refusedCount(): number {
    return this.#refused;
  }

  /** The error of the first refused event. */
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
    if (this.#pending.delete(event)) this.#onSettled(event, 'omitted');
  }

  /** Accepts the events without an outcome, after a successful call. */
  acceptRest(): void {
    for (const event of this.#pending) this.accepted(event);
  }

  /** Refuses the events without an outcome, after a refused call. */
  refuseRest(error: unknown): void {
    for (const event of this.#pending) this.refused(event, error);
  }
}
