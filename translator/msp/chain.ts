// Builds and verifies chains of certificates like Go's crypto/x509/verify.go, at a given time, with the rules of the Go version of
// the certificate. The DNS name of a host is not checked: Fabric does not require one.

import { sameBytes } from '../../proto/bytes.js';
import { createYielder } from '../../core/common/flow/yielder.js';
import type { Certificate } from './certificate.js';
import { poolOf } from './certificate-pool.js';
import { rfc3339 } from './der.js';
import { sameAlternativeNames } from './extensions.js';
import { policiesValid } from './certificate-policies.js';
import { chainConstraintError, nameConstraintError } from './name-constraints.js';
import type { GoVersion } from './releases.js';
import { checkOnce } from './verify.js';

/** Options of a verification. */
export interface ChainOptions {
  readonly roots: readonly Certificate[];
  readonly intermediates: readonly Certificate[];
  readonly now: Date;
  /** Object identifiers; every certificate with an extendedKeyUsage must allow one of them. @default serverAuth, as in Go */
  readonly keyUsages?: readonly string[];
}

/** A chain from a certificate to a root. */
export type Chain = readonly Certificate[];

/** Chains from the certificate to a root, or the reason why there is none. */
type ChainResult =
  | { readonly chains: readonly Chain[] }
  | {
      readonly reason: string;
      /** The certificate has expired or is not yet valid. */ readonly isExpired: boolean;
    };

export const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';
export const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';
export const ANY_USAGE = '2.5.29.37.0';
/** Go's limit of signature checks for one certificate. */
export const MAX_CHECKS = 100;

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
    const isRoot = poolOf(options.roots).has(certificate);
    const candidates = isRoot ? [[certificate]] : await new Builder(options).build([certificate]);
    return { chains: allowedChains(candidates, certificate.go, options.keyUsages ?? [SERVER_AUTH]) };
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    return { reason: error.message, isExpired: error.isExpired };
  }
}

/** The chains with compatible policies and key usages (`Verify`). @throws ChainError if there is none */
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

/** Go's text if no chain is allowed, from the numbers of chains with invalid policies and with incompatible key usages. */
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

/**
 * Verifies that a certificate is signed by another one (`CheckSignatureFrom`).
 *
 * @param isOneOfMany whether the other certificate is one of many candidates
 * @returns Go's text if it is not signed by it
 */
export async function checkSignatureFrom(
  certificate: Certificate,
  { version, extensions, publicKey }: Certificate,
  isOneOfMany: boolean,
): Promise<string | undefined> {
  const { hasBasicConstraints, isCa, keyUsage } = extensions;
  const cannotSign =
    (version === 3 && !hasBasicConstraints) ||
    (hasBasicConstraints && !isCa) ||
    (keyUsage !== undefined && keyUsage.length > 0 && !keyUsage.includes('keyCertSign'));
  if (cannotSign) return 'x509: invalid signature: parent certificate cannot sign this kind of certificate';
  if (publicKey.type === 'unknown') return 'x509: cannot verify signature: algorithm unimplemented';
  return checkOnce(certificate, publicKey, certificate.go, isOneOfMany);
}

/** With this many CAs of the same name, the possible signing keys are computed. With fewer, each key is tried. */
export const MANY_ISSUERS = 4;

/** The number of candidates between two reads of the clock. */
const CANDIDATES_PER_CHECK = 4;

/** Whether a certificate has many possible issuers. */
export const hasManyIssuers = (
  certificate: Certificate,
  { roots, intermediates }: Pick<ChainOptions, 'roots' | 'intermediates'>,
): boolean =>
  poolOf(roots).countNamed(certificate) + poolOf(intermediates).countNamed(certificate) >= MANY_ISSUERS;

/** Finds the chains of one certificate (`buildChains`). */
class Builder {
  readonly #options: ChainOptions;
  readonly #yieldIfDue = createYielder(CANDIDATES_PER_CHECK);
  #checks = 0;

  constructor(options: ChainOptions) {
    this.#options = options;
  }

  /** All chains that begin with the given certificates. @throws ChainError if there is none */
  async build(current: Chain): Promise<readonly Chain[]> {
    const last = current.at(-1)!;
    const chains: Chain[] = [];
    let error: ChainError | undefined;
    const isOneOfMany = hasManyIssuers(last, this.#options);
    let hint: { readonly reason: string; readonly candidate: Certificate } | undefined;
    for (const { candidate, kind } of this.#candidates(last)) {
      const turn = this.#yieldIfDue();
      if (turn !== undefined) await turn;
      if (isInChain(candidate, current)) continue;
      if (++this.#checks > MAX_CHECKS) {
        error = new ChainError(
          'x509: signature check attempts limit reached while verifying certificate chain',
        );
        // Further candidates are not tried.
        break;
      }
      const reason = await checkSignatureFrom(last, candidate, isOneOfMany);
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

  *#candidates(
    child: Certificate,
  ): Generator<{ candidate: Certificate; kind: 'root' | 'intermediate' }, void> {
    const { roots, intermediates } = this.#options;
    for (const candidate of poolOf(roots).parentsOf(child)) yield { candidate, kind: 'root' };
    for (const candidate of poolOf(intermediates).parentsOf(child)) yield { candidate, kind: 'intermediate' };
  }
}

/** Checks a single certificate (`isValid`). @throws ChainError */
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

function isInChain(candidate: Certificate, chain: readonly Certificate[]): boolean {
  return chain.some(
    (each) =>
      // The part that differs most often is compared first.
      sameBytes(each.publicKey.spki, candidate.publicKey.spki) &&
      sameBytes(each.subject.raw, candidate.subject.raw) &&
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
