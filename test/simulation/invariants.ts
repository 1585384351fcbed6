// What must be true of each history. An invariant is a function that returns the violations.

import { CHANNELS } from '../../core/health/index.js';
import { cutsOf, dueAt, hindrancesOf, type Duty } from './able.js';
import { isRestart, outagesIn, tellTime } from './restarts.js';
import type { Delivered, SimulatedReceiver } from './receiver.js';
import { componentsOf, isProblem, knows, lastAbout, names } from './told.js';
import { hostOf } from './setup.js';
import type { Span } from './truth.js';
import type { History } from './world.js';

/** A violation of an invariant. */
export interface Violation {
  /** 1 to 7, see README.md. */
  readonly invariant: number;
  /** When, in milliseconds since the start of the simulation. */
  readonly at: number;
  /** The component or the host that it is about. */
  readonly subject: string;
  readonly text: string;
}

/** Time in which everything must be told, in milliseconds. */
const WITHIN = 90_000;
/** How long an agent of another host may be unreachable without a word, in milliseconds. */
const PATIENCE = 60_000;
/** An election may take this long until the channel counts as stopped, in milliseconds. */
const ELECTION = 40_000;
/** Differences between the truth and what an agent can have seen, in milliseconds. */
const MARGIN = 20_000;
/** What is told was true in this time before it, in milliseconds: a receiver may have refused it for a while. */
const WINDOW = 300_000;
/** How long after a change a verdict may still be the former one, in milliseconds. */
const VERDICT_DELAY = 30_000;
/** The most events of one cause for one receiver: a second one may name the nodes. */
const MOST = 2;
/** How long an agent may report a problem that nobody was told of, in milliseconds. */
const LONGEST_HELD = 300_000;

/** The hosts whose agents can notice something. */
const hostsFor = (subject: string, { setup }: History): string[] => {
  const all = setup.hosts.map(({ name }) => name);
  if (subject.startsWith('agents/')) return all.filter((host) => `agents/${host}` !== subject);
  return subject.startsWith(`${CHANNELS}/`) ? all : [hostOf(subject.split('/')[0]!)];
};

const seconds = (time: number): string => (time === Infinity ? 'the end' : `${Math.round(time / 1000)}s`);
const overlaps = ({ from, to }: Span, since: number, until: number): boolean => from < until && to > since;

/** A failure that must be told. */
interface Failure extends Duty {
  readonly severity: 'critical' | 'warning';
  readonly to: number;
  /** @returns whether an event tells it */
  readonly isMeant: (delivered: Delivered) => boolean;
  /** Others that tell it as well, if all are told. */
  readonly instead: readonly string[];
}

function failuresOf(history: History): Failure[] {
  const { truth, setup } = history;
  const found: Failure[] = [];
  const add = (
    subject: string,
    severity: Failure['severity'],
    { from, to }: Pick<Span, 'from' | 'to'>,
    more: Partial<Failure> = {},
  ): void =>
    void found.push({
      subject,
      severity,
      from,
      to,
      within: WITHIN,
      nodes: [],
      isMeant: (each) => names(each, subject),
      instead: [],
      ...more,
    });
  for (const host of setup.hosts) {
    for (const node of [`orderer${host.name.slice(4)}`, `peer${host.name.slice(4)}`]) {
      for (const span of truth.joined(node))
        if (!isRestart(span, truth)) add(node, 'critical', span, { within: tellTime(span), nodes: [node] });
      for (const span of truth.of(`${node}/disk`)) add(`${node}/disk`, 'critical', span, { nodes: [node] });
    }
    for (const span of truth.of(`agent ${host.name}`))
      add(`agents/${host.name}`, 'warning', span, { within: PATIENCE + WITHIN });
  }
  for (const channel of setup.channels) {
    const subject = `${CHANNELS}/${channel}`;
    for (const span of truth.joined(subject, ({ what }) => what !== 'at-risk')) {
      const from = span.what === 'stopped' ? span.from : span.from + ELECTION;
      const isMeant = (each: Delivered): boolean =>
        names(each, subject) && each.event.severity === 'critical';
      add(subject, 'critical', { from, to: span.to }, { nodes: span.out, isMeant });
    }
    for (const span of truth.joined(subject)) {
      const outages = outagesIn(span, truth);
      if (outages.length > 0 && outages.every((each) => isRestart(each, truth))) continue;
      const within = Math.max(WITHIN, ...outages.map(tellTime));
      add(subject, 'warning', span, { within, nodes: span.out, instead: span.out });
    }
  }
  return found;
}

