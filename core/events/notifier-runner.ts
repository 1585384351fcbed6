// Calls one notifier: groups events, retries failed calls, sends reminders and heartbeats.

import { Backoff, type BackoffLimits } from '../common/flow/backoff.js';
import { UnfinishedCalls } from '../common/flow/unfinished-calls.js';
import { formatDuration } from '../common/text/duration.js';
import { errorCodeOf } from '../contract/errors.js';
import {
  AgentError,
  CheckWarning,
  reasonOf,
  within,
  type AgentEvent,
  type DeliveryReport,
  type Logger,
  type Notification,
} from '../contract/index.js';
import type { NotifierSchedule } from '../contract/notifier.js';
import type { DeliveryState } from '../host/index.js';
import { Delivery, EventQueue, MAX_QUEUED } from './delivery.js';
import type { Events } from './events.js';
import { Merger } from './merge.js';
import { recoveryReason, type SentEvent, type TimedEvent } from './new-event.js';
import type { NotifierMetrics } from './notifier-metrics.js';

/** Timeout of a call of a notifier, in milliseconds. */
const CALL_TIMEOUT = 30_000;
/** Timeout of the last call during shutdown, in milliseconds. */
const LAST_CALL_TIMEOUT = 3_000;
/** Maximum number of events in one call. */
const MAX_EVENTS = 100;
/** The waits after failed calls. */
const RETRY: BackoffLimits = { first: 1_000, longest: 60_000, isRandom: true };
/** How long calls fail until the notifier is a warning, in milliseconds. */
const ATTENTION_AFTER = 60_000;

/** Adds words for people to events: `headline`, `meaning`, `steps` and `page`. Keeps their order, and never rejects. */
export type DescribeEvents = (events: readonly AgentEvent[]) => Promise<readonly AgentEvent[]>;

/** The options of a runner. */
export interface NotifierRunnerOptions {
  /** The component of the notifier; the notifier does not get events about it. */
  readonly component: string;
  readonly schedule: NotifierSchedule;
  readonly notify: (
    notification: Notification,
    signal: AbortSignal,
    report: DeliveryReport,
  ) => void | Promise<void>;
  readonly events: Pick<Events, 'latest' | 'subscribe'>;
  /** The name of the agent. */
  readonly agent: string;
  /** Adds words for people to events; keeps their order; never rejects. @default none */
  readonly describe?: DescribeEvents;
  /** The check that a component belongs to: equal failures of its parts become one event. @default none */
  readonly checkOf?: (component: string) => string | undefined;
  /** Called with each event that the receiver has accepted. @default nothing */
  readonly onAccepted?: (event: AgentEvent) => void;
  /** Called before and after each call with the failures that the receiver has or may have. @default nothing */
  readonly onTold?: (failures: readonly AgentEvent[]) => void;
  readonly metrics: NotifierMetrics;
  readonly log: Logger;
  /** @default {@link RETRY} */
  readonly retry?: BackoffLimits;
}

/** Calls one notifier. */
export class NotifierRunner {
  readonly #options: NotifierRunnerOptions;
  readonly #queue: EventQueue;
  readonly #merger: Merger;
  readonly #backoff: Backoff;
  readonly #unfinished = new UnfinishedCalls(1);
  readonly #stopping = new AbortController();
  readonly #unsubscribe: () => void;
  /** The failures that were or will be sent to the notifier, by id. */
  readonly #open = new Map<string, TimedEvent>();
  /** Those of {@link #open} that only an earlier process of the agent has sent, by id. */
  readonly #earlier = new Set<string>();
  /** Which kinds of notifications are due. */
  readonly #due = new Set<Notification['cause']>();
  /** The ids of the failures that the current reminder has not reported yet. */
  readonly #toRemind = new Set<string>();
  #isStarted = false;
  /** Whether events were dropped since the queue was last below its limit. */
  #isDropping = false;
  #delivering: Promise<void> | undefined;
  /** Ends the grouping of events, or the wait after a failed call. */
  #changeTimer: NodeJS.Timeout | undefined;
  #reminderTimer: NodeJS.Timeout | undefined;
  #heartbeatTimer: NodeJS.Timeout | undefined;
  /** When events were last accepted, in milliseconds since the epoch. */
  #deliveredAt: number | undefined;
  /** Since when calls fail, as `performance.now()`, with the cause of the last call and the reason of its failure. */
  #failure:
    | { readonly since: number; readonly cause: Notification['cause']; readonly reason: string }
    | undefined;
  /** Since when events are refused, the number of dropped events, and the last reason. */
  #refusal: { readonly since: number; readonly dropped: number; readonly reason: string } | undefined;

