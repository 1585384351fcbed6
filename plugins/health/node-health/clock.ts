// Compares the clock of the node with the clock of this host.

import { formatDuration } from '../../../core/kit/index.js';

/** Largest difference, in milliseconds. Fabric itself allows 15 minutes between a client and a peer (`peer.authentication.timewindow`). */
const MOST = 5 * 60_000;

/** A date of a node, with the times of the request and the response, in milliseconds since the epoch. */
interface NodeDate {
  /** The header `Date` of the response. */
  readonly date: string | undefined;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** How far the clock of the node is ahead, in milliseconds; negative: behind; undefined: there is no valid date. */
export function differenceOf({ date, startedAt, endedAt }: NodeDate): number | undefined {
  const time = Date.parse(date ?? '');
  if (Number.isNaN(time)) return undefined;
  if (time > endedAt) return time - endedAt;
  return time < startedAt ? time - startedAt : 0;
}

/** The problem with the clocks; undefined: there is none. @param difference see {@link differenceOf} */
export function clockProblem(difference = 0): string | undefined {
  if (difference > MOST) return differenceText('behind', difference);
  return difference < -MOST ? differenceText('ahead of', -difference) : undefined;
}

const differenceText = (relation: string, difference: number): string =>
  `the clock of this host is ${formatDuration(Math.round(difference / 60_000) * 60_000)} ${relation} the clock of the node: one of them is wrong`;