/** 1. A failure that lasts is told by at least one agent to each notifier that wants it. */
function told(history: History): Violation[] {
  return failuresOf(history).flatMap((failure) => {
    const { subject, severity, from, to, instead } = failure;
    const ofHost = (host: string): SimulatedReceiver[] =>
      history.receivers.filter(
        (each) => each.host === host && each.wants(severity) && each.setup.isBroken !== true,
      );
    const isTold = (receiver: SimulatedReceiver, until: number): boolean =>
      knows(receiver, { from, until }, failure.isMeant) ||
      (instead.length > 0 &&
        instead.every((name) => knows(receiver, { from, until }, (each) => names(each, name))));
    const dues = hostsFor(subject, history).flatMap((host) => {
      const all = ofHost(host);
      return all.length === 0 ? [] : [Math.max(...all.map((receiver) => dueAt(history, receiver, failure)))];
    });
    const due = Math.min(...dues);
    if (due > Math.min(to, history.end)) return [];
    const until = due + 1_000;
    const isDone = history.setup.hosts.some(({ name }) => {
      const all = ofHost(name);
      return all.length > 0 && all.every((receiver) => isTold(receiver, until));
    });
    // A channel that lacks a consenter and then stops was told if its stop was.
    const isStopTold =
      subject.startsWith(`${CHANNELS}/`) &&
      history.receivers.some((receiver) =>
        knows(
          receiver,
          { from, until },
          (each) => names(each, subject) && each.event.severity === 'critical',
        ),
      );
    const text = `fails since ${seconds(from)}, and at ${seconds(due)} no receiver that wants it has been told`;
    return isDone || isStopTold ? [] : [{ invariant: 1, at: due, subject, text }];
  });
}

/** The periods in which a component failed from the view of an agent; undefined: the simulation does not know it. @param isMeant which count of another agent */
function truthOf(
  component: string,
  host: string,
  { truth }: History,
  isMeant: (span: Span) => boolean = () => true,
): readonly Span[] | undefined {
  if (component === 'agent')
    return truth.of(`starved ${host}`).map((span) => ({ ...span, to: span.to + WITHIN }));
  const [, other] = /^agents\/(.+)$/.exec(component) ?? [];
  if (other !== undefined)
    return joinedAll(
      [
        ...truth.of(`agent ${other}`),
        ...truth.of(`starved ${other}`),
        ...truth.of(`cut ${host} ${other}`),
      ].filter(isMeant),
    );
  const [, notifier] = /^(\w+) \(notifier\)$/.exec(component) ?? [];
  if (notifier !== undefined) return truth.of(`receiver ${host}/${notifier}`);
  const isKnown = /^(?:(?:orderer|peer)\d+(?:\/disk)?|channels\/.+)$/.test(component);
  return isKnown ? truth.joined(component) : undefined;
}

/** A starved agent may respond in time, or not; a frozen one does not. */
const isCertain = ({ what }: Span): boolean => what !== 'starved';

/** Periods that overlap or follow each other become one. */
function joinedAll(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last !== undefined && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else joined.push({ ...span });
  }
  return joined;
}

