// The last 24 hours of a node or a channel. Works without a browser.

import type { Problem, Span, StatusDocument } from '../status/document.js';
import { ageText, clockText, isLag, type ViewTime, type State } from '../status/answer/index.js';

/** A time during which something failed, or while the agent lags the time that it has lost. Times are milliseconds since the epoch. */
interface LaneSpan {
  readonly from: number;
  readonly to: number;
  readonly state: State;
  readonly isOver: boolean;
  /** The failure and its times. */
  readonly text: string;
}

/** The last 24 hours, or the time since the agent started. */
export interface Lane {
  readonly from: number;
  readonly to: number;
  /** In the order in which they are drawn: those that last, and the worst, last. */
  readonly spans: readonly LaneSpan[];
  /** When the process restarted. */
  readonly restarts: readonly number[];
  /** All of it in words. */
  readonly text: string;
}

/** The section of the runbook of the event that a process has restarted. */
const RESTARTED = 'FabricNodeRestarts';
const DAY = 86_400_000;
/** Shortest lane, in milliseconds. */
const SHORTEST = 1000;

/** The time that lanes show. */
export interface Axis {
  readonly from: number;
  readonly to: number;
  /** `−24 h`, or `since 22:59` if the agent runs for a shorter time. */
  readonly text: string;
  /** `now`, or when the agent responded last. */
  readonly end: string;
  /** While the agent lags, since when no state is certain. */
  readonly uncertainFrom?: number | undefined;
}

/** The axis of all lanes. */
export function axisOf({ agent, problems }: StatusDocument, { now, lostAt, zone }: ViewTime): Axis {
  const started = Date.parse(agent.started_at);
  const late = problems.find(isLag);
  const common = {
    to: now,
    end: lostAt === undefined ? 'now' : clockText(lostAt, zone),
    uncertainFrom: late && Date.parse(late.since) - 1000 * (agent.lag ?? 0),
  };
  return started > now - DAY
    ? { ...common, from: Math.min(started, now - SHORTEST), text: `since ${clockText(started, zone)}` }
    : { ...common, from: now - DAY, text: '−24 h' };
}

/** The data that a lane is created from. */
interface LaneSource {
  readonly axis: Axis;
  /** The component of the node or the channel. */
  readonly component: string;
  /** Failures that have ended. */
  readonly past: readonly Span[];
  /** Current failures of it and its checks. */
  readonly open: readonly Problem[];
  readonly events: readonly Problem[];
  readonly zone?: string | undefined;
}

/** The lane of a node or a channel. */
export function laneOf({ axis, component, past, open, events, zone }: LaneSource): Lane {
  const { from, to, uncertainFrom = NaN } = axis;
  const stateOf = (what: string, severity: string, kind?: string): State =>
    what !== component || severity !== 'critical' ? 'risk' : kind === 'silent' ? 'silent' : 'stopped';
  const until = new Date(to).toISOString();
  const lost = Number.isNaN(uncertainFrom) ? [] : [new Date(uncertainFrom).toISOString()];
  const all: { component: string; from: string; to: string; state: State; isOver: boolean }[] = [
    ...lost.map((begin) => ({
      component: 'uncertain',
      from: begin,
      to: until,
      state: 'unknown' as const,
      isOver: false,
    })),
    ...past.map((each) => ({ ...each, state: stateOf(each.component, each.severity), isOver: true })),
    ...open.map((each) => ({
      component: each.component,
      from: each.since,
      to: until,
      state: stateOf(each.component, each.severity, each.kind),
      isOver: false,
    })),
  ];
  const spans = all
    .map(({ component: what, from: begin, to: end, state, isOver }): LaneSpan => {
      const times = { from: Math.max(from, Date.parse(begin)), to: Math.min(to, Date.parse(end)) };
      return {
        ...times,
        state,
        isOver,
        text: `${what.replace(/^channels\//, '')} ${clockText(times.from, zone)} to ${isOver ? clockText(times.to, zone) : 'now'} (${ageText(Math.max(1000, times.to - times.from))})`,
      };
    })
    .filter((span) => span.to >= span.from)
    .toSorted((left, right) => rankOf(left) - rankOf(right));
  const restarts = events
    .filter((event) => event.component === component && event.state === 'info' && event.runbook === RESTARTED)
    .map(({ since }) => Date.parse(since))
    .filter((at) => at >= from && at <= to);
  return { from, to, spans, restarts, text: textOf(spans, restarts, zone) };
}

/** The lower, the sooner it is drawn. */
const rankOf = ({ state, isOver }: LaneSpan): number =>
  state === 'unknown' ? 0 : (isOver ? 1 : 3) + Number(state !== 'risk');

/** Most failures that are named. */
const NAMED = 5;

function textOf(spans: readonly LaneSpan[], restarts: readonly number[], zone?: string): string {
  const named = spans.slice(-NAMED).map(({ text }) => text);
  const more = spans.length - named.length;
  const all = [
    ...named,
    ...(more > 0 ? [`${more} more failures`] : []),
    ...restarts.map((at) => `restart at ${clockText(at, zone)}`),
  ];
  return all.length === 0 ? 'no failure' : all.join('; ');
}