  /** Begins to queue events. */
  constructor(options: NotifierRunnerOptions) {
    this.#options = options;
    this.#queue = new EventQueue(() => this.#drop());
    this.#merger = new Merger(options.checkOf ?? (() => undefined));
    this.#backoff = new Backoff(options.retry ?? RETRY);
    this.#unsubscribe = options.events.subscribe((sent) => this.#add(sent));
    options.metrics.setQueued(0);
  }

  /** Adds the failures that an earlier process of the agent has sent: they are sent again if they last, else their ends are. */
  restore(failures: readonly AgentEvent[]): void {
    const now = Date.now();
    for (const event of failures) {
      this.#queue.restore(event);
      if (this.#open.has(event.id)) continue;
      this.#open.set(event.id, { event, beganAt: performance.now() - Math.max(0, now - event.since) });
      this.#earlier.add(event.id);
    }
  }

  /** Begins to call the notifier. */
  start(): void {
    this.#isStarted = true;
    this.#group();
    const { heartbeat = 0 } = this.#options.schedule;
    if (heartbeat === 0) return;
    this.#heartbeatTimer = setInterval(() => this.#deliver('heartbeat'), heartbeat).unref();
    this.#deliver('heartbeat');
  }

  /** When events were last accepted, in milliseconds since the epoch, the number of queued events, and why the last call failed. */
  get delivery(): DeliveryState {
    const problem = this.#failure?.reason ?? this.#refusal?.reason;
    const { events = 'all' } = this.#options.schedule;
    return { deliveredAt: this.#deliveredAt, queued: this.#queue.size, problem, events };
  }

  /** @throws CheckWarning when calls have failed for a minute, and while the receiver refuses events */
  check(): void {
    const problems = [this.#refusalText(), this.#failureText()].filter((text) => text !== undefined);
    if (problems.length > 0) throw new CheckWarning(problems.join('; '));
  }

  /** Delivers the queued events in one last call, and ends. */
  async stop(): Promise<void> {
    this.#unsubscribe();
    clearTimeout(this.#changeTimer);
    clearTimeout(this.#reminderTimer);
    clearInterval(this.#heartbeatTimer);
    this.#toRemind.clear();
    const end = setTimeout(() => this.#stopping.abort(new Error('the agent is stopping')), LAST_CALL_TIMEOUT);
    await this.#delivering;
    if (this.#isStarted && this.#queue.size > 0 && !this.#stopping.signal.aborted) {
      this.#due.add('change');
      await this.#deliverDue();
    }
    clearTimeout(end);
    // A call that failed meanwhile waits for a retry.
    clearTimeout(this.#changeTimer);
    this.#stopping.abort(new Error('the agent is stopping'));
    if (this.#queue.size > 0)
      this.#options.log.warn(`${countOf(this.#queue.size)} not delivered before the stop`);
  }

  #add(sent: SentEvent): void {
    const event = this.#wanted(sent);
    if (event === undefined) return;
    this.#queue.add(event, sent.isAgain);
    this.#onQueueChange();
    if (this.#isStarted) this.#group();
  }

  #drop(): void {
    const { metrics, log } = this.#options;
    metrics.countDropped();
    if (!this.#isDropping)
      log.warn(
        `more than ${MAX_QUEUED} events wait: the oldest are dropped and counted, events of the state info first`,
      );
    this.#isDropping = true;
  }

  /** Ends the failure when the queue is empty, because the events that could not be delivered have become obsolete. */
  #onQueueChange(): void {
    const { size } = this.#queue;
    this.#options.metrics.setQueued(size);
    if (size < MAX_QUEUED) this.#isDropping = false;
    if (size > 0 || this.#failure?.cause !== 'change') return;
    this.#failure = undefined;
    this.#options.log.info('the events that were not delivered are obsolete: the queue is empty');
  }

  /** The event in the form for this notifier; undefined: it does not get the event. */
  #wanted({ event, beganAt, explained, isAgain = false }: SentEvent): AgentEvent | undefined {
    const { events = 'all', repeat = 0 } = this.#options.schedule;
    if (events === 'none' || event.component === this.#options.component) return undefined;
    if (explained !== undefined && events === 'all') return undefined;
    const before = this.#open.get(event.id);
    const isEarlier = this.#earlier.has(event.id);
    // It was already sent, in place of the warning that explained it.
    if (before?.event.state === event.state && !isAgain && !isEarlier) return undefined;
    const isWanted = events === 'all' || event.severity === 'critical';
    if (event.state === 'info') return isWanted ? event : undefined;
    this.#earlier.delete(event.id);
    if (event.state !== 'recovered' && isWanted) {
      this.#open.set(event.id, { event, beganAt });
      this.#reminderTimer ??= this.#remindIn(repeat);
      return event;
    }
    if (before === undefined) return undefined;
    this.#open.delete(event.id);
    if (event.state === 'recovered') return event;
    // A critical failure became a warning, which this notifier does not get.
    const reason = recoveryReason(before, `now a warning (${event.reason})`);
    const headline = `${event.node ?? event.component} only needs attention now`;
    return { ...event, state: 'recovered', severity: before.event.severity, reason, headline };
  }

  #remindIn(repeat: number): NodeJS.Timeout | undefined {
    if (repeat === 0) return undefined;
    return setTimeout(() => {
      this.#reminderTimer = this.#open.size === 0 ? undefined : this.#remindIn(repeat);
      if (this.#open.size > 0) this.#deliver('reminder');
    }, repeat).unref();
  }

  #group(): void {
    if (this.#queue.size > 0) this.#deliverChangesIn(this.#options.schedule.groupFor ?? 10_000);
  }

  #deliverChangesIn(delay: number): void {
    this.#changeTimer ??= setTimeout(() => {
      this.#changeTimer = undefined;
      this.#deliver('change');
    }, delay).unref();
  }

  #deliver(cause: Notification['cause']): void {
    if (!this.#isStarted || this.#stopping.signal.aborted) return;
    this.#due.add(cause);
    this.#delivering ??= this.#deliverDue().finally(() => {
      this.#delivering = undefined;
    });
  }

  async #deliverDue(): Promise<void> {
    for (let next = this.#next(); next !== undefined; next = this.#next()) await this.#call(next);
  }

  #next(): Notification | undefined {
    const { agent } = this.#options;
    if (this.#due.delete('heartbeat')) return heartbeatNow(agent);
    if (this.#due.delete('change')) {
      const events = this.#nextChanges();
      if (events.length > 0) return { cause: 'change', agent, events };
    }
    if (this.#due.delete('reminder')) for (const id of this.#open.keys()) this.#toRemind.add(id);
    return this.#nextReminder();
  }

  #nextChanges(): readonly AgentEvent[] {
    const { events, omitted } = this.#merger.merge(this.#queue.first(MAX_QUEUED));
    for (const event of omitted) this.#queue.settle(event, 'omitted');
    if (omitted.length > 0) this.#onQueueChange();
    return events.slice(0, MAX_EVENTS);
  }

  /** The next part of a reminder, which can need several calls. */
  #nextReminder(): Notification | undefined {
    const events = [...this.#toRemind].flatMap((id) =>
      this.#open.has(id) ? (this.#options.events.latest(id) ?? []) : [],
    );
    if (events.length > 0)
      return {
        cause: 'reminder',
        agent: this.#options.agent,
        events: this.#merger.remind(events).slice(0, MAX_EVENTS),
      };
    this.#toRemind.clear();
    return undefined;
  }

  async #call(notification: Notification): Promise<void> {
    const { notify } = this.#options;
    const { cause, events } = notification;
    const delivery = new Delivery(events, (event, outcome) => {
      for (const part of this.#merger.partsOf(event)) {
        this.#queue.settle(part, outcome);
        if (outcome === 'accepted') this.#options.onAccepted?.(part);
        if (cause === 'reminder') this.#toRemind.delete(part.id);
      }
      if (cause === 'change' && outcome !== 'refused') this.#merger.accepted(event);
    });
    this.#queue.begin(events.flatMap((event) => this.#merger.partsOf(event)));
    this.#options.onTold?.(this.#queue.told);
    const told = (await this.#options.describe?.(events)) ?? events;
    let failure: { readonly error: unknown } | undefined;
    try {
      if (this.#unfinished.isFull)
        throw new AgentError('NOTIFICATION_NOT_ACCEPTED', 'an earlier call is still running');
      await within(CALL_TIMEOUT, 'the notification', this.#stopping.signal, (signal) =>
        this.#unfinished.run(async () =>
          notify({ ...notification, events: told }, signal, reportOf(delivery, told, events)),
        ),
      );
      delivery.acceptRest();
    } catch (error) {
      if (errorCodeOf(error) === 'NOTIFICATION_REFUSED') delivery.refuseRest(error);
      else failure = { error };
    }
    this.#queue.end(failure !== undefined && errorCodeOf(failure.error) !== 'NOTIFICATION_NOT_ACCEPTED');
    this.#options.onTold?.(this.#queue.told);
    this.#record(cause, delivery);
    if (failure !== undefined) this.#fail(cause, failure.error, delivery);
    this.#onQueueChange();
    if (failure !== undefined) return;
    this.#options.metrics.countCall(delivery.refusedCount > 0 ? 'refused' : 'succeeded');
    if (cause !== 'change') return;
    this.#backoff.reset();
    if (events.length === MAX_EVENTS) this.#due.add('change');
    else this.#group();
  }

  /** Records whether the receiver accepts events. */
  #record(cause: Notification['cause'], { acceptedCount, refusedCount, refusal }: Delivery): void {
    if (acceptedCount > 0) this.#deliveredAt = Date.now();
    if (refusedCount > 0) this.#refuse(cause, refusedCount, reasonOf(refusal));
    else if (acceptedCount > 0) {
      if (this.#failure !== undefined || this.#refusal !== undefined)
        this.#options.log.info('notifications are delivered again');
      this.#refusal = undefined;
    }
    if (acceptedCount + refusedCount > 0) this.#failure = undefined;
  }

  #refuse(cause: Notification['cause'], count: number, reason: string): void {
    const { metrics, log } = this.#options;
    const { since = Date.now(), dropped = 0 } = this.#refusal ?? {};
    if (cause === 'change') {
      metrics.countDropped(count);
      log.error(`${countOf(count)} dropped: ${reason}`);
    } else if (this.#refusal === undefined) log.error(`${cause} refused: ${reason}`);
    this.#refusal = { since, dropped: dropped + (cause === 'change' ? count : 0), reason };
  }

  /** Handles a failed call. Events without an outcome stay in the queue. Heartbeats and reminders are not retried, because they repeat. */
  #fail(cause: Notification['cause'], error: unknown, { acceptedCount, refusedCount }: Delivery): void {
    const { metrics, log } = this.#options;
    const hasProgress = acceptedCount + refusedCount > 0;
    metrics.countCall('failed');
    const reason = reasonOf(error);
    if (this.#failure === undefined && !this.#stopping.signal.aborted)
      log.warn(`not delivered, will be sent again: ${reason}`);
    this.#failure = { since: this.#failure?.since ?? performance.now(), cause, reason };
    if (cause === 'reminder' && !hasProgress) this.#toRemind.clear();
    if (cause !== 'change' || this.#stopping.signal.aborted) return;
    if (hasProgress) this.#backoff.reset();
    // Events that occurred during the call also wait for the retry.
    this.#due.delete('change');
    clearTimeout(this.#changeTimer);
    this.#changeTimer = undefined;
    this.#deliverChangesIn(this.#backoff.next());
  }

  #refusalText(): string | undefined {
    if (this.#refusal === undefined) return undefined;
    const { since, dropped, reason } = this.#refusal;
    const count = dropped === 0 ? '' : `, ${countOf(dropped)} dropped`;
    return `refused since ${new Date(since).toISOString()}${count}: ${reason}`;
  }

  #failureText(): string | undefined {
    if (this.#failure === undefined) return undefined;
    const { since, reason } = this.#failure;
    const duration = performance.now() - since;
    if (duration < ATTENTION_AFTER) return undefined;
    return `not delivered for ${formatDuration(Math.floor(duration / 1000) * 1000)}: ${reason}`;
  }
}

const countOf = (events: number): string => `${events} ${events === 1 ? 'event' : 'events'}`;

function heartbeatNow(agent: string): Notification {
  const component = 'heartbeat';
  const reason = 'the agent runs';
  const headline = 'The agent runs';
  const since = Date.now();
  const event: AgentEvent = {
    id: component,
    state: 'info',
    severity: 'info',
    component,
    headline,
    reason,
    since,
    fields: {},
  };
  return { cause: 'heartbeat', agent, events: [event] };
}

/** A report for a notifier that has the events in other objects. @param told the objects of the notifier, in the order of `events` */
function reportOf(
  delivery: DeliveryReport,
  told: readonly AgentEvent[],
  events: readonly AgentEvent[],
): DeliveryReport {
  const originals = new Map(told.map((event, index) => [event, events[index]!]));
  const originalOf = (event: AgentEvent): AgentEvent => originals.get(event) ?? event;
  return {
    accepted: (event) => delivery.accepted(originalOf(event)),
    refused: (event, error) => delivery.refused(originalOf(event), error),
    omitted: (event) => delivery.omitted(originalOf(event)),
  };
}
