// Which outages of nodes are restarts that nobody should hear of as a failure.

import { hostOf } from './setup.js';
import type { Span, Truth } from './truth.js';

/** The usual time of a restart before one was seen, and its limits after that; milliseconds. */
const USUAL = { unknown: 60_000, least: 10_000, most: 120_000 };
/** An agent measures the usual time a little later or earlier, in milliseconds. */
const INEXACT = 4_000;

/** How long a node usually takes for a restart: twice the longest of its last restarts. @param before the outages before it */
function usualTime(before: readonly Span[]): number {
  const durations = before.flatMap(({ what, from, to }) =>
    what === 'stopped' && to - from <= USUAL.most ? [to - from] : [],
  );
  if (durations.length === 0) return USUAL.unknown;
  return Math.min(USUAL.most, Math.max(USUAL.least, 2 * Math.max(...durations.slice(-5))));
}

/**
 * Returns true if a signal stopped the node, and it came back within its usual time, also for an agent that has seen no restart.
 *
 * @param host whose agent tells it: it knows only the restarts since its own start, as the agent of the node does. @default all are known
 */
export function isRestart(outage: Span, truth: Truth, host?: string): boolean {
  const { subject, what, from, to } = outage;
  if (what !== 'stopped') return false;
  const before = truth.of(subject).filter((each) => each.to <= from);
  const starts = (host === undefined ? [] : [host, hostOf(subject)]).map((each) =>
    Math.max(0, ...truth.of(`agent ${each}`).flatMap((span) => (span.to <= from ? [span.to] : []))),
  );
  const known = [0, ...starts].map((start) => usualTime(before.filter((each) => each.from >= start)));
  return to - from <= Math.min(USUAL.unknown, ...known) - INEXACT;
}

/** How long a failure of a node may take until it is told, in milliseconds: a node that a signal stopped may come back. */
export const tellTime = ({ what }: Span): number => (what === 'stopped' ? USUAL.most + 30_000 : 90_000);

/** The outages of the consenters that a channel lacked in a period. */
export const outagesIn = ({ out, from, to }: Span, truth: Truth): Span[] =>
  out.flatMap((node) => truth.of(node).filter((each) => each.from < to && each.to > from));
