// Builds and verifies chains of certificates as Go's crypto/x509/verify.go does, at a given time, with the rules of the version of Go of
// the certificate. The DNS name of a host is not checked: Fabric does not ask for one.

import { sameBytes } from '../../proto/bytes.js';
import type { Certificate } from './certificate.js';
import { rfc3339 } from './der.js';
import { sameAlternativeNames } from './extensions.js';
import { policiesValid } from './certificate-policies.js';
import { chainConstraintError, nameConstraintError } from './name-constraints.js';
import type { GoVersion } from './releases.js';
import type { PublicKey } from './public-key.js';
import { checkSignature } from './verify.js';

/** What to verify against. */
export interface ChainOptions {
  readonly roots: readonly Certificate[];
  readonly intermediates: readonly Certificate[];
  readonly now: Date;
  /** Object identifiers of which every certificate with an extendedKeyUsage must allow one. @default serverAuth, as in Go */
  readonly keyUsages?: readonly string[];
}

/** A chain from a certificate to a root. */
export type Chain = readonly Certificate[];

/** Chains from the certificate to a root, or the reason why there is none. */
export type ChainResult =
  | { readonly chains: readonly Chain[] }
  | {
      readonly reason: string;
      /** The certificate has expired or is not yet valid. */ readonly isExpired: boolean;
    };

export const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';
export const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';
export const ANY_USAGE = '2.5.29.37.0';
/** Go's limit of signature checks for one certificate. */
const MAX_CHECKS = 100;

class ChainError extends Error {
  readonly isExpired: boolean;

  constructor(message: string, isExpired = false) {
    super(message);
    this.isExpired = isExpired;
  }
}

/** Verifies a certificate (`Certificate.Verify`). */
export async function verifyChain(certificate: Certificate, options: ChainOptions): Promise<ChainResult> {
  try {
    checkCertificate(certificate, 'leaf', [], options);
    const isRoot = options.roots.some(({ raw }) => sameBytes(raw, certificate.raw));
    const candidates = isRoot ? [[certificate]] : await new Builder(options).build([certificate]);
    return { chains: allowedChains(candidates, certificate.go, options.keyUsages ?? [SERVER_AUTH]) };
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    return { reason: error.message, isExpired: error.isExpired };
  }
}

/** The chains whose certificates allow each other (`Verify`). @throws ChainError if there is none */
function allowedChains(
  candidates: readonly Chain[],
  go: GoVersion,
  usages: readonly string[],
): readonly Chain[] {
  const hasPolicies = candidates.filter((chain) => go < '1.24' || policiesValid(chain));
  const hasUsage = hasPolicies.filter((chain) => allowsUsage(chain, usages));
  const reasons = hasUsage.map((chain) =>
    go < '1.26' ? undefined : chainConstraintError(chain.map(({ extensions }) => extensions)),
  );
  const allowed = hasUsage.filter((_, index) => reasons[index] === undefined);
  if (allowed.length > 0) return allowed;
  throw new ChainError(
    reasons.find((reason) => reason !== undefined) ??
      notAllowed(candidates.length - hasPolicies.length, hasPolicies.length, go),
  );
}

/** Go's text where no chain is allowed, by the numbers of those that do not fulfil policies and key usages. */
function notAllowed(policies: number, usages: number, go: GoVersion): string {
  if (policies === 0) return 'x509: certificate specifies an incompatible key usage';
  const failure = 'x509: no valid chains built';
  if (go < '1.26' && usages === 0) return `${failure}: all candidate chains have invalid policies`;
  const kind = go < '1.26' ? 'chains' : 'candidate chains';
  const details = [
    ...(usages === 0 ? [] : [`${usages} ${kind} with incompatible key usage`]),
    `${policies} ${kind} with invalid policies`,
  ];
  return `${failure}: ${details.join(', ')}`;
}

/** Verifies that a certificate is signed by another (`CheckSignatureFrom`). @returns Go's text if it is not */
export async function checkSignatureFrom(
  certificate: Certificate,
  { version, extensions, publicKey }: Certificate,
): Promise<string | undefined> {
  const { hasBasicConstraints, isCa, keyUsage } = extensions;
  const cannotSign =
    (version === 3 && !hasBasicConstraints) ||
    (hasBasicConstraints && !isCa) ||
    (keyUsage !== undefined && keyUsage.length > 0 && !keyUsage.includes('keyCertSign'));
  if (cannotSign) return 'x509: invalid signature: parent certificate cannot sign this kind of certificate';
  if (publicKey.type === 'unknown') return 'x509: cannot verify signature: algorithm unimplemented';
  return checkOnce(certificate, publicKey);
}

/** Results of checks: most chains are built several times. */
const checked = new WeakMap<Certificate, WeakMap<PublicKey, Promise<string | undefined>>>();

function checkOnce(certificate: Certificate, key: PublicKey): Promise<string | undefined> {
  const ofCertificate = checked.get(certificate) ?? new WeakMap<PublicKey, Promise<string | undefined>>();
  checked.set(certificate, ofCertificate);
  const found = ofCertificate.get(key);
  if (found !== undefined) return found;
  const made = checkSignature(certificate, key, certificate.go);
  ofCertificate.set(key, made);
  return made;
}

/** Finds the chains of one certificate (`buildChains`). */
class Builder {
  readonly #options: ChainOptions;
  #checks = 0;