/** 2. A recovery is told to those that were told the failure, and not before the failure ends. */
function recovered(history: History): Violation[] {
  return history.receivers.flatMap((receiver) => {
    const { host, delivered } = receiver;
    const early = delivered.flatMap((each) => {
      const { at, event } = each;
      const { id, state } = event;
      if (state !== 'recovered') return [];
      const isReplaced = componentsOf(each).some((component) =>
        history.truth.replacements(component).some((time) => time > at - MARGIN && time <= at),
      );
      if (isReplaced) return [];
      const spans = componentsOf(each).flatMap((component) =>
        receiver.setup.events === 'critical' && component.startsWith(`${CHANNELS}/`)
          ? history.truth.joined(component, ({ what }) => what === 'stopped')
          : (truthOf(component, host, history, isCertain) ?? []),
      );
      const lasting = spans.find(
        (span) => overlaps(span, at - 1, at) && span.from < at - MARGIN && span.to > at + MARGIN,
      );
      const text = `${host}/${receiver.setup.name} was told at ${seconds(at)} that it works again; it fails from ${seconds(lasting?.from ?? 0)} to ${seconds(lasting?.to ?? 0)}`;
      return lasting === undefined ? [] : [{ invariant: 2, at, subject: id, text }];
    });
    return [...early, ...missingRecoveries(receiver, history)];
  });
}

function missingRecoveries(receiver: SimulatedReceiver, history: History): Violation[] {
  const { host, delivered, setup } = receiver;
  return delivered.filter(isProblem).flatMap((each) => {
    const { at, event } = each;
    const known = componentsOf(each).map((component) => truthOf(component, host, history));
    if (known.includes(undefined)) return [];
    const spans = known.length === 1 ? known[0]! : joinedAll(known.flatMap((all) => all ?? []));
    // The first time after it at which nothing fails, and for long enough.
    const ends = [at, ...spans.map(({ to }) => to).filter((to) => to > at)];
    for (const from of ends) {
      const due = dueAt(history, receiver, { subject: event.component, from, within: WITHIN, nodes: [] });
      if (due > history.end) return [];
      if (spans.some((span) => overlaps(span, from, due))) continue;
      if (lastAbout(receiver, event.id, due + 1_000) !== each) return [];
      const text = `${host}/${setup.name} was told its ${event.state === 'failed' ? 'failure' : 'warning'} at ${seconds(at)}, and at ${seconds(due)} not its end at ${seconds(from)}`;
      return [{ invariant: 2, at: due, subject: event.id, text }];
    }
    return [];
  });
}

/** Whether a problem of a component was true before it was told. */
function wasTrue({ at, event: { component, state } }: Delivered, host: string, history: History): boolean {
  const { truth } = history;
  const since = at - WINDOW;
  const spans = truthOf(component, host, history);
  if (spans === undefined) return false;
  if (component.startsWith('agents/'))
    return (
      spans.some(
        (span) => overlaps(span, at - PATIENCE, at) && Math.min(span.to, at) - span.from >= PATIENCE - 5_000,
      ) || truth.of(`starved ${host}`).some((span) => overlaps(span, since, at))
    );
  if (component.startsWith(`${CHANNELS}/`)) return wasChannelTrue({ component, state }, at, host, history);
  return spans.some((span) => overlaps(span, since, at) && !isRestart(span, truth, host));
}

function wasChannelTrue(
  { component, state }: Pick<Delivered['event'], 'component' | 'state'>,
  at: number,
  host: string,
  { truth }: History,
): boolean {
  const isRecent = (span: Span): boolean => overlaps(span, at - WINDOW, at);
  // The consenters that are down may change meanwhile.
  const leaderless = truth.joined(component, ({ what }) => what !== 'at-risk').filter(isRecent);
  if (leaderless.some(({ from, to }) => Math.min(to, at) - from > 25_000)) return true;
  return truth.of(component).some((span) => {
    if (!isRecent(span)) return false;
    if (span.what === 'stopped') return true;
    if (span.what === 'electing') return state === 'warning';
    const outages = outagesIn(span, truth);
    return (
      state === 'warning' && (outages.length === 0 || outages.some((each) => !isRestart(each, truth, host)))
    );
  });
}

