// What fails now, and what changes: from the health checks and the sources to the notifiers. What follows from another failure is not sent.

import { onOneLine } from '../common/text/one-line.js';
import { reasonOf, type AgentEvent, type FailureFacts, type Severity } from '../contract/index.js';
import { CHANNELS, type HealthObserver } from '../health/index.js';
import { Causes } from './causes.js';
import { explanationOf, isExplainable, type Explained, type KnownFailures } from './explanation.js';
import {
  createEvent,
  failureEvent,
  isChannel,
  recoveryReason,
  type EventNode,
  type TimedEvent,
} from './new-event.js';
import { SharedCauses } from './shared-causes.js';

/** How many ids of what happened are kept. */
const MAX_CAUSES = 1_000;
/** How long an explanation is waited for, in milliseconds: a frozen orderer has made its channels fail by then. */
const HOLD = 10_000;
/**
 * How long an explanation by a node or another check is waited for, how long what was explained may still fail after the explanation has
 * ended, and how long further parts with the same cause are waited for, in milliseconds: a check of a frozen node ends after 30 s, and
 * checkers that poll are late.
 */
const LONG_HOLD = 60_000;

/** What fails. Times are as `performance.now()`. */
interface Failure {
  event: AgentEvent;
  beganAt: number;
  /** When the last look began that found it. */
  lookedAt: number;
  follows: string | undefined;
  wasExplained: boolean;
  /** Since when it waits to be sent, the look that had found it then, and the severity of what explained it. */
  held:
    | { readonly since: number; readonly lookedAt: number; readonly explained: Severity | undefined }
    | undefined;
  /** The last event that receivers of all events got, and that receivers of critical ones did. */
  sent: { readonly all?: TimedEvent; readonly critical?: TimedEvent };
  timer: NodeJS.Timeout | undefined;
}

/**
 * Gets the events.
 *
 * @param explained the severity of the failure that explains the event; then it is only for receivers that do not get that failure
 * @param beganAt as in {@link TimedEvent}
 */
export type EventListener = (event: AgentEvent, explained: Severity | undefined, beganAt: number) => void;

/** The events of an agent. */
export class Events implements HealthObserver {
  readonly #nodes: () => readonly EventNode[];
  readonly #channels: () => KnownFailures['channels'];
  /** By component. Of those with shared causes only the causes are sent. */
  readonly #failures = new Map<string, Failure>();
  /** The shared causes, by id. */
  readonly #shared = new Map<string, Failure>();
  readonly #causes = new Causes();
  readonly #sharedCauses = new SharedCauses((component) => this.#nodeOf(component)?.name);
  readonly #listeners = new Set<EventListener>();
  /** How many events {@link Events.happened} has sent. */
  #happened = 0;
  /** The last ids that checkers gave what happened, oldest first. */
  #known: ReadonlySet<string> = new Set();

  /**
   * @param nodes called for each event
   * @param channels by channel, the consenters that are not active; called for failed checks
   */
  constructor(
    nodes: () => readonly EventNode[],
    channels: () => KnownFailures['channels'] = () => new Map(),
  ) {
    this.#nodes = nodes;
    this.#channels = channels;
  }