  constructor(options: ChainOptions) {
    this.#options = options;
  }

  /** All chains that begin with these certificates. @throws ChainError if there is none */
  async build(current: Chain): Promise<readonly Chain[]> {
    const last = current.at(-1)!;
    const chains: Chain[] = [];
    let error: ChainError | undefined;
    let hint: { readonly reason: string; readonly candidate: Certificate } | undefined;
    const { roots, intermediates } = this.#options;
    const candidates = [
      ...parentsOf(last, roots).map((candidate) => ({ candidate, kind: 'root' as const })),
      ...parentsOf(last, intermediates).map((candidate) => ({ candidate, kind: 'intermediate' as const })),
    ];
    for (const { candidate, kind } of candidates) {
      if (isInChain(candidate, current)) continue;
      if (++this.#checks > MAX_CHECKS) {
        error = new ChainError(
          'x509: signature check attempts limit reached while verifying certificate chain',
        );
        continue;
      }
      const reason = await checkSignatureFrom(last, candidate);
      if (reason !== undefined) {
        hint ??= { reason, candidate };
        continue;
      }
      try {
        checkCertificate(candidate, kind, current, this.#options);
        const extended = [...current, candidate];
        chains.push(...(kind === 'root' ? [extended] : await this.build(extended)));
      } catch (failure) {
        if (!(failure instanceof ChainError)) throw failure;
        hint ??= { reason: failure.message, candidate };
        error = failure;
      }
    }
    if (chains.length > 0) return chains;
    throw error ?? new ChainError(unknownAuthority(hint));
  }
}

/** Checks a certificate by itself (`isValid`). @throws ChainError */
function checkCertificate(
  { go, extensions, notBefore, notAfter }: Certificate,
  kind: 'leaf' | 'intermediate' | 'root',
  current: readonly Certificate[],
  { now }: ChainOptions,
): void {
  if (extensions.unhandledCritical.length > 0) throw new ChainError('x509: unhandled critical extension');
  const expired = 'x509: certificate has expired or is not yet valid: current time';
  if (now < notBefore)
    throw new ChainError(`${expired} ${rfc3339(now)} is before ${rfc3339(notBefore)}`, true);
  if (now > notAfter) throw new ChainError(`${expired} ${rfc3339(now)} is after ${rfc3339(notAfter)}`, true);
  const { hasBasicConstraints, isCa, maxPathLength, nameConstraints } = extensions;
  if (go < '1.26' && kind !== 'leaf' && nameConstraints !== undefined) {
    const below = current.flatMap(({ extensions: { alternativeNames } }) => alternativeNames?.names ?? []);
    const reason = nameConstraintError(nameConstraints, below);
    if (reason !== undefined) throw new ChainError(reason);
  }
  if (kind === 'intermediate' && !(hasBasicConstraints && isCa))
    throw new ChainError('x509: certificate is not authorized to sign other certificates');
  if (hasBasicConstraints && maxPathLength >= 0 && current.length - 1 > maxPathLength)
    throw new ChainError('x509: too many intermediates for path length constraint');
}

/** The candidates with the right name, those with the right key identifier first (`findPotentialParents`). */
function parentsOf(child: Certificate, pool: readonly Certificate[]): readonly Certificate[] {
  const { authorityKeyId } = child.extensions;
  const rank = ({ extensions: { subjectKeyId } }: Certificate): number => {
    if (sameBytes(subjectKeyId, authorityKeyId)) return 0;
    return subjectKeyId.length === 0 || authorityKeyId.length === 0 ? 1 : 2;
  };
  const named = pool.filter(
    ({ subject, raw }, index) =>
      sameBytes(subject.raw, child.issuer.raw) &&
      pool.findIndex((other) => sameBytes(other.raw, raw)) === index,
  );
  return [0, 1, 2].flatMap((wanted) => named.filter((each) => rank(each) === wanted));
}

function isInChain(candidate: Certificate, chain: readonly Certificate[]): boolean {
  return chain.some(
    (each) =>
      sameBytes(each.subject.raw, candidate.subject.raw) &&
      sameBytes(each.publicKey.spki, candidate.publicKey.spki) &&
      sameAlternativeNames(each.extensions, candidate.extensions),
  );
}

function unknownAuthority(
  hint: { readonly reason: string; readonly candidate: Certificate } | undefined,
): string {
  // Go's text.
  const text = 'x509: certificate signed by unknown authority';
  if (hint === undefined) return text;
  const { subject, serial } = hint.candidate;
  const name = subject.commonName || (subject.organizations[0] ?? `serial:${serial}`);
  return `${text} (possibly because of ${JSON.stringify(hint.reason)} while trying to verify candidate authority certificate ${JSON.stringify(name)})`;
}

/** Whether every certificate of a chain allows one of the usages (`checkChainForKeyUsage`). */
function allowsUsage(chain: readonly Certificate[], wanted: readonly string[]): boolean {
  let usages = wanted;
  for (const { extensions } of chain.toReversed()) {
    const { extendedKeyUsage } = extensions;
    if (extendedKeyUsage.length === 0 || extendedKeyUsage.includes(ANY_USAGE)) continue;
    usages = usages.filter((usage) => extendedKeyUsage.includes(usage));
    if (usages.length === 0) return false;
  }
  return true;
}
