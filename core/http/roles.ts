// The roles of clients: readers may only look, writers may also change something.

import type { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TLSSocket, type DetailedPeerCertificate } from 'node:tls';
import errors from 'restify-errors';
import type { Settings } from '../../config/index.js';
import { readCertificates } from '../common/certificates/tls-files.js';
import { clientOf } from './client-certificate.js';
import { SAFE_METHODS } from './hosts.js';
import { requestFields, type LimitedLog } from './limited-log.js';

/** The settings of both roles. */
type RoleSettings = NonNullable<Settings['operations']['tls']['roles']>;
type Role = keyof RoleSettings;

/** Most certificates of a chain that are compared. */
const MAX_CHAIN = 10;
/** A name in `subjectaltname` of Node, which quotes names with special characters. */
const ALTERNATIVE_NAME = /(?:^|, )(?:DNS|IP Address|email|URI):("(?:[^"\\]|\\.)*"|[^,]*)/g;

/** Decides what clients may do. */
export class Roles {
  readonly #names: Readonly<Record<Role, ReadonlySet<string>>>;
  /** By role and fingerprint. */
  readonly #cas: Readonly<Record<Role, ReadonlyMap<string, X509Certificate>>>;

  /** Reads the CAs. @throws Error for an unusable file, and for a CA in both roles */
  constructor({ readers, writers }: RoleSettings) {
    const casIn = (role: Role, files: readonly string[]): Map<string, X509Certificate> =>
      new Map(
        files.flatMap((file) =>
          readCertificates(file, `CA of operations.tls.${role}`).certificates.map((ca) => [
            ca.fingerprint256,
            ca,
          ]),
        ),
      );
    this.#names = { readers: new Set(readers.names), writers: new Set(writers.names) };
    this.#cas = { readers: casIn('readers', readers.files), writers: casIn('writers', writers.files) };
    for (const [fingerprint, { subject }] of this.#cas.readers)
      if (this.#cas.writers.has(fingerprint))
        throw new Error(
          `the CA ${subject.replaceAll('\n', ',')} is in operations.tls.readers (${readers.files.join(', ')}) and in operations.tls.writers (${writers.files.join(', ')}); a certificate has one role`,
        );
  }

  /** The CAs of both roles, which may issue client certificates. */
  get cas(): readonly X509Certificate[] {
    return [...this.#cas.readers.values(), ...this.#cas.writers.values()];
  }

  /** Why the client of a connection may not change anything; undefined if it may. */
  problemOf(certificate: DetailedPeerCertificate, name: string, method: string): string | undefined {
    const isReader = this.#has('readers', certificate);
    const hasWriters = this.#names.writers.size + this.#cas.writers.size > 0;
    if (!isReader && (!hasWriters || this.#has('writers', certificate))) return undefined;
    const why = isReader ? 'operations.tls.readers has it' : 'operations.tls.writers does not have it';
    const needed = hasWriters ? 'in operations.tls.writers' : 'that is not in operations.tls.readers';
    return `the certificate ${name} has the role of a reader, because ${why}: it may send GET and HEAD; ${method} needs a certificate ${needed}`;
  }

  #has(role: Role, certificate: DetailedPeerCertificate): boolean {
    return (
      namesOf(certificate).some((name) => this.#names[role].has(name)) ||
      issuersOf(certificate).some((fingerprint) => this.#cas[role].has(fingerprint))
    );
  }
}

/** The common names and alternative names of a certificate. */
function namesOf({ subject, subjectaltname = '' }: DetailedPeerCertificate): string[] {
  // Several if the subject has several common names. Undefined, which its type omits, without one.
  const common = [(subject as { CN?: string | string[] } | undefined)?.CN ?? []].flat();
  const others = [...subjectaltname.matchAll(ALTERNATIVE_NAME)].map(([, text = '']) =>
    text.startsWith('"') ? String(JSON.parse(text)) : text,
  );
  return [...common, ...others];
}

/** The fingerprints of the CAs in the chain of a certificate. */
function issuersOf(certificate: DetailedPeerCertificate): string[] {
  const found: string[] = [];
  // Undefined, which its type omits, if the issuer is not known; a root CA is its own issuer.
  let next = certificate.issuerCertificate as DetailedPeerCertificate | undefined;
  while (next !== undefined && found.length < MAX_CHAIN && !found.includes(next.fingerprint256)) {
    found.push(next.fingerprint256);
    next = next.issuerCertificate as DetailedPeerCertificate | undefined;
  }
  return found;
}

/**
 * Checks that the client of a request may change something, unless the request changes nothing. Refusals are logged.
 *
 * @throws ForbiddenError
 */
export function requireWriter(request: IncomingMessage, roles: Roles | undefined, log: LimitedLog): void {
  const { method = '', socket } = request;
  if (roles === undefined || SAFE_METHODS.has(method) || !(socket instanceof TLSSocket)) return;
  const { name } = clientOf(socket);
  // Null, which its type omits, on a closed connection; an empty object without a certificate, which other checks refuse.
  const certificate = socket.getPeerCertificate(true) as DetailedPeerCertificate | null;
  if (certificate?.raw === undefined) return;
  const problem = roles.problemOf(certificate, name, method);
  if (problem === undefined) return;
  log.log('warn', 'forbidden request', `forbidden request: ${problem}`, requestFields(request));
  throw new errors.ForbiddenError('%s', problem);
}
