// Expiries as text.

import { onOneLine } from '../../core/common/text/one-line.js';
import { table } from '../../core/common/text/table.js';
import { dayText, PLAIN, type Style } from '../describe/index.js';
import type { Expiry, ExpiryReport, Place, Unreadable } from './expiry.js';

/** The use of a certificate, as text. */
const USE_WORDS: Readonly<Record<Place['use'], string>> = {
  'consenter-tls': 'TLS of the consenter',
  'consenter-client-tls': 'client TLS of the consenter',
  'consenter-server-tls': 'server TLS of the consenter',
  'consenter-identity': 'identity of the consenter',
  'orderer-identity': 'identity of an orderer',
  ca: 'CA',
  'intermediate-ca': 'intermediate CA',
  'tls-ca': 'TLS CA',
  'tls-intermediate-ca': 'intermediate TLS CA',
  admin: 'admin',
  'revocation-list': 'revocation list',
  identity: 'identity',
  tls: 'TLS',
  certificate: 'certificate',
};

/** The maximum width of a column: the use of a consenter's certificate contains its address. */
const MAX_WIDTH = 90;
const HOUR = 3600;
const DAY = 24 * HOUR;

/** `TLS of the consenter orderer1.example.com:7050` */
export const useWords = ({ use, consenter }: Pick<Expiry, 'use' | 'consenter'>): string =>
  consenter === undefined ? USE_WORDS[use] : `${USE_WORDS[use]} ${consenter}`;

/** The name of an item: the subject, `CN=orderer1.example.com`, or the issuer of a revocation list. */
export const subjectWords = ({ subject, issuer }: Pick<Expiry, 'subject' | 'issuer'>): string =>
  subject ?? `of ${issuer}`;

/** The owner of an item: the channel or the file, and the organisation. */
const ownerCells = ({ source, channel, organization = '', mspid = '' }: Expiry): readonly string[] => [
  channel ?? source,
  organization || mspid,
];

/** `in 12 days`, `3 days ago` */
export function daysWords({ days, state }: Pick<Expiry, 'days' | 'state'>): string {
  const count = state === 'expired' ? -days - 1 : days;
  const words = count === 1 ? '1 day' : `${count} days`;
  if (count === 0) return state === 'expired' ? 'today, expired' : 'in less than a day';
  return state === 'expired' ? `${words} ago` : `in ${words}`;
}

/** `30 days`, `12 hours` */
const periodWords = (seconds: number): string =>
  seconds % DAY === 0 ? `${seconds / DAY} days` : `${seconds / HOUR} hours`;

/** Describes a report, as lines that end in a newline: urgent items first, each with its recipe. */
export function expiryText({ within, entries, unreadable }: ExpiryReport, style: Style = PLAIN): string {
  const section = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : [style('bold', title), ...lines];
  const of = (state: Expiry['state']): readonly Expiry[] => entries.filter((each) => each.state === state);
  const lines = [
    ...section('cannot be read', table(unreadable.map(unreadableCells), '  ', MAX_WIDTH)),
    ...section(
      'expired',
      entryLines(of('expired'), (line) => style('red', line)),
    ),
    ...section(
      `expires within ${periodWords(within)}`,
      entryLines(of('due'), (line) => style('yellow', line)),
    ),
    ...section(
      'expires later',
      entryLines(of('later'), (line) => line),
    ),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

const unreadableCells = (each: Unreadable): string[] => [
  onOneLine(each.channel ?? each.source),
  onOneLine(each.organization ?? each.mspid ?? ''),
  each.use === undefined ? '' : onOneLine(useWords({ ...each, use: each.use })),
  onOneLine(each.error),
];

function entryLines(entries: readonly Expiry[], emphasise: (line: string) => string): readonly string[] {
  const rows = table(
    entries.map((each) =>
      [
        dayText(new Date(each.until)),
        daysWords(each),
        ...ownerCells(each),
        useWords(each),
        subjectWords(each),
      ].map(onOneLine),
    ),
    '  ',
    MAX_WIDTH,
  );
  return entries.flatMap((each, index) => [
    emphasise(rows[index]!),
    ...(each.state === 'later' ? [] : [`    → ${each.recipe.advice}`]),
    ...(each.recipe.command === undefined ? [] : [`    → ${onOneLine(each.recipe.command)}`]),
  ]);
}
