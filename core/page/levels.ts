// Log levels in words. Works without a browser.

import type { LevelStatus } from '../status/document.js';
import { ageText, countText } from '../status/answer/index.js';

/** Longest specification, in UTF-16 units. */
const LONGEST = 30;

export const shortSpec = (spec: string): string =>
  spec.length > LONGEST ? `${spec.slice(0, LONGEST).toWellFormed()}…` : spec;

/** The name of the owner of a level. */
export const ownerOf = ({ name }: LevelStatus): string => (name === 'self' ? 'the agent' : name);

/** A level that is set for a limited time: `debug, 8 min left`; undefined: it is not. @param now milliseconds since the epoch */
export function leaseText({ spec = '', reverts_at: end = '' }: LevelStatus, now: number): string | undefined {
  const left = Date.parse(end) - now;
  return Number.isNaN(left) ? undefined : `${shortSpec(spec)}, ${ageText(left)} left`;
}

/** All levels in one line: `orderer1 at debug, 8 min left`, `all log levels info`, `log levels: 4 info, 1 warn`. */
export function levelsText(levels: readonly LevelStatus[], now: number): string {
  const leases = levels.flatMap((level) => {
    const text = leaseText(level, now);
    return text === undefined ? [] : [`${ownerOf(level)} at ${text}`];
  });
  if (leases.length > 0)
    return leases.length === 1 ? leases[0]! : `${leases.length} log levels raised for a time`;
  const counts = new Map<string, number>();
  for (const { spec } of levels) if (spec !== undefined) counts.set(spec, (counts.get(spec) ?? 0) + 1);
  if (counts.size === 0) return countText(levels.length, 'log level');
  if (counts.size === 1) return `all log levels ${shortSpec([...counts.keys()][0]!)}`;
  const sorted = [...counts].toSorted((one, other) => other[1] - one[1]);
  return `log levels: ${sorted.map(([spec, count]) => `${count} ${shortSpec(spec)}`).join(', ')}`;
}
