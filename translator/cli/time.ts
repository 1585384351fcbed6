// Times in flags.

import { UsageError } from './errors.js';

const MILLISECONDS = 1000;

/** A time in RFC 3339, or seconds since 1970. @param flag the name of the flag, for the error @throws UsageError */
export function timeOf(flag: string, text: string): Date {
  const isSeconds = /^\d{1,12}$/.test(text);
  const time = new Date(isSeconds ? Number(text) * MILLISECONDS : text);
  const isDate = isSeconds || /^\d{4}-\d{2}-\d{2}(?:T\S+)?$/.test(text);
  if (isDate && !Number.isNaN(time.getTime())) return time;
  throw new UsageError(
    `flag '${flag}' must be a time such as 2026-11-22T12:00:00Z, or seconds since 1970, found ${JSON.stringify(text)}`,
  );
}

/** Now, or the time of the flag `now`. @throws UsageError */
export const clockOf = (text: string | undefined): Date =>
  text === undefined ? new Date() : timeOf('now', text);

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60 };

/** A duration in seconds. @param flag the name of the flag, for the error @throws UsageError */
export function secondsOf(flag: string, text: string): number {
  const [, number = '', unit = ''] = /^([1-9]\d{0,5})([sm])$/.exec(text) ?? [];
  const seconds = Number(number) * (UNITS[unit] ?? 0);
  if (seconds > 0) return seconds;
  throw new UsageError(`flag '${flag}' must be a time such as 30s or 5m, found ${JSON.stringify(text)}`);
}
