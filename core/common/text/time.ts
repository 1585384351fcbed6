// Times from outside: of nodes, plugins, certificates and metrics.

/** The latest time of a Date, in milliseconds since the epoch. */
const LATEST = 8.64e15;
/** Largest lead of the clock of another machine, in milliseconds. */
const MAX_AHEAD = 86_400_000;

/** A time as RFC 3339, such as `2026-11-24T10:12:37.000Z`. @param time milliseconds since the epoch; undefined if no Date can have it */
export function timeText(time: number | undefined): string | undefined {
  return time !== undefined && Math.abs(time) <= LATEST ? new Date(time).toISOString() : undefined;
}

/**
 * Whether a value can be the time at which a process started: a number of seconds since the epoch that is not in the future. The clock
 * of the process may be a day ahead.
 *
 * @param now milliseconds since the epoch
 */
export function isStartTime(value: unknown, now = Date.now()): value is number {
  return typeof value === 'number' && value >= 0 && value * 1000 <= now + MAX_AHEAD;
}
