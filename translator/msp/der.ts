// Reads DER with the errors of Go's crypto/x509 and encoding/asn1: elements, integers and times.

import {
  ElementReader,
  GENERALIZED_TIME,
  UTC_TIME,
  type Element,
} from '../../core/common/certificates/der.js';
import { TranslateError } from '../../proto/errors.js';
import { toBigint, toLatin1 } from '../../proto/bytes.js';

/** The error for bytes that are not the expected DER; the message is Go's text. */
export const badCertificate = (message: string): TranslateError =>
  new TranslateError('BAD_CERTIFICATE', message);

/** An {@link ElementReader} that throws if an element is not the expected one. */
export class DerReader extends ElementReader {
  /** The next element, which must have this tag. @throws TranslateError with the text */
  read(tag: number, failure: string): Element {
    const element = this.nextTag === tag ? this.next() : undefined;
    if (element === undefined) throw badCertificate(failure);
    return element;
  }

  /** The next element if it has this tag. @throws TranslateError with the text if it is not valid */
  optional(tag: number, failure: string): Element | undefined {
    return this.nextTag === tag ? this.read(tag, failure) : undefined;
  }

  /** Reads the next element, which must have this tag, into a reader of its content. @throws TranslateError with the text */
  enter(tag: number, failure: string): DerReader {
    return new DerReader(this.read(tag, failure).content);
  }
}

/** An INTEGER in its shortest form; undefined if it is not in that form. */
export function integerOf(content: Uint8Array): bigint | undefined {
  const [first, second] = content;
  if (first === undefined) return undefined;
  if (second !== undefined && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80)))
    return undefined;
  return BigInt.asIntN(8 * content.length, toBigint(content));
}

const UTC = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(Z|[+-]\d{4})$/;
const GENERALIZED = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(Z|[+-]\d{4})$/;
const MINUTE = 60_000;

/** The time of an element; undefined if it is not valid. */
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
  const offset = offsetOf(found[7]!);
  if (!isSame || minute > 59 || second > 59 || offset === undefined) return undefined;
  return new Date(local.getTime() - offset);
}

const MAX_ZONE_HOURS = 24;

/** The offset from UTC, in milliseconds; undefined if Go does not parse it, or would write it in another form (`+0000`). */
function offsetOf(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(3))];
  if (hours > MAX_ZONE_HOURS || minutes > 59 || hours + minutes === 0) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * MINUTE;
}

/** A time in Go's `time.RFC3339` format, in UTC, without fractions of a second. */
export function rfc3339(time: Date): string {
  return Number.isNaN(time.getTime()) ? 'invalid time' : time.toISOString().replace(/\.\d+Z$/, 'Z');
}
