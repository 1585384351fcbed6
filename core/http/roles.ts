// The roles of clients: readers may only read, writers may also change something.

import type { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TLSSocket, type PeerCertificate } from 'node:tls';
import errors from 'restify-errors';
import type { Settings } from '../../config/index.js';
import { hashOfKey, hasIssued } from '../common/certificates/chain.js';
import { readCertificates } from '../common/certificates/tls-files.js';
import { peerOf } from '../common/server/mutual-tls.js';
import { clientOf } from './client-certificate.js';
import { SAFE_METHODS } from './hosts.js';
import { requestFields, type LimitedLog } from './limited-log.js';

/** The settings of both roles. */
type RoleSettings = NonNullable<Settings['operations']['tls']['roles']>;
type Role = keyof RoleSettings;

/** A name in `subjectaltname` of Node, which quotes names with special characters. */
const ALTERNATIVE_NAME = /(?:^|, )(?:DNS|IP Address|email|URI):("(?:[^"\\]|\\.)*"|[^,]*)/g;

/** Decides what clients may do. */
export class Roles {
  readonly #names: Readonly<Record<Role, ReadonlySet<string>>>;
  readonly #cas: Readonly<Record<Role, readonly X509Certificate[]>>;
  /** The hashes of the keys of the CAs: a renewed CA has the role of the CA that it replaces. */
  readonly #keys: Readonly<Record<Role, ReadonlySet<string>>>;
  readonly #roots: readonly X509Certificate[];

  /**
   * Reads the CAs.
   *
   * @param roots the client root CAs
   * @throws Error for an unusable file, and for CAs with one key in both roles
   */
  constructor({ readers, writers }: RoleSettings, roots: readonly X509Certificate[]) {
    const casIn = (role: Role, files: readonly string[]): X509Certificate[] =>
      files.flatMap((file) => readCertificates(file, `CA of operations.tls.${role}`).certificates);
    this.#names = { readers: new Set(readers.names), writers: new Set(writers.names) };
    this.#cas = { readers: casIn('readers', readers.files), writers: casIn('writers', writers.files) };
    this.#keys = {
      readers: new Set(this.#cas.readers.map(hashOfKey)),
      writers: new Set(this.#cas.writers.map(hashOfKey)),
    };
    this.#roots = roots;
    const inBoth = this.#cas.readers.find((ca) => this.#keys.writers.has(hashOfKey(ca)));
    if (inBoth !== undefined)
      throw new Error(
        `the CA ${inBoth.subject.replaceAll('\n', ',')} is in operations.tls.readers (${readers.files.join(', ')}) and in operations.tls.writers (${writers.files.join(', ')}); a certificate has one role`,
      );
  }

  /** The CAs of both roles, which may issue client certificates. */
  get cas(): readonly X509Certificate[] {
    return [...this.#cas.readers, ...this.#cas.writers];
  }

  /** Why the client with a certificate may not change anything; undefined if it may. */
  problemOf(certificate: X509Certificate, name: string, method: string): string | undefined {
    const names = namesOf(certificate.toLegacyObject());
    const keys = issuersOf(certificate, [...this.#roots, ...this.cas]).map(hashOfKey);
    const has = (role: Role): boolean =>
      names.some((each) => this.#names[role].has(each)) || keys.some((key) => this.#keys[role].has(key));
    const isReader = has('readers');
    // OpenSSL verified it with a CA that the client sent, which may have several issuers; the client chooses one of them.
    const isUnknown = keys.length === 0 && this.cas.length > 0;
    const mayBeReader = isUnknown && this.#keys.readers.size > 0;
    const hasWriters = this.#names.writers.size + this.#keys.writers.size > 0;
    if (!isReader && !mayBeReader && (!hasWriters || has('writers'))) return undefined;
    const unlisted = isUnknown
      ? `its issuer ${certificate.issuer.replaceAll('\n', ',')} is not in operations.tls.clientRootCAs.files`
      : 'operations.tls.writers does not have it';
    const why = isReader ? 'operations.tls.readers has it' : unlisted;
    const needed = hasWriters ? 'in operations.tls.writers' : 'that is not in operations.tls.readers';
    return `the certificate ${name} has the role of a reader, because ${why}: it may send GET and HEAD; ${method} needs a certificate ${needed}`;
  }
}

/** The common names and alternative names of a certificate. */
function namesOf({ subject, subjectaltname = '' }: PeerCertificate): string[] {
  // Several if the subject has several common names. Undefined, which its type omits, without one.
  const common = [(subject as { CN?: string | string[] } | undefined)?.CN ?? []].flat();
  const others = [...subjectaltname.matchAll(ALTERNATIVE_NAME)].map(([, text = '']) =>
    text.startsWith('"') ? String(JSON.parse(text)) : text,
  );
  return [...common, ...others];
}

/**
 * The CAs that issued a certificate, directly or through each other, by their signatures; a CA itself is among them. The CAs that a client
 * sends are not used: Node links them by their names only, and anybody can make a CA with the name of another one.
 */
function issuersOf(certificate: X509Certificate, cas: readonly X509Certificate[]): X509Certificate[] {
  const found = new Set(cas.filter(({ raw }) => raw.equals(certificate.raw)));
  const pending = [certificate];
  for (const subject of pending)
    for (const ca of cas)
      if (!found.has(ca) && hasIssued(ca, subject)) {
        found.add(ca);
        pending.push(ca);
      }
  return [...found];
}

/**
 * Checks that the client of a request may change something, unless the request changes nothing. Refusals are logged.
 *
 * @throws ForbiddenError
 */
export function requireWriter(request: IncomingMessage, roles: Roles | undefined, log: LimitedLog): void {
  const { method = '', socket } = request;
  if (roles === undefined || SAFE_METHODS.has(method) || !(socket instanceof TLSSocket)) return;
  const { name, refusal } = clientOf(socket);
  const { certificate } = peerOf(socket);
  // Without a verified certificate other checks refuse all requests that could change something. A closed connection has none.
  if (refusal !== undefined || certificate === undefined) return;
  const problem = roles.problemOf(certificate, name, method);
  if (problem === undefined) return;
  log.log('warn', 'forbidden request', `forbidden request: ${problem}`, requestFields(request));
  throw new errors.ForbiddenError('%s', problem);
}
