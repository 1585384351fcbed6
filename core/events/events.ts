// The current failures and their changes: from health checks and sources to notifiers. Failures that another failure explains are not sent.

import type { NodeSettings } from '../../config/index.js';
import {
  channelComponent,
  channelOf,
  isBelow,
  isChannel,
  ownerOf,
  partsOf,
  type ComponentParts,
} from '../common/text/component.js';
import { onOneLine } from '../common/text/one-line.js';
import { reasonOf, type AgentEvent } from '../contract/index.js';
import type { FailureDetails } from '../contract/internal/index.js';
import type { Severity } from '../contract/errors.js';
import type { Consenter } from '../fabric/channel.js';
import type { HealthObserver } from '../health/index.js';
import { Causes } from './causes.js';
import { explanationOf, isExplainable, type Explained, type KnownFailures } from './explanation.js';
import {
  createEvent,
  failureEvent,
  recoveryReason,
  type EventListener,
  type SentEvent,
  type TimedEvent,
} from './new-event.js';
import type { PastFailure } from '../status/index.js';
import { PastFailures } from './past.js';
import { SharedCauses } from './shared-causes.js';
import { Silences, type Silence } from './silences.js';

/** Maximum number of event ids of checkers that are kept. */
const MAX_CAUSES = 1_000;
/**
 * How long a failure waits for an explanation, in milliseconds: by then a frozen orderer has made its channels fail, and an election has ended.
 */
const HOLD = 10_000;
/**
 * How long a failure waits for an explanation by a node or another check, for its own end after its explanation has ended, and for other
 * parts with the same cause, in milliseconds: a check of a frozen node ends after 30 s, and checkers that poll are late.
 */
const LONG_HOLD = 60_000;
/** Most explanations one after the other that a silence is searched in. */
const MAX_EXPLANATIONS = 5;

/** A failure. Times are as `performance.now()`. */
interface Failure {
  event: AgentEvent;
  beganAt: number;
  /** When the last check run that found it began. */
  observedAt: number;
  follows: string | undefined;
  wasExplained: boolean;
  /** While it waits to be sent: since when, `observedAt` at that time, and the severity of its explanation. */
  held:
    | { readonly since: number; readonly observedAt: number; readonly explained: Severity | undefined }
    | undefined;
  /** The last event for receivers of all events, and for receivers of critical events only. */
  sent: { readonly all?: TimedEvent; readonly critical?: TimedEvent };
  timer: NodeJS.Timeout | undefined;
}

/** The events of an agent. */
export class Events implements HealthObserver {
  readonly #nodes: () => readonly NodeSettings[];
  readonly #channels: () => KnownFailures['channels'];
  readonly #silences: Silences;
  readonly #checks: () => readonly string[];
  readonly #isSentElsewhere: (component: string) => boolean;
  /** By component. For failures with shared causes only the causes are sent. */
  readonly #failures = new Map<string, Failure>();
  /** The shared causes, by id. */
  readonly #shared = new Map<string, Failure>();
  readonly #causes = new Causes();
  readonly #sharedCauses = new SharedCauses((component) => this.#nodeOf(component)?.name);
  readonly #past = new PastFailures();
  readonly #listeners = new Set<EventListener>();
  /** The number of events sent by {@link Events.happened}. */
  #happened = 0;
  /** The last event ids from checkers, oldest first. */
  #known: ReadonlySet<string> = new Set();

  /**
   * @param nodes called for each event
   * @param channels by channel, the inactive consenters; called for failed checks
   * @param silences the silences of planned work
   * @param checks the names of the checks; called for failed checks
   * @param isSentElsewhere whether the agent of another host sends the failure of a channel: a critical failure is not explained by a warning
   *   that only the receivers of that agent get
   */
  constructor(
    nodes: () => readonly NodeSettings[],
    channels: () => KnownFailures['channels'] = () => new Map(),
    silences: Silences = new Silences(),
    checks: () => readonly string[] = () => [],
    isSentElsewhere: (component: string) => boolean = () => false,
  ) {
    this.#isSentElsewhere = isSentElsewhere;
    this.#checks = checks;
    this.#nodes = nodes;
    this.#channels = channels;
    this.#silences = silences;
  }

