// Times from outside: of users, nodes, plugins, certificates and metrics.

/** The latest time of a Date, in milliseconds since the epoch. */
const LATEST = 8.64e15;
/** Largest lead of the clock of another machine, in milliseconds. */
const MAX_AHEAD = 86_400_000;

/** A time as RFC 3339, such as `2026-11-24T10:12:37.000Z`. @param time milliseconds since the epoch; undefined if no Date can have it */
export function timeText(time: number | undefined): string | undefined {
  return time !== undefined && Math.abs(time) <= LATEST ? new Date(time).toISOString() : undefined;
}

/** A date, or a date with a time and its zone. */
const TIME =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/i;

/**
 * Reads a time that a person gives, such as `2026-11-22T12:00:00Z`, or a date, which begins in UTC.
 *
 * @returns undefined for other texts, days that do not exist, and times without a zone: Date takes 30 February and local times
 */
export function parseTime(text: string): Date | undefined {
  const [, year, month, day] = TIME.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  // Day 0 is the last day of the month before.
  const isDay =
    month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
  return isDay ? new Date(text.toUpperCase()) : undefined;
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