  /** What fails now, whether it was sent or not, with the latest reasons, oldest first. */
  get open(): readonly AgentEvent[] {
    return [...this.#failures.values()].map(({ event }) => event);
  }

  /** Calls back with each event. @returns ends that */
  subscribe(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The failure with the id of an event, with its latest reason; undefined: it has ended. */
  latest(id: string): AgentEvent | undefined {
    return (this.#failures.get(id) ?? this.#shared.get(id))?.event;
  }

  checked(component: string, reason: string | undefined, severity: Severity, facts: FailureFacts = {}): void {
    const { causes = [], lookedAt = performance.now() } = facts;
    if (reason === undefined) return this.#end(this.#failures, component, 'works again');
    const failure = this.#record(
      this.#failures,
      component,
      { component, severity, reason },
      { ...facts, lookedAt },
    );
    this.#watch(component);
    for (const id of this.#sharedCauses.record(component, causes, severity))
      this.#considerShared(id, 'works again', lookedAt);
    if (causes.length === 0) this.#consider(failure);
    else this.#endSent(failure, 'has another cause');
  }

  removed(component: string): void {
    for (const name of this.#failures.keys())
      if (name === component || name.startsWith(`${component}/`))
        this.#end(this.#failures, name, 'no longer checked');
  }

  /** Whether a checker has reported an event with an id. */
  isKnown(id: string): boolean {
    return this.#known.has(id);
  }

  /**
   * Publishes an event about something that happened.
   *
   * @param component as in `/healthz`
   * @param cause the id of what happened, for {@link isKnown}; empty: none
   */
  happened(component: string, reason: string, fields: AgentEvent['fields'], cause = ''): void {
    if (cause !== '') this.#known = new Set([...this.#known, cause].slice(-MAX_CAUSES));
    const event = createEvent(component, this.#nodeOf(component), {
      state: 'info',
      severity: 'info',
      reason,
    });
    this.#happened += 1;
    // Two events of a component are not the same, and none of them supersedes the other.
    const id = `${component}#${event.since}-${this.#happened}`;
    this.#publish(timed({ ...event, id, fields: { ...fields, ...event.fields } }));
  }

  /** Tells that a node has restarted. @param versions that it had and has, if they differ */
  restarted(component: string, versions?: { readonly before: string; readonly now: string }): void {
    const changed =
      versions === undefined ? '' : `: ${onOneLine(versions.before)} → ${onOneLine(versions.now)}`;
    const reason = `the process has restarted${changed}`;
    const facts = { state: 'info', severity: 'info', reason, runbook: 'FabricNodeRestarts' } as const;
    this.#publish(timed(createEvent(component, this.#nodeOf(component), facts)));
  }

  /** Records that something fails. @param id the component, or the id of a shared cause */
  #record(
    failures: Map<string, Failure>,
    id: string,
    {
      component,
      severity,
      reason,
    }: { readonly component: string; readonly severity: Severity; readonly reason: string },
    { follows, lookedAt }: { readonly follows?: string | undefined; readonly lookedAt: number },
  ): Failure {
    const before = failures.get(id);
    const state = severity === 'critical' ? 'failed' : 'warning';
    const why = reasonOf(reason);
    const event = { ...failureEvent(component, this.#nodeOf(component), state, why), id };
    if (before?.event.state === state) {
      // A shared cause keeps the component that was sent for it.
      const named = isSent(before) ? before.event : event;
      before.event = { ...named, reason: why, since: before.event.since };
      return Object.assign(before, { follows, lookedAt });
    }
    const failure = before ?? { wasExplained: false, held: undefined, sent: {}, timer: undefined };
    // At the end of the map: oldest first.
    failures.delete(id);
    const changed = Object.assign(failure, { event, beganAt: performance.now(), follows, lookedAt });
    failures.set(id, changed);
    return changed;
  }

  /** @param lookedAt when a look began that found a part of it; omitted: a part has ended */
  #considerShared(id: string, what: string, lookedAt?: number): void {
    const found = this.#sharedCauses.failureOf(id);
    if (found === undefined) return this.#end(this.#shared, id, what);
    const before = this.#shared.get(id);
    const reason = before?.event.reason;
    const look = lookedAt ?? before?.lookedAt ?? performance.now();
    const failure = this.#record(this.#shared, id, found, { lookedAt: look });
    // Further parts may follow, which the event should name.
    const isNew = reason !== failure.event.reason && performance.now() - failure.beganAt < LONG_HOLD;
    if (isNew) failure.held = undefined;
    this.#consider(failure);
  }

  /** Records what may explain other failures. */
  #watch(component: string): void {
    const now = performance.now();
    const failure = this.#failures.get(component);
    if (failure === undefined) this.#causes.ended(component, now);
    else this.#causes.fails(component, failure.event.state === 'failed' ? 'critical' : 'warning', now);
    if (isChannel(component) || component === this.#nodeOf(component)?.name)
      this.#causes.observe(this.#channels(), now);
  }

  /** Sends a failure, now or once it is clear that nothing explains it and another look has found it, too. */
  #consider(failure: Failure): void {
    // As in most checks: all receivers have it.
    if (failure.held === undefined && !isToSend(failure, undefined)) return;
    const { known, explained } = this.#explain(failure);
    clearTimeout(failure.timer);
    if (!isToSend(failure, explained)) {
      failure.held = undefined;
      return;
    }
    const now = performance.now();
    if (failure.held?.explained !== explained) failure.held = undefined;
    failure.held ??= { since: now, lookedAt: failure.lookedAt, explained };
    const delay = this.#holdOf(failure, known, explained);
    const left = failure.held.since + delay - now;
    if (left > 0) failure.timer = setTimeout(() => this.#consider(failure), left).unref();
    else if (delay === 0 || failure.lookedAt > failure.held.lookedAt) this.#send(failure, explained);
  }

  #holdOf(failure: Failure, known: KnownFailures, explained: Severity | undefined): number {
    const { component, id } = failure.event;
    if (this.#shared.get(id) === failure) return HOLD;
    if (failure.wasExplained && explained === undefined) return LONG_HOLD;
    if (failure.follows !== undefined && !failure.follows.startsWith(`${CHANNELS}/`)) return LONG_HOLD;
    const isOrderer = this.#nodes().some(({ name, kind }) => kind === 'orderer' && name === component);
    return isOrderer || isExplainable(explainedOf(failure), known) ? HOLD : 0;
  }

  #send(failure: Failure, explained: Severity | undefined): void {
    const { event, beganAt } = failure;
    const sent = { event, beganAt };
    failure.held = undefined;
    failure.sent =
      explained === undefined ? { all: sent, critical: sent } : { ...failure.sent, critical: sent };
    if (isChannel(event.component)) this.#causes.name(event.component, this.#inactiveIn(event.component));
    this.#publish(sent, explained);
  }

  /** The consenters that take no part in a channel. @param component of the channel */
  #inactiveIn(component: string): ReadonlySet<string> {
    const consenters = this.#channels().get(component.slice(CHANNELS.length + 1)) ?? [];
    return new Set(consenters.flatMap(({ name, outage }) => (outage === undefined ? [] : [name])));
  }

  /** What explains a failure: what failed at any time since the look that found it. */
  #explain(failure: Failure): { readonly known: KnownFailures; readonly explained: Severity | undefined } {
    this.#causes.observe(this.#channels(), performance.now());
    const known = { ...this.#causes.since(failure.lookedAt), nodes: this.#nodes().map(({ name }) => name) };
    const explained = explanationOf(explainedOf(failure), known);
    if (explained !== undefined) failure.wasExplained = true;
    return { known, explained };
  }

  #end(failures: Map<string, Failure>, id: string, what: string): void {
    const failure = failures.get(id);
    if (failure === undefined) return;
    failures.delete(id);
    if (failures === this.#failures) {
      this.#watch(id);
      for (const shared of this.#sharedCauses.record(id, [], 'warning')) this.#considerShared(shared, what);
    }
    this.#endSent(failure, what);
  }

  /** Sends the end of a failure to the receivers that got it. */
  #endSent(failure: Failure, what: string): void {
    const { event, sent, timer } = failure;
    clearTimeout(timer);
    failure.held = undefined;
    failure.sent = {};
    const last = sent.all ?? sent.critical;
    if (last === undefined) return;
    const ended = last.event.state === event.state ? failure : last;
    const reason = recoveryReason(ended, what);
    const recovered: AgentEvent = { ...ended.event, state: 'recovered', reason, since: Date.now() };
    this.#publish(timed(recovered), sent.all === undefined ? 'warning' : undefined);
  }

  #nodeOf(component: string): EventNode | undefined {
    return this.#nodes().find(({ name }) => component === name || component.startsWith(`${name}/`));
  }

  #publish({ event, beganAt }: TimedEvent, explained?: Severity): void {
    for (const listener of this.#listeners) listener(event, explained, beganAt);
  }
}

/** What has just begun. */
const timed = (event: AgentEvent): TimedEvent => ({ event, beganAt: performance.now() });

const explainedOf = ({ event: { component, state }, follows }: Failure): Explained => ({
  component,
  severity: state === 'failed' ? 'critical' : 'warning',
  follows,
});

const isSent = ({ sent }: Failure): boolean => (sent.all ?? sent.critical) !== undefined;

/** Whether a failure must still be sent to some receivers: receivers of critical events do not get a warning that explains it. */
function isToSend({ event, sent }: Failure, explained: Severity | undefined): boolean {
  if (explained === 'critical') return false;
  const isNew = (last: TimedEvent | undefined): boolean => last?.event.state !== event.state;
  return isNew(sent.critical) || (explained === undefined && isNew(sent.all));
}
