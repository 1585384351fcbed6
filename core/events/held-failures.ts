// Failures that notifiers do not get yet.

import type { AgentEvent, Severity } from '../contract/index.js';

/** An event as a listener receives it, see `EventListener`. */
export interface SentEvent {
  readonly event: AgentEvent;
  readonly explained: Severity | undefined;
  readonly beganAt: number;
}

/** A failure that is not sent yet, and why. */
export interface HeldFailure<Why> extends SentEvent {
  readonly why: Why;
}

/** The last event of each failure that is not sent yet, for receivers of all events and for receivers of critical events only. */
export class HeldFailures<Why> {
  readonly #held = new Map<string, HeldFailure<Why>>();

  /** Oldest first. */
  get all(): readonly HeldFailure<Why>[] {
    return [...this.#held.values()];
  }

  /** The held event with the id of another one; undefined: there is none. */
  of(event: AgentEvent): HeldFailure<Why> | undefined {
    return keysOf(event).flatMap((key) => this.#held.get(key) ?? [])[0];
  }

  /** Adds a failure, as the newest one. */
  hold(failure: HeldFailure<Why>): void {
    const key = keyOf(failure.event, failure.explained);
    this.#held.delete(key);
    this.#held.set(key, failure);
  }

  /** Removes the events that a newer event with the same id replaces. */
  replace(event: AgentEvent): void {
    for (const key of keysOf(event)) this.#held.delete(key);
  }

  /**
   * Removes the failures that are no longer held.
   *
   * @param remains whether a failure is still held
   * @param latest see `Events.latest`
   * @returns the removed failures that have not ended, with their latest reasons
   */
  release(
    remains: (failure: HeldFailure<Why>) => boolean,
    latest: (id: string) => AgentEvent | undefined,
  ): SentEvent[] {
    const released: SentEvent[] = [];
    for (const [key, held] of this.#held) {
      if (remains(held)) continue;
      this.#held.delete(key);
      const current = latest(held.event.id);
      if (current === undefined) continue;
      const { reason } = current.state === held.event.state ? current : held.event;
      released.push({ ...held, event: { ...held.event, reason } });
    }
    return released;
  }
}

const keyOf = ({ id }: AgentEvent, explained: Severity | undefined): string =>
  `${explained === undefined ? 'all' : 'critical'} ${id}`;

const keysOf = (event: AgentEvent): string[] => [keyOf(event, undefined), keyOf(event, 'warning')];