/** 3. Nothing is told that was not true, and a restart is one event of the state `info`. */
function onlyTrue(history: History): Violation[] {
  return history.receivers.flatMap((receiver) => {
    const { host, setup, delivered } = receiver;
    const wrong = delivered
      .filter((each) => isProblem(each) && !wasTrue(each, host, history))
      .map(({ at, event: { state, component, reason } }) => ({
        invariant: 3,
        at,
        subject: component,
        text: `${host}/${setup.name} was told: ${state}: ${reason}`,
      }));
    return [...wrong, ...tooManyRestarts(receiver, history)];
  });
}

function tooManyRestarts({ host, setup, delivered }: SimulatedReceiver, { truth }: History): Violation[] {
  const counts = new Map<string, number>();
  return delivered.flatMap(({ at, event: { component, state, reason } }) => {
    if (state !== 'info' || !reason.startsWith('the process has restarted')) return [];
    const count = (counts.get(component) ?? 0) + 1;
    counts.set(component, count);
    const ended = truth.of(component).filter(({ to, what }) => to <= at && what !== 'frozen').length;
    const text = `${host}/${setup.name} was told ${count} restarts until ${seconds(at)}, of ${ended}`;
    return count > ended ? [{ invariant: 3, at, subject: component, text }] : [];
  });
}

/** 4. Events of channels name the nodes to look at, and the verdicts are true. */
const named = (history: History): Violation[] => [...namedNodes(history), ...verdicts(history)];

function namedNodes(history: History): Violation[] {
  const { truth } = history;
  return history.receivers.flatMap((receiver) =>
    receiver.delivered.filter(isProblem).flatMap(({ at, event: { component, severity } }) => {
      if (!component.startsWith(`${CHANNELS}/`)) return [];
      const current = truth.of(component).find((span) => overlaps(span, at - 1, at));
      if (current === undefined || (severity === 'warning' && !receiver.wants('warning'))) return [];
      return outagesIn({ ...current, from: at - 1, to: at }, truth).flatMap((outage) => {
        const { subject: node } = outage;
        const from = Math.max(at, outage.from);
        const within = Math.max(0, outage.from + tellTime(outage) - from);
        const due = dueAt(history, receiver, { subject: component, from, within, nodes: [node] });
        const isOver =
          due > Math.min(outage.to, history.end) ||
          due > (truth.joined(component).find((span) => overlaps(span, at - 1, at))?.to ?? 0);
        if (isOver || knows(receiver, { from: outage.from, until: due + 1_000 }, (each) => names(each, node)))
          return [];
        const text = `${receiver.host}/${receiver.setup.name} was told of the channel at ${seconds(at)}, and until ${seconds(due)} nothing names ${node}, which is down since ${seconds(outage.from)}`;
        return [{ invariant: 4, at: due, subject: component, text }];
      });
    }),
  );
}

function verdicts(history: History): Violation[] {
  const { truth, setup } = history;
  return history.samples.flatMap(({ at, host, channels }) => {
    const since = at - VERDICT_DELAY;
    const isHindered = [...hindrancesOf(history, host), ...cutsOf(history, host)].some(
      ({ from, to }) => from < at && to > since,
    );
    if (isHindered) return [];
    return setup.channels.flatMap((name) => {
      const subject = `${CHANNELS}/${name}`;
      const spans = truth.of(subject).filter((span) => overlaps(span, since, at));
      const isSteady =
        spans.every(({ what }) => what === spans[0]!.what) &&
        !truth.replacements(subject).some((time) => time > since && time <= at);
      const hasNoGap = spans.every(({ from }, index) => from === (spans[index - 1]?.to ?? from));
      const isWhole = spans.length === 0 || (hasNoGap && spans[0]!.from <= since && spans.at(-1)!.to > at);
      const expected = spans[0]?.what ?? 'working';
      const found = channels.find((each) => each.name === name)?.verdict ?? 'unknown';
      if (!isSteady || !isWhole || expected === 'electing' || found === expected) return [];
      if (found === 'unknown' && isBlind(history, host, at)) return [];
      return [
        {
          invariant: 4,
          at,
          subject,
          text: `the agent of ${host} judges ${found}, but the channel is ${expected}`,
        },
      ];
    });
  });
}

