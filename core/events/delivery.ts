import type { AgentEvent, DeliveryReport } from '../contract/index.js';

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
