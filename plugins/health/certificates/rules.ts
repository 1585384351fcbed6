// The rules for the files of an MSP and for private keys.

import type { KeyObject, X509Certificate } from 'node:crypto';
import type { FailedPart } from '../../../core/contract/index.js';
import { isIssuedBy } from '../../../core/kit/index.js';
import { hasKey } from './chain.js';
import type { CertificateEntry } from './entry.js';
import type { ReadFile } from './read-file.js';
import { nameInMsp } from './walk.js';

/** The CA certificates by subject. */
export function casBySubject(
  entries: readonly CertificateEntry[],
): ReadonlyMap<string, readonly CertificateEntry[]> {
  const cas = new Map<string, CertificateEntry[]>();
  for (const entry of entries) {
    if (!entry.certificate.ca) continue;
    const same = cas.get(entry.subject);
    if (same === undefined) cas.set(entry.subject, [entry]);
    else same.push(entry);
  }
  return cas;
}

/** Sets the problems of the certificates in MSPs, and returns the problems of other files. */
export function faultsOf(files: readonly ReadFile[]): FailedPart[] {
  return [...groupByMsp(files).flatMap(checkMsp), ...checkKeys(files)];
}

/** The files of one MSP. */
interface Msp {
  readonly path: string;
  readonly files: readonly ReadFile[];
}

function groupByMsp(files: readonly ReadFile[]): Msp[] {
  const msps = new Map<string, ReadFile[]>();
  for (const each of files) {
    const path = each.file.msp?.path;
    if (path === undefined) continue;
    const group = msps.get(path);
    if (group === undefined) msps.set(path, [each]);
    else group.push(each);
  }
  return [...msps].map(([path, group]) => ({ path, files: group }));
}

/** Sets the problems of the certificates of an MSP, and returns the problems of its other files. */
function checkMsp({ path, files }: Msp): FailedPart[] {
  const entries = files.flatMap((each) => each.entries);
  const ofKind = (kind: string): X509Certificate[] =>
    entries.filter((entry) => entry.kind === kind).map(({ certificate }) => certificate);
  const [roots, intermediates] = [ofKind('ca'), ofKind('intermediate_ca')];
  const [tlsRoots, tlsIntermediates] = [ofKind('tls_ca'), ofKind('tls_intermediate_ca')];
  const keys = files.flatMap(({ content }) => content.publicKey ?? []);
  for (const entry of entries) {
    const { kind, certificate } = entry;
    if (kind === 'signing' || kind === 'admin' || kind === 'intermediate_ca') {
      if (!isIssuedBy([certificate, ...intermediates], roots))
        entry.problem = `is not issued by a CA of the MSP ${path}`;
      else if (kind === 'signing' && keys.length > 0 && !hasKey(certificate, keys))
        entry.problem = `has a private key that is not in the keystore of the MSP ${path}`;
    }
    if (kind === 'tls_intermediate_ca' && !isIssuedBy([certificate, ...tlsIntermediates], tlsRoots))
      entry.problem = `is not issued by a TLS CA of the MSP ${path}`;
  }
  return files.flatMap((each) => unitProblems(each, files));
}

/** A unit of a config.yaml must refer to a CA of its MSP (msp/mspimplsetup.go, `getCertifiersIdentifier`). */
function unitProblems({ file, content }: ReadFile, files: readonly ReadFile[]): FailedPart[] {
  const cas = new Set(
    files.flatMap((each) => {
      const role = each.file.msp?.role;
      if (role !== 'ca' && role !== 'intermediate_ca') return [];
      return [nameInMsp(each.file.path, role === 'ca' ? 'cacerts' : 'intermediatecerts')];
    }),
  );
  const missing = (content.references ?? []).filter((name) => !cas.has(name.replace(/^\.\//, '')));
  return missing.length === 0
    ? []
    : [
        {
          component: file.path,
          reason: `refers to ${missing.join(', ').slice(0, 500)}, which is not a CA certificate of this MSP`,
        },
      ];
}

/** Each key must belong to a certificate outside the MSPs. */
function checkKeys(files: readonly ReadFile[]): FailedPart[] {
  const certificates = files
    .filter(({ file }) => file.msp === undefined)
    .flatMap(({ entries }) => entries.map(({ certificate }) => certificate));
  const belongs = (key: KeyObject): boolean => certificates.some((certificate) => hasKey(certificate, [key]));
  return files.flatMap(({ file, content: { publicKey } }) =>
    file.isKey === true && publicKey !== undefined && !belongs(publicKey)
      ? [{ component: file.path, reason: 'does not belong to any of the certificates of `paths`' }]
      : [],
  );
}