/** Returns true if an agent does not reach all others. */
const isBlind = (history: History, host: string, at: number): boolean =>
  history.setup.hosts.some(({ name }) =>
    (truthOf(`agents/${name}`, host, history) ?? []).some((span) => overlaps(span, at - VERDICT_DELAY, at)),
  );

/** 5. One cause is one event. */
function oneEvent(history: History): Violation[] {
  const { truth } = history;
  const all = truth.startingWith('').filter(({ subject }) => !subject.startsWith(`${CHANNELS}/`));
  return all.flatMap((cause) => {
    const { subject, from, to } = cause;
    const isNode = /^(?:orderer|peer)\d+$/.test(subject) && to - from >= WITHIN && !isRestart(cause, truth);
    const others = all.some(
      (each) => each !== cause && each.from < from + 120_000 && each.to > from - 120_000,
    );
    if (!isNode || others) return [];
    return history.receivers.flatMap(({ host, setup, delivered }) => {
      const events = delivered.filter(
        (each) => isProblem(each) && each.at >= from && each.at <= from + 120_000,
      );
      const text = `${host}/${setup.name} was told ${events.length} events: ${events.map(({ event }) => event.component).join(', ')}`;
      return events.length > MOST ? [{ invariant: 5, at: from, subject, text }] : [];
    });
  });
}

/** 6. Nothing is held for ever: what an agent reports for long was told. */
function notHeld(history: History): Violation[] {
  const since = new Map<string, number>();
  return history.samples.flatMap(({ at, host, problems }) => {
    const isHindered = hindrancesOf(history, host).some(({ from, to }) => from < at && to > at);
    const current = new Set<string>();
    const found = problems.flatMap(({ component, severity, cause, silenced }): Violation[] => {
      if (cause !== undefined || silenced === true || isHindered || component.endsWith(' (notifier)'))
        return [];
      const key = `${host} ${component} ${severity}`;
      current.add(key);
      const began = since.get(key) ?? at;
      since.set(key, began);
      const hosts = hostsFor(component, history);
      const wanting = history.receivers.filter(
        (each) =>
          hosts.includes(each.host) && each.wants(severity as 'critical') && each.setup.isBroken !== true,
      );
      const dues = wanting.map((each) =>
        dueAt(history, each, { subject: component, from: began, within: LONGEST_HELD, nodes: [component] }),
      );
      const isTold = wanting.some((each) =>
        knows(each, { from: began, until: at }, (delivered) => names(delivered, component)),
      );
      if (isTold || !dues.some((due) => due <= at)) return [];
      return [
        {
          invariant: 6,
          at,
          subject: component,
          text: `the agent of ${host} reports it since ${seconds(began)}, and no receiver was told`,
        },
      ];
    });
    for (const key of since.keys()) if (key.startsWith(`${host} `) && !current.has(key)) since.delete(key);
    return found;
  });
}

/** 7. A stopped agent leaves nothing. */
const nothingLeft = (history: History): Violation[] =>
  history.left.map(({ at, host, what }) => ({
    invariant: 7,
    at,
    subject: host,
    text: `after its stop the agent has or does: ${what}`,
  }));

/** All violations, by time; of each invariant and subject only the first. */
export function violationsOf(history: History): Violation[] {
  const all = [told, recovered, onlyTrue, named, oneEvent, notHeld, nothingLeft]
    .flatMap((invariant) => invariant(history))
    .toSorted((a, b) => a.at - b.at);
  const seen = new Set<string>();
  return all.filter(({ invariant, subject }) => {
    const key = `${invariant} ${subject}`;
    return !seen.has(key) && seen.add(key);
  });
}
