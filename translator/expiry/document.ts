// The document about expiries.

import { requireTypes } from '../../proto/arguments.js';
import { dayText, sectionOf, tableOf, type Document, type Row, type Rows } from '../documents/index.js';
import {
  type Expiry,
  type ExpiryReport,
  type ExpiryPlace,
  type Unreadable,
  EXPIRY_REPORT,
} from './expiry.js';

/** The use of a certificate, as text. */
const USE_WORDS: Readonly<Record<ExpiryPlace['use'], string>> = {
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
  'signing-identity': 'signing identity in the MSP',
  'revocation-list': 'revocation list',
  identity: 'identity',
  tls: 'TLS',
  certificate: 'certificate',
};

/** The maximum width of a column: the use of a consenter's certificate contains its address. */
const WIDE = { maxWidth: 90 };
const HOUR = 3600;
const DAY = 24 * HOUR;

/** `TLS of the consenter orderer1.example.com:7050` */
const useWords = ({ use, consenter }: Pick<Expiry, 'use' | 'consenter'>): string =>
  consenter === undefined ? USE_WORDS[use] : `${USE_WORDS[use]} ${consenter}`;

/** The name of an item: the subject, `CN=orderer1.example.com`, or the issuer of a revocation list. */
const subjectWords = ({ subject, issuer }: Pick<Expiry, 'subject' | 'issuer'>): string =>
  subject ?? `of ${issuer}`;

/** The owner of an item: the channel or the file, and the organisation. */
const ownerCells = ({ source, channel, organization = '', mspid = '' }: Expiry): readonly string[] => [
  channel ?? source,
  organization || mspid,
];

/** `in 12 days`, `3 days ago` */
function daysWords({ days, state }: Pick<Expiry, 'days' | 'state'>): string {
  const count = state === 'expired' ? -days - 1 : days;
  const words = count === 1 ? '1 day' : `${count} days`;
  if (count === 0) return state === 'expired' ? 'today, expired' : 'in less than a day';
  return state === 'expired' ? `${words} ago` : `in ${words}`;
}

/** `30 days`, `12 hours` */
const periodWords = (seconds: number): string =>
  seconds % DAY === 0 ? `${seconds / DAY} days` : `${seconds / HOUR} hours`;

/** Describes a report: unreadable items first, then urgent ones, each with its recipe. */
export function expiryDocument(report: ExpiryReport): Document {
  requireTypes({ report }, { report: EXPIRY_REPORT });
  const { within, entries, unreadable } = report;
  const of = (state: Expiry['state']): Rows =>
    tableOf(entries.filter((each) => each.state === state).map(entryRow), WIDE);
  return {
    sections: [
      ...sectionOf('unreadable', [tableOf(unreadable.map(unreadableCells), WIDE)], 'cannot be read'),
      ...sectionOf('expired', [of('expired')]),
      ...sectionOf('due', [of('due')], `expires within ${periodWords(within)}`),
      ...sectionOf('later', [of('later')], 'expires later'),
    ],
  };
}

const unreadableCells = (each: Unreadable): string[] => [
  each.channel ?? each.source,
  each.organization ?? each.mspid ?? '',
  each.use === undefined ? '' : useWords({ ...each, use: each.use }),
  each.error,
];

function entryRow(entry: Expiry): Row {
  const { until, state, recipe } = entry;
  const steps = [
    ...(state === 'later' ? [] : [recipe.advice]),
    ...(recipe.command === undefined ? [] : [recipe.command]),
  ];
  return {
    cells: [
      dayText(new Date(until)),
      daysWords(entry),
      ...ownerCells(entry),
      useWords(entry),
      subjectWords(entry),
    ],
    ...(state !== 'later' && { tone: state === 'expired' ? 'bad' : 'open' }),
    details: steps.map((step) => ({ cells: [`→ ${step}`] })),
  };
}
