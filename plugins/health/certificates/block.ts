// The certificates in a config block: those of all MSPs and of the consenters.

import { X509Certificate } from 'node:crypto';
import {
  addressText,
  channelOf,
  readConfigFile,
  type Consenter,
  type Consortium,
  type Organization,
} from 'fabric-ops-agent/translator/channel';
import { readX509Msp } from 'fabric-ops-agent/translator/msp';
import { createEntry, type Entry } from './entry.js';
import type { CertificateKind } from './walk.js';

/** Most certificates of one block. */
const MAX_CERTIFICATES = 10_000;

/** A certificate of a block, as PEM. */
interface Embedded {
  /** `Org1MSP tls_ca`, or `consenter host:port`. */
  readonly owner: string;
  readonly kind: CertificateKind;
  readonly pem: Uint8Array;
}

/** The certificates of a block. */
export interface BlockEntries {
  readonly entries: readonly Entry[];
  readonly problem?: string;
}

/**
 * Reads a file with a config block, an envelope or a config.
 *
 * @returns the valid certificates, and what is wrong with the first one that is not
 * @throws TranslateError for any other file
 */
export function entriesInBlock(path: string, bytes: Uint8Array): BlockEntries {
  const { config } = readConfigFile(bytes);
  const { orderer, application, consortiums = [] } = channelOf(config);
  const organizations = [
    ...orderer.organizations,
    ...application.organizations,
    ...consortiums.flatMap((consortium) => consortium.organizations),
  ];
  const embedded = [
    ...organizations.flatMap(mspCertificates),
    ...orderer.consenters.flatMap(consenterCertificates),
  ];
  if (embedded.length > MAX_CERTIFICATES) throw new Error(`has more than ${MAX_CERTIFICATES} certificates`);
  let problem: string | undefined;
  const entries = embedded.flatMap(({ owner, kind, pem }, index) => {
    const certificate = parse(pem);
    if (certificate === undefined) problem ??= `has an invalid certificate of ${owner} (${kind})`;
    return certificate === undefined
      ? []
      : [createEntry(certificate, { path, suffix: `#${owner} ${kind} ${index + 1}`, kind })];
  });
  return { entries, ...(problem !== undefined && { problem }) };
}

function consenterCertificates(consenter: Consenter): Embedded[] {
  const owner = `consenter ${addressText(consenter)}`;
  const { identity } = consenter;
  return [
    ...(identity === undefined ? [] : [{ owner, kind: 'consenter_identity' as const, pem: identity }]),
    { owner, kind: 'consenter_client_tls', pem: consenter.clientTlsCert },
    { owner, kind: 'consenter_server_tls', pem: consenter.serverTlsCert },
  ];
}

function mspCertificates({
  name,
  mspId = name,
  msp: serialized,
}: Organization | Consortium['organizations'][number]): Embedded[] {
  const msp = serialized && readX509Msp(serialized);
  if (msp === undefined) return [];
  const { roots, intermediates, admins, tlsRoots, tlsIntermediates } = msp;
  const lists: readonly (readonly [CertificateKind, readonly Uint8Array[]])[] = [
    ['ca', roots],
    ['intermediate_ca', intermediates],
    ['admin', admins],
    ['tls_ca', tlsRoots],
    ['tls_intermediate_ca', tlsIntermediates],
  ];
  return lists.flatMap(([kind, all]) => all.map((pem) => ({ owner: mspId, kind, pem })));
}

function parse(pem: Uint8Array): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}
