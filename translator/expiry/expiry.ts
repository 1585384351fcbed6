// What ends: certificates and revocation lists, and of which of them the channel or a file is the place.

import { toHex } from '../../proto/bytes.js';
import { attempt } from '../../proto/errors.js';
import { digest } from '../crypto/index.js';
import { serialText } from '../describe/index.js';
import { nameText, readRevocationList, type Certificate } from '../msp/index.js';

/** What a certificate or a revocation list is for. */
export type Use =
  /** The TLS certificate of a consenter, as client and server. */
  | 'consenter-tls'
  | 'consenter-client-tls'
  | 'consenter-server-tls'
  /** The certificate that a BFT consenter signs with. */
  | 'consenter-identity'
  /** The certificate that an orderer has signed the config block with. */
  | 'orderer-identity'
  | 'ca'
  | 'intermediate-ca'
  | 'tls-ca'
  | 'tls-intermediate-ca'
  | 'admin'
  | 'revocation-list'
  /** In files only: the certificate in `signcerts`, a TLS certificate, and any other one. */
  | 'identity'
  | 'tls'
  | 'certificate';

/** Where something that ends is. */
export interface Place {
  /** The block, ledger, network or file, as it is named to commands. */
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

/** How something is renewed. */
export interface Recipe {
  /** What to do, in words. */
  readonly advice: string;
  /** The command that changes the channel, with placeholders in capitals; absent if the channel does not change. */
  readonly command?: string;
}

/** A certificate or a revocation list, and when it ends. */
export interface Expiry extends Place {
  /** Of a certificate. */
  readonly subject?: string;
  readonly issuer: string;
  /** Of a certificate: in hexadecimal, as openssl prints it. */
  readonly serial?: string;
  /** Of the certificate in DER, or of the signed part of a revocation list; in hexadecimal. */
  readonly sha256: string;
  /** When it begins and ends, in ISO 8601; a revocation list ends at its nextUpdate. */
  readonly from: string;
  readonly until: string;
  /** Whole days until then, rounded down: negative once it has ended. */
  readonly days: number;
  /** `due`: it ends within the time that is looked ahead. */
  readonly state: 'expired' | 'due' | 'later';
  readonly recipe: Recipe;
}

/** What was expected to be a certificate or a revocation list, and cannot be read. */
export interface Unreadable extends Partial<Place> {
  readonly source: string;
  readonly error: string;
}

/** Everything that ends, soonest first, and what could not be read. */
export interface ExpiryReport {
  /** When the report was made, in ISO 8601. */
  readonly now: string;
  /** How far it looks ahead, in seconds. */
  readonly within: number;
  readonly entries: readonly Expiry[];
  readonly unreadable: readonly Unreadable[];
}

/** Something that ends, before it is compared with the time; or what cannot be read. */
export type Found = Omit<Expiry, 'days' | 'state'> | Unreadable;

const DAY = 86_400_000;

/**
 * Sorts what was found by its end.
 *
 * @param within how far to look ahead, in seconds
 */
export function expiryReport(
  found: readonly Found[],
  { now, within }: { readonly now: Date; readonly within: number },
): ExpiryReport {
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
export const foundCertificate = (read: () => Certificate | undefined, place: Place, recipe: Recipe): Found =>
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

/** Reads a revocation list in PEM or DER; nothing if it has no nextUpdate. */
export function foundRevocationList(bytes: Uint8Array, place: Place, recipe: Recipe): readonly Found[] {
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

/** Runs a reader; its error becomes what cannot be read. */
export const reading = <Result>(place: Omit<Place, 'use'>, read: () => Result): Result | Unreadable =>
  attempt(read, ({ message }): Unreadable => ({ ...place, error: message }));
