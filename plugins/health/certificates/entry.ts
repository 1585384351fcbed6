// One certificate that is checked.

import { X509Certificate } from 'node:crypto';
import { dirname } from 'node:path';
import type { Step } from '../../../core/contract/index.js';
import type { DetailedPart } from '../../../core/contract/internal/index.js';
import { periodText, quote } from '../../../core/kit/index.js';
import type { CertificateKind } from './walk.js';

/** A certificate with its place. */
export interface CertificateEntry {
  /** The path, with a suffix that distinguishes the certificate from the others of the file. */
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
  /** The problem with it apart from its validity period. */
  problem?: string;
}

/** Creates an entry. @param suffix distinguishes the certificate from the others of the file */
export function createEntry(
  certificate: X509Certificate,
  { path, suffix, kind }: { readonly path: string; readonly suffix: string; readonly kind: CertificateKind },
): CertificateEntry {
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

/** The kind of the node that signs with a certificate. */
export type Signer = 'none' | 'peer' | 'orderer';

/** The conditions of a check. */
interface Expectation {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** How long it must still be valid, in milliseconds. */
  readonly minimum: number;
  /** The node that signs with it. */
  readonly signer: Signer;
  /** Whether several certificates are not valid yet, which are hardly issued in advance. */
  readonly isClockWrong: boolean;
}

/** The failure of a certificate; undefined if there is none. */
export function failureOfCertificate(
  entry: CertificateEntry,
  { now, minimum, signer, isClockWrong }: Expectation,
): DetailedPart | undefined {
  const ofTime = timeProblem(entry, now, minimum);
  const reason = ofTime ?? entry.problem;
  if (reason === undefined) return undefined;
  const isOver = now > entry.notAfter;
  const isEarly = now < entry.notBefore;
  const consequence = isOver ? EXPIRED_IDENTITY[signer] : '';
  const cause = isEarly && isClockWrong ? ': the clock of this host is probably wrong' : '';
  const isUnusable = IN_USE.has(entry.kind) && !(now <= entry.notAfter && now >= entry.notBefore);
  const text = `${shortName(entry.subject)} ${reason}${consequence}${cause}`;
  const id = `certificate ${entry.certificate.fingerprint256}`;
  return {
    component: entry.part,
    reason: text,
    severity: isUnusable || consequence !== '' ? 'critical' : 'warning',
    ...(ofTime !== undefined &&
      !isEarly &&
      !Number.isNaN(entry.notAfter) && { steps: stepsFor(entry, isOver) }),
    // The same certificate may also be in other files, and in channels.
    ...(ofTime !== undefined && { causes: [{ id, reason: text, place: entry.path, use: entry.kind }] }),
  };
}

/** The steps for a certificate that has expired or expires soon. */
const stepsFor = ({ path, notAfter }: CertificateEntry, isOver: boolean): Step[] => [
  {
    text: `Replace the certificate in ${path}${isOver ? '' : ` before ${timeText(notAfter)}`}, and restart its node.`,
  },
];

/** Kinds of TLS certificates, which are verified at each connection. */
const IN_USE: ReadonlySet<CertificateKind> = new Set(['tls', 'consenter_client_tls', 'consenter_server_tls']);

/**
 * The consequence for the node. An orderer refuses requests that are signed with an expired certificate (common/deliver/acl.go,
 * `SessionAccessControl`; orderer/common/msgprocessor/expiration.go), and a node does not start with one (msp/mspimplsetup.go,
 * `setupSigningIdentity`). None of them verifies the start of the validity period.
 */
const EXPIRED_IDENTITY: Readonly<Record<Signer, string>> = {
  none: '',
  peer: ': orderers refuse this peer, and it will not start again',
  orderer: ': other orderers send it no blocks, and it will not start again',
};

/** The signing certificates of nodes: the first one of each MSP (msp/configbuilder.go, `getMspConfig`). */
export function identitiesIn(entries: readonly CertificateEntry[]): ReadonlySet<CertificateEntry> {
  const first = new Map<string, CertificateEntry>();
  for (const entry of entries) {
    const directory = dirname(entry.path);
    if (entry.kind === 'signing' && !first.has(directory)) first.set(directory, entry);
  }
  return new Set(first.values());
}

function timeProblem(
  { notBefore, notAfter }: CertificateEntry,
  now: number,
  minimum: number,
): string | undefined {
  // OpenSSL also accepts certificates with times such as month 13.
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
