// One certificate that is checked.

import { X509Certificate } from 'node:crypto';
import type { FailedPart, Severity } from '../../../core/contract/index.js';
import { quote } from '../../../core/common/client/reason.js';
import type { CertificateKind } from './walk.js';

/** A certificate, and where it was found. */
export interface Entry {
  /** The path, and what distinguishes it from the other certificates of the file. */
  readonly part: string;
  readonly path: string;
  readonly kind: CertificateKind;
  readonly certificate: X509Certificate;
  readonly subject: string;
  readonly issuer: string;
  readonly serial: string;
  /** Milliseconds since the epoch. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** What is wrong with it regardless of the time. */
  problem?: string;
}

/** Makes an entry. @param suffix what distinguishes it from the other certificates of the file */
export function createEntry(
  certificate: X509Certificate,
  { path, suffix, kind }: { readonly path: string; readonly suffix: string; readonly kind: CertificateKind },
): Entry {
  return {
    part: `${path}${suffix}`,
    path,
    kind,
    certificate,
    subject: nameText(certificate.subject),
    issuer: nameText(certificate.issuer),
    serial: certificate.serialNumber,
    notBefore: Date.parse(certificate.validFrom),
    notAfter: Date.parse(certificate.validTo),
  };
}

/** The kind of a certificate outside an MSP. */
export function kindOf(certificate: X509Certificate): CertificateKind {
  return certificate.ca ? 'tls_ca' : 'tls';
}

// Node's types have string, but the value is undefined for a certificate with an empty name.
function nameText(name: string | undefined): string {
  return (name ?? '').split('\n').join(', ');
}

/** What is wrong with a certificate at a time. @param minimum how long it must still be valid, in milliseconds */
export function failureOf(entry: Entry, now: number, minimum: number): FailedPart | undefined {
  const reason = timeProblem(entry, now, minimum) ?? entry.problem;
  return reason === undefined
    ? undefined
    : {
        component: entry.part,
        reason: `${shortName(entry.subject)} ${reason}`,
        severity: severityOf(entry, now),
      };
}

/** TLS certificates are verified at each connection. A node with any other certificate that has expired runs until it is restarted. */
const IN_USE: ReadonlySet<CertificateKind> = new Set(['tls', 'consenter_client_tls', 'consenter_server_tls']);

const severityOf = ({ kind, notBefore, notAfter }: Entry, now: number): Severity =>
  IN_USE.has(kind) && !(now <= notAfter && now >= notBefore) ? 'critical' : 'warning';

function timeProblem({ notBefore, notAfter }: Entry, now: number, minimum: number): string | undefined {
  // OpenSSL also takes certificates with times such as month 13.
  if (Number.isNaN(notBefore) || Number.isNaN(notAfter)) return 'has an invalid time';
  if (now > notAfter) return `expired on ${timeText(notAfter)}, ${periodText(now - notAfter)} ago`;
  if (now < notBefore) return `is not valid before ${timeText(notBefore)}`;
  if (notAfter - now >= minimum) return undefined;
  return `expires on ${timeText(notAfter)}, in ${periodText(notAfter - now)}; the minimum is ${periodText(minimum)}`;
}

/** The common name of a subject, for messages. */
export function shortName(subject: string): string {
  const name = /(?:^|, )(CN=[^,]*)/.exec(subject)?.[1] ?? subject;
  return name === '' ? 'the certificate' : quote(name);
}

const timeText = (time: number): string => new Date(time).toISOString().replace('.000', '');

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** A period in the largest unit that fits, rounded down: `3 days`. */
export function periodText(milliseconds: number): string {
  const [unit, size] = UNITS.find((each) => milliseconds >= each[1]) ?? UNITS[3];
  const count = Math.floor(milliseconds / size);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
