// The events for notifiers. A failure waits here while a rule holds it, and is sent when none does; here is known what was delivered.

import { channelOf } from '../common/text/component.js';
import type { AgentEvent } from '../contract/index.js';
import type { Events } from './events.js';
import { endedBeforeReason, type EventListener, type SentEvent } from './new-event.js';

/** How often the waiting failures are checked again, in milliseconds. */
const TICK = 1_000;
/**
 * How long after the start a failure of an earlier process of the agent is not found again until it has ended, in milliseconds. Checks of
 * ledgers that are behind, of agents and of notifiers fail only after a minute.
 */
const NOT_FOUND = 90_000;

/** Why a failure is not sent yet. */
export interface Wait {
  /** Since when this rule has held it for this reason, as `performance.now()`. */
  readonly since: number;
  /** A sentence for `/status`. */
  readonly why: string;
}

/** A reason for which failures wait. */
export interface Rule<Why extends Wait = Wait> {
  /**
   * Decides whether a failure waits. Each waiting failure is asked about at least once a second.
   *
   * @param before the last result of this rule for the failure, or for a former state of it
   * @param now as `performance.now()`
   * @returns undefined: this rule does not hold it
   */
  waitOf(sent: SentEvent, before: Why | undefined, now: number): Why | undefined;
  /** Returns true if notifiers do not get an event of the state `info`, or not yet. */
  keeps?(sent: SentEvent): boolean;
  /** Returns true if reminders omit a failure. */
  isOmitted?(event: AgentEvent): boolean;
  /** Returns true if the event does not have what its receivers need: it is sent again when it does. */
  isIncomplete?(sent: SentEvent): boolean;
  /** The event with what the rule knows about it; called when it is sent. */
  worded?(event: AgentEvent): AgentEvent;
  /** Called each second, and at first when an event comes. @returns whether to call it again */
  tick?(now: number): boolean;
  /** Called once, with the outbox. */
  attach?(outbox: OutboxControl): void;
}

/** What rules can do in their outbox. */
export interface OutboxControl {
  /** Sends an event that {@link Rule.keeps} kept. */
  send(sent: SentEvent): void;
  /** Returns true if at least one receiver has a failure in any state, also from an earlier process of the agent. */
  isKnown(id: string): boolean;
  /** Looks at the waiting failures now. */
  recheck(): void;
  /** The failures that a rule holds, oldest first. */
  heldBy(rule: Rule): readonly { readonly sent: SentEvent; readonly wait: Wait }[];
}

/** A failure that is not sent yet. */
interface Held {
  readonly sent: SentEvent;
  readonly rule: Rule;
  readonly wait: Wait;
}

