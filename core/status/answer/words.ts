// How answers and the page write numbers, lists, times and log lines. Runs in browsers.

import { cutMiddle } from '../../common/text/cut-middle.js';

/** `a`, `a and b`, `a, b and c`; more than `most` names are counted: `a, b, c and 4 more`. */
export function listText(names: readonly string[], word: 'and' | 'or' = 'and', most = 4): string {
  const shown = names.length > most ? names.slice(0, most - 1) : names;
  const rest = names.length - shown.length;
  const all = rest === 0 ? shown : [...shown, `${rest} more`];
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} ${word} ${all.at(-1)}`;
}

/** A verdict about a channel in words, before its reason. */
export const verdictText = (verdict: string): string =>
  verdict === 'maintenance' ? 'in maintenance' : verdict.replace('-', ' ');

/** `1 check`, `12 checks` */
export const countText = (count: number, one: string, many = `${one}s`): string =>
  `${numberText(count)} ${count === 1 ? one : many}`;

/** `1,204` */
export const numberText = (value: number): string => String(value).replaceAll(/\B(?=(\d{3})+$)/g, ',');

const UNITS = [
  [86_400_000, 'day'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
] as const;

/** A duration in its largest unit, rounded down: `12 s`, `4 min`, `3 h`, `2 days`. @param milliseconds negative ones count as 0 */
export function ageText(milliseconds: number): string {
  const rest = Math.max(0, milliseconds);
  const [size, unit] = UNITS.find(([each]) => rest >= each) ?? [1000, 's'];
  const count = Math.floor(rest / size);
  return `${count} ${unit === 'day' && count !== 1 ? 'days' : unit}`;
}

/**
 * How long something has lasted; empty if that is not known, or less than a second.
 *
 * @param since RFC 3339
 * @param now milliseconds since the epoch
 */
export function sinceText(since: string | undefined, now: number): string {
  const age = now - Date.parse(since ?? '');
  return age >= 1000 ? ageText(age) : '';
}

/** The parts of a time in a time zone; empty if it is not a time. @param zone such as `UTC`; undefined: the local zone */
function partsOf(time: number, zone: string | undefined): ReadonlyMap<string, string> {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  });
  if (Number.isNaN(new Date(time).getTime())) return new Map();
  return new Map(format.formatToParts(time).map(({ type, value }) => [type, value]));
}

/** Text for an unknown time. */
const UNKNOWN = 'unknown';

/** `22:59` */
export function clockText(time: number, zone?: string): string {
  const parts = partsOf(time, zone);
  return parts.size === 0 ? UNKNOWN : `${parts.get('hour')}:${parts.get('minute')}`;
}

/** `22:59:07` */
export function secondsText(time: number, zone?: string): string {
  const parts = partsOf(time, zone);
  return parts.size === 0 ? UNKNOWN : `${clockText(time, zone)}:${parts.get('second')}`;
}

/** `Mon 30 Nov 23:09 UTC`; with the year instead of the time of day if it is not in the next 300 days */
export function dayText(time: number, now: number, zone?: string): string {
  const parts = partsOf(time, zone);
  if (parts.size === 0) return UNKNOWN;
  const day = `${parts.get('weekday')} ${parts.get('day')} ${parts.get('month')}`;
  const isNear = Math.abs(time - now) < 300 * 86_400_000;
  return `${day} ${isNear ? `${clockText(time, zone)} ${parts.get('timeZoneName')}` : parts.get('year')}`;
}

/** The exact time, UTC and local, for a tooltip; the text itself if it is not a time. */
export function exactText(time: string, zone?: string): string {
  const at = Date.parse(time);
  if (Number.isNaN(at)) return time;
  const utc = `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  return `${utc} (${secondsText(at, zone)} local time)`;
}

/** Longest message of a log line, in UTF-16 units. */
const LONGEST = 90;

/** The prefix of a line in Fabric's default format: time, sequence number, level, logger and function. */
const PREFIX =
  /^.{0,80}?\b(?:DEBU|INFO|WARN|ERRO|DPAN|PANI|FATA)\b(?: [0-9a-f]{3,})?(?: \[[^\]]*\])?(?: \S+ ->)? /;

/** The message of a log line: without time, level and logger. */
export function messageOf(line: string): string {
  const json = /^\{.*"msg":"((?:[^"\\]|\\.)*)"/.exec(line)?.[1];
  const fmt = /^ts=.* msg="((?:[^"\\]|\\.)*)"/.exec(line)?.[1];
  const message = (json ?? fmt ?? line.replace(PREFIX, '')).trim();
  return cutMiddle(message, LONGEST);
}
