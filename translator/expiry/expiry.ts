// Expiries of certificates and revocation lists, and their places in channels and files.

import { is, requireTypes } from '../../proto/arguments.js';
import { toHex } from '../../proto/bytes.js';
import { attempt } from '../../proto/errors.js';
import { digest } from '../crypto/index.js';
import { serialText } from '../documents/index.js';
import { nameText, readRevocationList, type Certificate } from '../msp/index.js';

/** The use of a certificate or a revocation list. */
export type Use =
  /** The TLS client and server certificate of a consenter. */
  | 'consenter-tls'
  | 'consenter-client-tls'
  | 'consenter-server-tls'
  /** The signing certificate of a BFT consenter. */
  | 'consenter-identity'
  /** The certificate with which an orderer has signed the config block. */
  | 'orderer-identity'
  | 'ca'
  | 'intermediate-ca'
  | 'tls-ca'
  | 'tls-intermediate-ca'
  | 'admin'
  /** Of a node, in the MSP of a channel by mistake. */
  | 'signing-identity'
  | 'revocation-list'
  /** In files only: the certificate in `signcerts`, a TLS certificate, and any other certificate. */
  | 'identity'
  | 'tls'
  | 'certificate';

/** The place of a certificate or a revocation list. */
export interface ExpiryPlace {
  /** The block, ledger, network or file, as in commands. */
  readonly source: string;
  readonly channel?: string;
  /** The name of the group of the organisation. */
  readonly organization?: string;
  readonly mspid?: string;
  /** The path of the element of the config: `/Channel/Application/Org1/MSP`. */
  readonly element?: string;
  /** `host:port` */
  readonly consenter?: string;
  readonly use: Use;
}

/** How to renew a certificate or a revocation list. */
export interface Recipe {
  /** What to do, as text. */
  readonly advice: string;
  /** The command that changes the channel, with placeholders in capitals; undefined if the channel does not change. */
  readonly command?: string;
}

/** A certificate or a revocation list, and when it expires. */
export interface Expiry extends ExpiryPlace {
  /** Of a certificate. */
  readonly subject?: string;
  readonly issuer: string;
  /** Of a certificate: in hexadecimal, as openssl prints it. */
  readonly serial?: string;
  /** Of the certificate in DER, or of the signed part of a revocation list; in hexadecimal. */
  readonly sha256: string;
  /** The start and the end of the validity, in ISO 8601; a revocation list expires at its nextUpdate. */
  readonly from: string;
  readonly until: string;
  /** Whole days until the expiry, rounded down: negative after it. */
  readonly days: number;
  /** `due`: it expires within the time of the report. */
  readonly state: 'expired' | 'due' | 'later';
  readonly recipe: Recipe;
}

/** A certificate or a revocation list that cannot be read. */
export interface Unreadable extends Partial<ExpiryPlace> {
  readonly source: string;
  readonly error: string;
}

/** All expiries, soonest first, and items that cannot be read. */
export interface ExpiryReport {
  /** The time of the report, in ISO 8601. */
  readonly now: string;
  /** The time to look ahead, in seconds. */
  readonly within: number;
  readonly entries: readonly Expiry[];
  readonly unreadable: readonly Unreadable[];
}

/** An expiry before it is compared with the time, or an item that cannot be read. */
export type Found = Omit<Expiry, 'days' | 'state'> | Unreadable;

const DAY = 86_400_000;

/** The type of an {@link ExpiryReport}. */
export const EXPIRY_REPORT = is.named(
  'a result of expiryReport',
  is.record({ now: is.text, entries: is.list(is.any), unreadable: is.list(is.any) }),
);

const FOUND = is.named(
  'a result of certificatesInChannel or certificatesInFile',
  is.list(is.record({ source: is.text })),
);
const OPTIONS = is.only({ now: is.optional(is.date), within: is.optional(is.number(0)) });

/**
 * Sorts expiries by time.
 *
 * @param within certificates that expire in this time are due, in seconds; by default 30 days
 */
export function expiryReport(
  found: readonly Found[],
  options: { readonly now?: Date; readonly within?: number } = {},
): ExpiryReport {
  requireTypes({ found, options }, { found: FOUND, options: OPTIONS });
  const { now = new Date(), within = 30 * 24 * 3600 } = options;
  const time = now.getTime();
  const entries = found.flatMap((each): Expiry[] => {
    if ('error' in each) return [];
    const left = Date.parse(each.until) - time;
    const state = left < 0 ? 'expired' : left <= within * 1000 ? 'due' : 'later';
    return [{ ...each, days: Math.floor(left / DAY), state }];
  });
  return {
    now: now.toISOString(),
    within,
    entries: entries.toSorted((a, b) => Date.parse(a.until) - Date.parse(b.until)),
    unreadable: found.flatMap((each) => ('error' in each ? [each] : [])),
  };
}

/** Reads a certificate. @param read reads it; undefined if there is none */
export const foundCertificate = (
  read: () => Certificate | undefined,
  place: ExpiryPlace,
  recipe: Recipe,
): Found =>
  reading(place, () => {
    const certificate = read();
    if (certificate === undefined) return { ...place, error: 'there is no certificate in PEM' };
    return { ...place, ...certificateFields(certificate), recipe };
  });

function certificateFields({
  subject,
  issuer,
  serial,
  raw,
  notBefore,
  notAfter,
}: Certificate): Pick<Expiry, 'subject' | 'issuer' | 'serial' | 'sha256' | 'from' | 'until'> {
  return {
    subject: nameText(subject),
    issuer: nameText(issuer),
    serial: serialText(serial),
    sha256: toHex(digest('SHA-256', [raw])),
    from: notBefore.toISOString(),
    until: notAfter.toISOString(),
  };
}

/** Reads a revocation list in PEM or DER; empty if it has no nextUpdate. */
export function foundRevocationList(bytes: Uint8Array, place: ExpiryPlace, recipe: Recipe): readonly Found[] {
  const found = reading(place, () => {
    const { issuer, thisUpdate, nextUpdate, signed } = readRevocationList(bytes);
    if (nextUpdate === undefined) return undefined;
    return {
      ...place,
      issuer: nameText(issuer),
      sha256: toHex(digest('SHA-256', [signed])),
      from: thisUpdate.toISOString(),
      until: nextUpdate.toISOString(),
      recipe,
    };
  });
  return found === undefined ? [] : [found];
}

/** Runs a reader; its error becomes an unreadable item. */
export const reading = <Result>(place: Omit<ExpiryPlace, 'use'>, read: () => Result): Result | Unreadable =>
  attempt(read, ({ message }): Unreadable => ({ ...place, error: message }));
