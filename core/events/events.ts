// What fails now, and what changes: from the health checks and the sources to the notifiers. What follows from another failure is not sent.

import { formatDuration } from '../common/text/duration.js';
import { reasonOf, type AgentEvent, type Severity } from '../contract/index.js';
import { CHANNELS, type HealthObserver } from '../health/index.js';
import { explanationOf, isExplainable, type Explained, type KnownFailures } from './explanation.js';

/** A node that components belong to. */
export interface EventNode {
  readonly name: string;
  readonly kind: 'peer' | 'orderer';
}

/** How many ids of what happened are kept. */
const MAX_CAUSES = 1_000;
/** How long an explanation is waited for, in milliseconds: a frozen orderer has made its channels fail by then. */
const HOLD = 10_000;
/**
 * How long an explanation by a node is waited for, and how long after an explanation has ended what it has explained may still fail, in
 * milliseconds: a check of a frozen node ends after 30 s, and checkers that poll are late.
 */
const LONG_HOLD = 60_000;

/** An event, and when its state began by a clock that does not jump. */
export interface TimedEvent {
  readonly event: AgentEvent;
  /** As `performance.now()`. */
  readonly beganAt: number;
}

/** What fails. */
interface Failure {
  event: AgentEvent;
  /** As in {@link TimedEvent}. */
  beganAt: number;
  follows: string | undefined;
  wasExplained: boolean;
  /** The last event that receivers of all events got, and that receivers of critical ones did. */
  sent: { readonly all?: TimedEvent; readonly critical?: TimedEvent };
  /** The consenters that the last event has named, if it is of a channel. */
  named: ReadonlySet<string>;
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
  readonly #failures = new Map<string, Failure>();
  readonly #listeners = new Set<EventListener>();
  /** How many events {@link Events.happened} has sent. */
  #happened = 0;
  /** The last ids that checkers gave what happened, oldest first. */
  #causes: ReadonlySet<string> = new Set();

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

  checked(component: string, reason: string | undefined, severity: Severity, follows?: string): void {
    const before = this.#failures.get(component);
    if (reason === undefined) return this.#end(before, 'works again');
    const state = severity === 'critical' ? 'failed' : 'warning';
    const why = reasonOf(reason);
    const failure = before ?? {
      event: this.#failureOf(component, state, why),
      beganAt: performance.now(),
      follows,
      wasExplained: false,
      sent: {},
      named: new Set(),
      timer: undefined,
    };
    failure.follows = follows;
    if (failure.event.state === state) failure.event = { ...failure.event, reason: why };
    else {
      failure.event = this.#failureOf(component, state, why);
      failure.beganAt = performance.now();
      // At the end of the map: oldest first.
      this.#failures.delete(component);
    }
    this.#failures.set(component, failure);
    this.#consider(failure);
  }

  removed(component: string): void {
    for (const [name, failure] of this.#failures)
      if (name === component || name.startsWith(`${component}/`)) this.#end(failure, 'no longer checked');
  }

  /** Whether a checker has reported an event with an id. */
  isKnown(id: string): boolean {
    return this.#causes.has(id);
  }

  /**
   * Publishes an event about something that happened.
   *
   * @param component as in `/healthz`
   * @param cause the id of what happened, for {@link isKnown}; empty: none
   */
  happened(component: string, reason: string, fields: AgentEvent['fields'], cause = ''): void {
    if (cause !== '') this.#causes = new Set([...this.#causes, cause].slice(-MAX_CAUSES));
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

  /** Tells that a node has restarted. */
  restarted(component: string): void {
    const reason = 'the process has restarted';
    const facts = { state: 'info', severity: 'info', reason, runbook: 'FabricNodeRestarts' } as const;
    this.#publish(timed(createEvent(component, this.#nodeOf(component), facts)));
  }

  #failureOf(component: string, state: 'failed' | 'warning', reason: string): AgentEvent {
    const node = this.#nodeOf(component);
    const isNode = state === 'failed' && component === node?.name;
    const section = state === 'failed' ? failureSection(component) : warningSection(component);
    return createEvent(component, node, {
      state,
      severity: state === 'failed' ? 'critical' : 'warning',
      reason,
      runbook: isNode ? 'FabricNodeDown' : section,
    });
  }

  /** Sends a failure, now or once it is clear that nothing explains it. */
  #consider(failure: Failure): void {
    // As in most checks: all receivers have it.
    if (failure.timer === undefined && !isToSend(failure, undefined)) return;
    const { known, explained } = this.#explain(failure);
    if (!isToSend(failure, explained)) {
      clearTimeout(failure.timer);
      failure.timer = undefined;
      return;
    }
    const delay = this.#holdOf(failure, known, explained);
    if (delay === 0) return this.#send(failure);
    failure.timer ??= setTimeout(() => {
      failure.timer = undefined;
      this.#send(failure);
    }, delay).unref();
  }