/** The events for notifiers. */
export class Outbox implements Pick<Events, 'latest' | 'subscribe'>, OutboxControl {
  readonly #source: Events;
  readonly #rules: readonly Rule[];
  readonly #listeners = new Set<EventListener>();
  /** The last event of each failure that waits, for receivers of all events and for receivers of critical events only. Oldest first. */
  readonly #held = new Map<string, Held>();
  /** The failures that were sent without what their receivers need, by id. */
  readonly #incomplete = new Map<string, SentEvent>();
  /** By id, the states of each failure that at least one receiver has accepted since the failure last had them. */
  readonly #delivered = new Map<string, Set<AgentEvent['state']>>();
  /** The failures that an earlier process of the agent has sent, by id, until their ends are sent. */
  readonly #earlier = new Map<string, AgentEvent>();
  readonly #startedAt = performance.now();
  readonly #isJudged: (component: string) => boolean;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  /**
   * @param rules the first one that holds a failure is its reason
   * @param isJudged whether it is known if a component works. @default always
   */
  constructor(source: Events, rules: readonly Rule[], isJudged: (component: string) => boolean = () => true) {
    this.#source = source;
    this.#rules = rules;
    this.#isJudged = isJudged;
    source.subscribe((sent) => this.#receive(sent));
    for (const rule of rules) rule.attach?.(this);
  }

  /** As {@link Events.subscribe}. */
  subscribe(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** As {@link Events.latest}, without failures that reminders omit. */
  latest(id: string): AgentEvent | undefined {
    const event = this.#source.latest(id);
    return event === undefined || this.#rules.some((rule) => rule.isOmitted?.(event) === true)
      ? undefined
      : event;
  }

  /** Ends the waits: what is held remains held. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#source.stop();
  }

  /** Records that a receiver has accepted an event. */
  accepted({ id, state }: AgentEvent): void {
    if (this.#source.latest(id) === undefined || state === 'recovered') return;
    this.#delivered.set(id, (this.#delivered.get(id) ?? new Set()).add(state));
  }

  /** Returns true if at least one receiver has accepted a failure in its current state. */
  isDelivered({ id, state }: Pick<AgentEvent, 'id' | 'state'>): boolean {
    return this.#delivered.get(id)?.has(state) === true;
  }

  isKnown(id: string): boolean {
    return this.#earlier.has(id) || (this.#delivered.get(id)?.size ?? 0) > 0;
  }

  /** Adds failures that an earlier process of the agent has sent: notifiers get their ends if no check finds them again. */
  restore(failures: readonly AgentEvent[]): void {
    for (const failure of failures) this.#earlier.set(failure.id, failure);
    this.#recheckLater();
  }

  /** Why a failure is not sent yet; undefined: it does not wait here. */
  whyWaiting(id: string): string | undefined {
    return this.#heldOf(id)?.wait.why;
  }

  heldBy(rule: Rule): readonly Held[] {
    return [...this.#held.values()].filter((held) => held.rule === rule);
  }

  send(sent: SentEvent): void {
    const event = this.#rules.reduce((worded, rule) => rule.worded?.(worded) ?? worded, sent.event);
    if (this.#rules.some((rule) => rule.isIncomplete?.(sent) === true)) this.#incomplete.set(event.id, sent);
    for (const listener of this.#listeners) listener({ ...sent, event });
  }

  recheck(): void {
    const now = performance.now();
    const isActive = this.#rules.map((rule) => rule.tick?.(now)).includes(true);
    for (const [key, held] of this.#held) {
      const sent = this.#current(held.sent);
      const waits = sent && this.#waitOf(sent, held, now);
      if (waits !== undefined) this.#held.set(key, waits);
      else {
        this.#held.delete(key);
        if (sent !== undefined) this.send(sent);
      }
    }
    this.#complete(now);
    this.#endEarlier(now);
    if (isActive || [this.#held, this.#incomplete, this.#earlier].some(({ size }) => size > 0))
      this.#recheckLater();
  }

  #receive(sent: SentEvent): void {
    const { event } = sent;
    const now = performance.now();
    if (event.state === 'info') {
      if (!this.#rules.some((rule) => rule.keeps?.(sent) === true)) this.send(sent);
      return;
    }
    this.#incomplete.delete(event.id);
    // A notifier passes a recovery on only if it has the failure.
    const isEnd = event.state === 'recovered';
    const held = isEnd ? undefined : this.#waitOf(sent, this.#heldOf(event.id), now);
    if (isEnd) {
      this.#delivered.delete(event.id);
      this.#earlier.delete(event.id);
    } else this.#delivered.get(event.id)?.delete(event.state);
    if (held === undefined) {
      for (const key of keysOf(event.id)) this.#held.delete(key);
      this.send(sent);
    } else {
      const key = keyOf(sent);
      this.#held.delete(key);
      this.#held.set(key, held);
    }
    this.#recheckLater();
  }

  #waitOf(sent: SentEvent, before: Held | undefined, now: number): Held | undefined {
    for (const rule of this.#rules) {
      const wait = rule.waitOf(sent, before?.rule === rule ? before.wait : undefined, now);
      if (wait !== undefined) return { sent, rule, wait };
    }
    return undefined;
  }

  /** A failure with its latest reason; undefined: it has ended. */
  #current(sent: SentEvent): SentEvent | undefined {
    const current = this.#source.latest(sent.event.id);
    if (current === undefined) return undefined;
    const { reason } = current.state === sent.event.state ? current : sent.event;
    return { ...sent, event: { ...sent.event, reason } };
  }

  /** Sends events again that have become complete. */
  #complete(now: number): void {
    for (const [id, before] of this.#incomplete) {
      const sent = this.#current(before);
      if (sent !== undefined && this.#rules.some((rule) => rule.isIncomplete?.(sent) === true)) continue;
      if (sent !== undefined && this.#waitOf(sent, undefined, now) !== undefined) continue;
      this.#incomplete.delete(id);
      if (sent !== undefined) this.send({ ...sent, isAgain: true });
    }
  }

  /** Sends the ends of failures of an earlier process that no check finds. */
  #endEarlier(now: number): void {
    if (now < this.#startedAt + NOT_FOUND) return;
    for (const [id, failure] of this.#earlier) {
      if (this.#source.latest(id) !== undefined || !this.#isJudged(failure.component)) continue;
      this.#earlier.delete(id);
      const reason = endedBeforeReason(failure);
      const end = {
        ...failure,
        state: 'recovered',
        reason,
        since: Date.now(),
        began: failure.since,
        headline: `No check finds the failure of ${channelOf(failure.component) ?? failure.component} again`,
      } as const;
      this.send({ event: end, subject: this.#source.subjectOf(end.component), beganAt: now });
    }
  }

  #recheckLater(): void {
    if (this.#isStopped) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.recheck();
    }, TICK).unref();
  }

  #heldOf(id: string): Held | undefined {
    return keysOf(id).flatMap((key) => this.#held.get(key) ?? [])[0];
  }
}

const keyOf = ({ event, explained }: SentEvent): string =>
  `${explained === undefined ? 'all' : 'critical'} ${event.id}`;

const keysOf = (id: string): string[] => [`all ${id}`, `critical ${id}`];
