// google.protobuf.Timestamp to RFC 3339 text and back.

import type { Message } from './message.js';

/** Digits of nanoseconds. */
const NANO_DIGITS = 9;

/** Seconds of 0001-01-01T00:00:00Z and of 9999-12-31T23:59:59Z. */
const MIN_SECONDS = -62_135_596_800;
const MAX_SECONDS = 253_402_300_799;

/** Returns true if a timestamp is within the years 1 to 9999. */
export function isInRange(seconds: number | bigint): boolean {
  return seconds >= MIN_SECONDS && seconds <= MAX_SECONDS;
}

/** Why a timestamp has no JSON form; undefined if it has one. */
export function timestampProblem(timestamp: Message): string | undefined {
  const seconds = secondsOf(timestamp);
  const nanos = timestamp.int('nanos');
  if (!isInRange(seconds)) {
    return `google.protobuf.Timestamp: seconds out of range ${String(seconds)}`;
  }
  return nanos < 0 || nanos > 999_999_999
    ? `google.protobuf.Timestamp: nanos out of range ${String(nanos)}`
    : undefined;
}

/** RFC 3339 in UTC with 0, 3, 6 or 9 fractional digits. */
export function timestampText(timestamp: Message): string {
  const date = new Date(Number(secondsOf(timestamp)) * 1000).toISOString();
  const digits = String(timestamp.int('nanos'))
    .padStart(NANO_DIGITS, '0')
    .replace(/(?:000)+$/, '');
  return `${date.slice(0, -'.000Z'.length)}${digits === '' ? '' : `.${digits}`}Z`;
}

function secondsOf(timestamp: Message): bigint {
  return BigInt((timestamp.get('seconds') as string | undefined) ?? '0');
}

const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)T(\d{1,2}):(\d\d):(\d\d)(?:\.(\d{1,9})|,(\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;

/**
 * Seconds and nanoseconds of RFC 3339 text; undefined if the text is invalid.
 *
 * Accepts the same as Go's time.Parse: an hour of one digit, a comma before the fraction. After a comma there may be more than nine
 * digits; the first nine count, because protojson (well_known_types.go, `unmarshalTimestamp`) limits only digits after a point. The seconds
 * may be out of range because of the time zone.
 */
export function parseTimestamp(text: string): { seconds: number; nanos: number } | undefined {
  const match = RFC_3339.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const [, , , , , , , afterPoint, afterComma = '', sign, zoneHours = '0', zoneMinutes = '0'] = match;
  const fraction = afterPoint ?? afterComma.slice(0, NANO_DIGITS);
  const time = Date.UTC(2000, month - 1, day, hour, minute, second);
  const date = new Date(time);
  date.setUTCFullYear(year, month - 1, day);
  const exists =
    date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
  if (!exists || Number(zoneHours) > 24 || Number(zoneMinutes) > 60) return undefined;
  const offset = (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60 * (sign === '-' ? -1 : 1);
  const seconds = date.getTime() / 1000 - offset;
  return { seconds, nanos: Number(fraction.padEnd(NANO_DIGITS, '0')) };
}