  /** The current failures, sent or not, with their latest reasons, oldest first. */
  get open(): readonly AgentEvent[] {
    return [...this.#failures.values()].map(({ event }) => event);
  }

  /** The component whose failure explains a current failure; undefined: nothing explains it. */
  causeOf(component: string): string | undefined {
    const failure = this.#failures.get(component);
    return failure && explanationOf(explainedOf(failure), this.#knownTo(failure))?.component;
  }

  /** Why a current failure is not an event yet; undefined: it is one, or another one explains it. */
  whyWaiting(component: string): string | undefined {
    return this.#failures.get(component)?.held && 'another failure may explain it, or it may end at once';
  }

  /** The silence that covers a component, or a failure that explains its failure; undefined: none. */
  silencedBy(component: string): Silence | undefined {
    if (this.#silences.active.length === 0) return undefined;
    const seen = new Set<string>();
    let name: string | undefined = component;
    while (name !== undefined && !seen.has(name) && seen.size < MAX_EXPLANATIONS) {
      seen.add(name);
      const found = this.#silences.covering(this.subjectOf(name), this.#channels());
      if (found !== undefined) return found;
      name = this.causeOf(name);
    }
    return undefined;
  }

  /** Returns true if a consenter that no silence covers does not participate in a channel. */
  isExposed(channel: string): boolean {
    return this.#silences.isExposed(channel, this.#channels());
  }

  /** The consenters that do not participate in a channel. @param component the component of the channel */
  outIn(component: string): ReadonlySet<string> {
    return new Set(
      this.#inactiveIn(component).flatMap(({ name, outage }) => (outage === undefined ? [] : [name])),
    );
  }

  /** The inactive consenters of a channel. @param component the component of the channel */
  #inactiveIn(component: string): readonly Consenter[] {
    return this.#channels().get(channelOf(component) ?? '') ?? [];
  }

  /**
   * When the last check run began that found that a node fails itself, or does not participate in one of its channels, as `performance.now()`;
   * undefined: neither.
   */
  foundDownAt(node: string): number | undefined {
    const failure = this.#failures.get(node);
    const found = [...this.#channels().keys()].flatMap((channel) => {
      const component = channelComponent(channel);
      return this.outIn(component).has(node) ? [this.#failures.get(component)?.observedAt ?? Infinity] : [];
    });
    if (failure?.event.state === 'failed') found.push(failure.observedAt);
    return found.length === 0 ? undefined : Math.max(...found);
  }

  #names(): Pick<KnownFailures, 'checks' | 'nodes'> {
    return { nodes: this.#nodes().map(({ name }) => name), checks: this.#checks() };
  }

  /** What a component is about; the channel is also the one that its failure follows. */
  subjectOf(component: string): ComponentParts {
    const parts = partsOf(component, { channels: this.#channels(), ...this.#names() });
    const follows = this.#failures.get(component)?.follows ?? '';
    return { ...parts, channel: parts.isChannel ? parts.channel : (channelOf(follows) ?? parts.channel) };
  }

  /** The failures of a node and its checks, or of a channel, that have ended. @param owner the node, or the component of the channel */
  past(owner: string): readonly PastFailure[] {
    return this.#past.of(owner, Date.now());
  }

  /** Calls the listener with each event. @returns a function that ends the subscription */
  subscribe(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends the waits of the failures that are not sent yet. */
  stop(): void {
    for (const { timer } of [...this.#failures.values(), ...this.#shared.values()]) clearTimeout(timer);
  }

  /** The current failure with this id and its latest reason; undefined: it has ended. */
  latest(id: string): AgentEvent | undefined {
    return (this.#failures.get(id) ?? this.#shared.get(id))?.event;
  }

  checked(
    component: string,
    reason: string | undefined,
    severity: Severity,
    details: FailureDetails = {},
  ): void {
    const { causes = [], observedAt = performance.now() } = details;
    if (reason === undefined) return this.#end(this.#failures, component, RECOVERED);
    const failure = this.#record(
      this.#failures,
      component,
      { component, severity, reason },
      { ...details, observedAt },
    );
    this.#watch(component);
    for (const id of this.#sharedCauses.record(component, causes, severity))
      this.#considerShared(id, RECOVERED, observedAt);
    if (causes.length === 0) this.#consider(failure);
    else this.#endSent(failure, 'has another cause');
  }

  removed(component: string): void {
    for (const name of this.#failures.keys())
      if (isBelow(name, component)) this.#end(this.#failures, name, GONE);
  }

  /** Returns true if a checker has already reported an event with this id. */
  isKnown(id: string): boolean {
    return this.#known.has(id);
  }

  /**
   * Publishes an event of the state `info`.
   *
   * @param component as in `/healthz`
   * @param cause the id from the checker, for {@link isKnown}; empty: none
   * @param headline the event in a sentence; undefined: `reason` is all
   */
  happened(
    component: string,
    reason: string,
    fields: AgentEvent['fields'],
    cause = '',
    headline?: string,
  ): void {
    if (cause !== '') this.#known = new Set([...this.#known, cause].slice(-MAX_CAUSES));
    const event = createEvent(component, this.#nodeOf(component), {
      state: 'info',
      severity: 'info',
      reason,
    });
    this.#happened += 1;
    // Each event has a different id, so that a later event of the component does not replace it.
    const id = `${component}#${event.since}-${this.#happened}`;
    const words = headline === undefined ? {} : { headline };
    this.#publish(timed({ ...event, ...words, id, fields: { ...fields, ...event.fields } }));
  }

  /** Publishes the restart of a node. @param versions before and after the restart, if they differ */
  restarted(component: string, versions?: { readonly before: string; readonly now: string }): void {
    const changed = versions && `${onOneLine(versions.before)} → ${onOneLine(versions.now)}`;
    const reason = `the process has restarted${changed === undefined ? '' : `: ${changed}`}`;
    const facts = { state: 'info', severity: 'info', reason, runbook: 'FabricNodeRestarts' } as const;
    const event = createEvent(component, this.#nodeOf(component), facts);
    const headline = `${component} has restarted`;
    this.#publish(timed({ ...event, headline }), { restart: { versions: changed } });
  }

  /** Records a failure. @param id the component, or the id of a shared cause */
  #record(
    failures: Map<string, Failure>,
    id: string,
    {
      component,
      severity,
      reason,
    }: { readonly component: string; readonly severity: Severity; readonly reason: string },
    {
      follows,
      headline,
      steps,
      observedAt,
    }: Pick<FailureDetails, 'follows' | 'headline' | 'steps'> & { readonly observedAt: number },
  ): Failure {
    const before = failures.get(id);
    const state = severity === 'critical' ? 'failed' : 'warning';
    const why = reasonOf(reason);
    const words = { ...(headline !== undefined && { headline }), ...(steps !== undefined && { steps }) };
    const event = {
      ...failureEvent(component, this.#nodeOf(component), state, why),
      ...words,
      id,
    };
    if (before?.event.state === state) {
      // A shared cause keeps the component of its sent event.
      const { headline: _headline, steps: _steps, ...named } = isSent(before) ? before.event : event;
      before.event = { ...named, ...words, reason: why, since: before.event.since };
      return Object.assign(before, { follows, observedAt });
    }
    if (before !== undefined && failures === this.#failures) this.#remember(before);
    const failure = before ?? { wasExplained: false, held: undefined, sent: {}, timer: undefined };
    // Moves it to the end of the map, which is ordered by age.
    failures.delete(id);
    const changed = Object.assign(failure, { event, beganAt: performance.now(), follows, observedAt });
    failures.set(id, changed);
    return changed;
  }

  /** @param observedAt when the check run that found a part of it began; omitted: a part has ended */
  #considerShared(id: string, what: string, observedAt?: number): void {
    const found = this.#sharedCauses.failureOf(id);
    if (found === undefined) return this.#end(this.#shared, id, what);
    const before = this.#shared.get(id);
    const reason = before?.event.reason;
    const start = observedAt ?? before?.observedAt ?? performance.now();
    const failure = this.#record(this.#shared, id, found, { observedAt: start });
    // More parts may follow that the event should name.
    const isNew = reason !== failure.event.reason && performance.now() - failure.beganAt < LONG_HOLD;
    if (isNew) failure.held = undefined;
    this.#consider(failure);
  }

  /** Records the state of a component, which may explain other failures. */
  #watch(component: string): void {
    const now = performance.now();
    const failure = this.#failures.get(component);
    if (failure === undefined) this.#causes.ended(component, now);
    else this.#causes.fails(component, failure.event.state === 'failed' ? 'critical' : 'warning', now);
    if (isChannel(component) || component === this.#nodeOf(component)?.name)
      this.#causes.observe(this.#channels(), now);
  }

  /** Sends a failure at once, or after a wait if nothing explains it and a second check run has found it, too. */
  #consider(failure: Failure): void {
    // The usual case: all receivers already have it.
    if (failure.held === undefined && !isToSend(failure, undefined)) return;
    const { known, explained } = this.#explain(failure);
    clearTimeout(failure.timer);
    if (!isToSend(failure, explained)) {
      failure.held = undefined;
      return;
    }
    const now = performance.now();
    if (failure.held?.explained !== explained) failure.held = undefined;
    failure.held ??= { since: now, observedAt: failure.observedAt, explained };
    const delay = this.#holdOf(failure, known, explained);
    const left = failure.held.since + delay - now;
    if (left > 0) failure.timer = setTimeout(() => this.#consider(failure), left).unref();
    else if (delay === 0 || failure.observedAt > failure.held.observedAt) this.#send(failure, explained);
  }

  #holdOf(failure: Failure, known: KnownFailures, explained: Severity | undefined): number {
    const { component, id } = failure.event;
    if (this.#shared.get(id) === failure) return HOLD;
    if (failure.wasExplained && explained === undefined) return LONG_HOLD;
    if (failure.follows !== undefined && !isChannel(failure.follows)) return LONG_HOLD;
    const isOrderer = this.#nodes().some(({ name, kind }) => kind === 'orderer' && name === component);
    return isOrderer || this.#isElection(failure) || isExplainable(explainedOf(failure), known) ? HOLD : 0;
  }

  /** Returns true if a channel is at risk only because consenters know no leader, which an election ends. */
  #isElection({ event: { component, state } }: Failure): boolean {
    if (state !== 'warning' || !isChannel(component)) return false;
    const inactive = this.#inactiveIn(component);
    return inactive.length > 0 && inactive.every(({ outage }) => outage === undefined);
  }

  #send(failure: Failure, explained: Severity | undefined): void {
    const { event, beganAt } = failure;
    const sent = { event, beganAt };
    failure.held = undefined;
    failure.sent =
      explained === undefined ? { all: sent, critical: sent } : { ...failure.sent, critical: sent };
    if (isChannel(event.component)) this.#causes.name(event.component, this.outIn(event.component));
    this.#publish(sent, { explained });
  }

  /** The severity of the explanation of a failure: of anything that failed since the beginning of the check run that found it. */
  #explain(failure: Failure): { readonly known: KnownFailures; readonly explained: Severity | undefined } {
    const known = this.#knownTo(failure);
    const explanation = explanationOf(explainedOf(failure), known);
    const isElsewhere =
      explanation?.severity === 'warning' &&
      failure.event.state === 'failed' &&
      this.#isSentElsewhere(explanation.component);
    const explained = isElsewhere ? undefined : explanation?.severity;
    if (explanation !== undefined) failure.wasExplained = !isElsewhere;
    return { known, explained };
  }

  /** The failures since the beginning of the check run that found a failure. */
  #knownTo(failure: Failure): KnownFailures {
    this.#causes.observe(this.#channels(), performance.now());
    const { severityOf, ...known } = this.#causes.since(failure.observedAt);
    return {
      ...known,
      severityOf: (component) =>
        this.#isSilencedFor(component, failure.event.component) ? undefined : severityOf(component),
      ...this.#names(),
    };
  }

  /** Returns true if a silence of a channel covers its failure, and not another failure: the failure of the channel does not explain it then. */
  #isSilencedFor(channel: string, other: string): boolean {
    if (!isChannel(channel) || this.#silences.active.length === 0) return false;
    const subject = this.subjectOf(channel);
    const silence = this.#silences.ofChannel(subject.channel ?? '');
    const beganAt = this.#failures.get(channel)?.beganAt ?? -Infinity;
    return (
      silence !== undefined && silence.beganAt <= beganAt && this.subjectOf(other).channel !== subject.channel
    );
  }

  #end(failures: Map<string, Failure>, id: string, what: string): void {
    const failure = failures.get(id);
    if (failure === undefined) return;
    failures.delete(id);
    if (failures === this.#failures) {
      this.#remember(failure);
      this.#watch(id);
      for (const shared of this.#sharedCauses.record(id, [], 'warning')) this.#considerShared(shared, what);
    }
    this.#endSent(failure, what);
  }

  /** Keeps a failure that ends, or changes its severity, now. */
  #remember({ event }: Failure): void {
    const { component } = event;
    const owner = isChannel(component) ? component : this.#nodeOf(component)?.name;
    if (owner !== undefined) this.#past.add(owner, event, Date.now());
  }

  /** Sends the recovery to the receivers of the failure. */
  #endSent(failure: Failure, what: string): void {
    const { event, sent, timer } = failure;
    clearTimeout(timer);
    failure.held = undefined;
    failure.sent = {};
    const last = sent.all ?? sent.critical;
    if (last === undefined) return;
    const ended = last.event.state === event.state ? failure : last;
    const reason = recoveryReason(ended, what);
    const { headline: _headline, steps: _steps, ...before } = ended.event;
    const recovered: AgentEvent = {
      ...before,
      state: 'recovered',
      reason,
      since: Date.now(),
      began: ended.event.since,
      ...(what !== RECOVERED && { headline: endHeadline(event, what) }),
    };
    this.#publish(timed(recovered), { explained: sent.all === undefined ? 'warning' : undefined });
  }

  #nodeOf(component: string): NodeSettings | undefined {
    const nodes = this.#nodes();
    const owner = ownerOf(
      component,
      nodes.map(({ name }) => name),
    );
    return nodes.find(({ name }) => name === owner);
  }

  #publish(timedEvent: TimedEvent, more: Pick<SentEvent, 'explained' | 'restart'> = {}): void {
    const sent = { ...timedEvent, ...more, subject: this.subjectOf(timedEvent.event.component) };
    for (const listener of this.#listeners) listener(sent);
  }
}

/** The end of a failure because its check succeeds. */
const RECOVERED = 'recovered';
/** The end of a failure because its check was removed. */
const GONE = 'no longer checked';

/** The headline of the end of a failure for another reason. */
const endHeadline = ({ component }: AgentEvent, what: string): string =>
  `${channelOf(component) ?? component} ${what === GONE ? `is ${what}` : what}`;

/** An event whose state begins now. */
const timed = (event: AgentEvent): TimedEvent => ({ event, beganAt: performance.now() });

const explainedOf = ({ event: { component, state }, follows }: Failure): Explained => ({
  component,
  severity: state === 'failed' ? 'critical' : 'warning',
  follows,
});

const isSent = ({ sent }: Failure): boolean => (sent.all ?? sent.critical) !== undefined;

/** Returns true if some receivers must still get a failure: receivers of critical events do not get a warning that explains it. */
function isToSend({ event, sent }: Failure, explained: Severity | undefined): boolean {
  if (explained === 'critical') return false;
  const isNew = (last: TimedEvent | undefined): boolean => last?.event.state !== event.state;
  return isNew(sent.critical) || (explained === undefined && isNew(sent.all));
}
