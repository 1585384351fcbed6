// Expiries as a calendar (RFC 5545) for import or subscription.

import { requireTypes } from '../../proto/arguments.js';
import { toHex } from '../../proto/bytes.js';
import { digest } from '../crypto/index.js';
import { type Expiry, type ExpiryReport, EXPIRY_REPORT } from './expiry.js';
import { subjectWords, useWords } from './document.js';

/** The maximum size of a line, in bytes, without the line break (section 3.1). */
const MAX_LINE = 75;
const UTF8 = new TextEncoder();

/**
 * An event for the expiry of each certificate and revocation list, with an alarm `within` before it. The UID of an event is the same until
 * the certificate is replaced, so that a calendar which imports a later file updates its events.
 */
export function expiryCalendar(report: ExpiryReport): string {
  requireTypes({ report }, { report: EXPIRY_REPORT });
  const { now, within, entries } = report;
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//fabric-ops-agent//configtxlator expiry//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    ...entries.flatMap((each) => event(each, timeText(now), within)),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

function event(entry: Expiry, stamp: string, within: number): readonly string[] {
  const { channel, source, organization, mspid, recipe, until, issuer, serial } = entry;
  const owner = [channel ?? source, organization ?? mspid].filter((each) => each !== undefined).join(' ');
  const summary = text(`${owner}: ${useWords(entry)} expires`);
  const description = [
    subjectWords(entry),
    `issuer ${issuer}`,
    ...(serial === undefined ? [] : [`serial number ${serial}`]),
    recipe.advice,
    ...(recipe.command === undefined ? [] : [recipe.command]),
  ];
  return [
    'BEGIN:VEVENT',
    `UID:${uidOf(entry)}`,
    `DTSTAMP:${stamp}`,
    `DTSTART:${timeText(until)}`,
    `SUMMARY:${summary}`,
    `DESCRIPTION:${text(description.join('\n'))}`,
    'TRANSP:TRANSPARENT',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `TRIGGER:-PT${within}S`,
    `DESCRIPTION:${summary}`,
    'END:VALARM',
    'END:VEVENT',
  ];
}

/** The UID for a certificate and its place in the channel, or its file. */
function uidOf({ sha256, channel, source, element = '', consenter = '', use }: Expiry): string {
  const place = JSON.stringify([sha256, channel ?? source, element, consenter, use]);
  return `${toHex(digest('SHA-256', [UTF8.encode(place)]))}@configtxlator`;
}

/** `20270101T120000Z` */
const timeText = (time: string): string => time.replace(/\.\d+/, '').replaceAll(/[-:]/g, '');

/** A value of type TEXT (section 3.3.11), without control characters. */
const text = (value: string): string =>
  value
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll('\n', String.raw`\n`)
    // eslint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u001f\u007f]/g, ' ');

/** Splits a line into lines of at most 75 bytes, between characters. */
function folded(line: string): string {
  let result = '';
  let size = 0;
  for (const character of line) {
    const bytes = UTF8.encode(character).length;
    if (size + bytes > MAX_LINE) {
      result += '\r\n ';
      size = 1;
    }
    result += character;
    size += bytes;
  }
  return result;
}
