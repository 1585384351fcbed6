// Whether the clocks of this host and of the node differ.

import { formatDuration } from '../../../core/kit/index.js';

/** Largest difference, in milliseconds. Fabric itself allows 15 minutes between a client and a peer (`peer.authentication.timewindow`). */
const MOST = 5 * 60_000;

/**
 * What is wrong with the clocks; undefined: nothing.
 *
 * @param date the header of the response of the node
 * @param startedAt when the request was sent, in milliseconds since the epoch
 * @param endedAt when the response was complete
 */
export function clockDifference(
  date: string | undefined,
  startedAt: number,
  endedAt: number,
): string | undefined {
  const time = Date.parse(date ?? '');
  if (time > endedAt + MOST) return describe('behind', time - endedAt);
  return time < startedAt - MOST ? describe('ahead of', startedAt - time) : undefined;
}

const describe = (relation: string, difference: number): string =>
  `the clock of this host is ${formatDuration(Math.round(difference / 60_000) * 60_000)} ${relation} the clock of the node: one of them is wrong`;
