// Times in DER: UTCTime and GeneralizedTime.

import { GENERALIZED_TIME, UTC_TIME, type Element } from '../../core/common/certificates/der.js';
import { toLatin1 } from '../channel/bytes.js';

const UTC = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(Z|[+-]\d{4})$/;
const GENERALIZED = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(Z|[+-]\d{4})$/;
const MINUTE = 60_000;

/** The time of an element; undefined if it is not a valid one. */
export function timeOf({ tag, content }: Element): Date | undefined {
  if (tag !== UTC_TIME && tag !== GENERALIZED_TIME) return undefined;
  const found = (tag === UTC_TIME ? UTC : GENERALIZED).exec(toLatin1(content));
  if (found === null) return undefined;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map((digits) => Number(digits ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const fullYear = tag === GENERALIZED_TIME ? year : year + (year >= 50 ? 1900 : 2000);
  const local = new Date(0);
  local.setUTCFullYear(fullYear, month - 1, day);
  local.setUTCHours(hour, minute, second);
  const isSame =
    local.getUTCMonth() === month - 1 && local.getUTCDate() === day && local.getUTCHours() === hour;
  if (!isSame || minute > 59 || second > 59) return undefined;
  return new Date(local.getTime() - offsetOf(found[7]!));
}

/** The offset from UTC, in milliseconds. */
function offsetOf(zone: string): number {
  if (zone === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3));
  return (zone.startsWith('-') ? -minutes : minutes) * MINUTE;
}

/** A time as Go prints it with `time.RFC3339`, in UTC, without fractions of a second. */
export function rfc3339(time: Date): string {
  return Number.isNaN(time.getTime()) ? 'invalid time' : time.toISOString().replace(/\.\d+Z$/, 'Z');
}