  #holdOf(failure: Failure, known: KnownFailures, explained: Severity | undefined): number {
    const { component } = failure.event;
    if (failure.wasExplained && explained === undefined) return LONG_HOLD;
    if (failure.follows !== undefined && known.nodes.includes(failure.follows)) return LONG_HOLD;
    const isOrderer = this.#nodes().some(({ name, kind }) => kind === 'orderer' && name === component);
    return isOrderer || isExplainable(explainedOf(failure), known) ? HOLD : 0;
  }

  #send(failure: Failure): void {
    const { explained } = this.#explain(failure);
    if (!isToSend(failure, explained)) return;
    const { event, beganAt } = failure;
    const sent = { event, beganAt };
    failure.sent =
      explained === undefined ? { all: sent, critical: sent } : { ...failure.sent, critical: sent };
    if (isChannel(event.component)) failure.named = this.#inactiveIn(event.component);
    this.#publish(sent, explained);
  }

  /** The consenters that take no part in a channel. @param component of the channel */
  #inactiveIn(component: string): ReadonlySet<string> {
    const consenters = this.#channels().get(component.slice(CHANNELS.length + 1)) ?? [];
    return new Set(consenters.flatMap(({ name, outage }) => (outage === undefined ? [] : [name])));
  }

  #explain(failure: Failure): { readonly known: KnownFailures; readonly explained: Severity | undefined } {
    const known: KnownFailures = {
      severityOf: (component) => {
        const severity = this.#failures.get(component)?.event.severity;
        return severity === 'info' ? undefined : severity;
      },
      nodes: this.#nodes().map(({ name }) => name),
      channels: this.#channels(),
      isNamed: (channel, consenter) =>
        this.#failures.get(`${CHANNELS}/${channel}`)?.named.has(consenter) === true,
    };
    const explained = explanationOf(explainedOf(failure), known);
    if (explained !== undefined) failure.wasExplained = true;
    return { known, explained };
  }

  #end(failure: Failure | undefined, what: string): void {
    if (failure === undefined) return;
    const { event, sent, timer } = failure;
    clearTimeout(timer);
    this.#failures.delete(event.component);
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

/** Whether a failure must still be sent to some receivers: receivers of critical events do not get a warning that explains it. */
function isToSend({ event, sent }: Failure, explained: Severity | undefined): boolean {
  if (explained === 'critical') return false;
  const isNew = (last: TimedEvent | undefined): boolean => last?.event.state !== event.state;
  return isNew(sent.critical) || (explained === undefined && isNew(sent.all));
}

/** The rules for warnings of the agent itself, by the end of the name of the component. */
const OWN_WARNINGS: ReadonlyMap<string, string> = new Map([
  [' (metrics)', 'FabricOpsAgentSinkDeliversNothing'],
  [' (notifier)', 'FabricOpsAgentNotifierNotDelivered'],
  [' (operations)', 'FabricOpsAgentCertificateNotReloaded'],
]);

const isChannel = (component: string): boolean => component.startsWith(`${CHANNELS}/`);

/** The section of the runbook for a failure. */
const failureSection = (component: string): string =>
  isChannel(component) ? 'FabricChannelStopped' : 'FabricHealthCheckFailing';

/** The section of the runbook for a warning. */
function warningSection(component: string): string {
  if (isChannel(component)) return 'FabricChannelAtRisk';
  const own = [...OWN_WARNINGS].find(([end]) => component.endsWith(end));
  return own?.[1] ?? 'FabricHealthCheckWarning';
}

function createEvent(
  component: string,
  node: EventNode | undefined,
  facts: Pick<AgentEvent, 'state' | 'severity' | 'reason' | 'runbook'>,
): AgentEvent {
  return {
    id: component,
    component,
    ...(node !== undefined && { node: node.name }),
    ...facts,
    since: Date.now(),
    fields: node === undefined ? {} : { kind: node.kind },
  };
}

/**
 * The reason of a recovery.
 *
 * @param before what ended
 * @param what what is true now, such as `works again`
 */
export function recoveryReason({ event, beganAt }: TimedEvent, what: string): string {
  const { state, since, reason } = event;
  const duration = formatDuration(Math.floor((performance.now() - beganAt) / 1000) * 1000);
  const was = state === 'warning' ? 'needed attention' : 'failed';
  const start = new Date(since).toISOString().replace(/\.\d+Z$/, 'Z');
  return reasonOf(`${what} after ${duration}; ${was} since ${start}, former reason: ${reason}`);
}
