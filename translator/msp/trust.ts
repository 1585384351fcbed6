// The CAs of an MSP: verifies chains of identities, converts certificates to low-S form, and checks revocation (msp/mspimpl.go,
// msp/mspimplvalidate.go, msp/cert.go).

import { printedBytes, sameBytes } from '../../proto/bytes.js';
import { withLowS, type Certificate } from './certificate.js';
import { checkSignatureFrom, hasManyIssuers, verifyChain, type Chain, type ChainOptions } from './chain.js';
import type { Revocation, RevocationList } from './crl.js';
import { TranslateError, withPrefix } from '../../proto/errors.js';
import { SUBJECT_KEY_ID } from './extensions.js';
import { checkOnce } from './verify.js';

/** In milliseconds. */
const SECOND = 1000;

/**
 * When Fabric verifies a certificate: one second after its beginning, whether or not it has expired (msp/mspimpl.go, `getValidityOptsForCert`).
 */
export const verifiedAt = ({ notBefore }: Pick<Certificate, 'notBefore'>): Date =>
  new Date(notBefore.getTime() + SECOND);

/** Whether certificates that begin with another one, or later, are verified while a CA is valid already: a CA that was renewed later is not. */
export const beginsInTime = (ca: Certificate, other: Pick<Certificate, 'notBefore'>): boolean =>
  ca.notBefore.getTime() <= verifiedAt(other).getTime();

/** The CAs of an MSP. */
export interface Trust {
  readonly roots: readonly Certificate[];
  readonly intermediates: readonly Certificate[];
  /** CAs that have issued an intermediate certificate, and so may not issue identities. */
  readonly innerNodes: readonly Certificate[];
  readonly revocationLists: readonly RevocationList[];
}

/** Fabric's text for a certificate without exactly one chain (msp/mspimplvalidate.go, `getUniqueValidationChain`). */
export const severalChains = (count: number): string =>
  `this MSP only supports a single validation chain, got ${count}`;

/**
 * The only chain of a certificate at one second after its notBefore, even if it has expired since (`getUniqueValidationChain`).
 *
 * @throws TranslateError with Fabric's text
 */
export async function uniqueChain(
  certificate: Certificate,
  { roots, intermediates }: Pick<Trust, 'roots' | 'intermediates'>,
): Promise<Chain> {
  const options: ChainOptions = { roots, intermediates, now: verifiedAt(certificate) };
  const result = await verifyChain(certificate, options);
  if ('reason' in result) throw notValid(result.reason);
  const [chain, ...others] = result.chains;
  if (chain === undefined || others.length > 0)
    throw new TranslateError('BAD_IDENTITY', severalChains(result.chains.length));
  if (lacksAlternativeNames(chain))
    throw notValid("x509: issuer has name constraints but leaf doesn't have a SAN extension");
  return chain;
}

const notValid = (reason: string): TranslateError =>
  new TranslateError('BAD_IDENTITY', `the supplied identity is not valid: ${reason}`, '', undefined, reason);

/**
 * Whether a certificate without alternative names has a common name like a host, and a CA above it has name constraints
 * (`verifyLegacyNameConstraints`).
 */
function lacksAlternativeNames([leaf, ...cas]: Chain): boolean {
  const { extensions, subject } = leaf!;
  if (extensions.alternativeNames !== undefined || !isHostName(subject.commonName)) return false;
  return cas.some((ca) => ca.extensions.nameConstraints !== undefined);
}

/** `validHostname` */
function isHostName(name: string): boolean {
  return name
    .replace(/\.$/, '')
    .split('.')
    .every((label, index) => (index === 0 && label === '*') || /^[A-Za-z0-9_:][A-Za-z0-9_:-]*$/.test(label));
}

/** The chain of an identity, or of an intermediate CA, which is checked to be a valid issuer (`getValidationChain`). */
export async function validationChain(certificate: Certificate, trust: Trust, isCa: boolean): Promise<Chain> {
  const chain = await withPrefix('failed getting validation chain', async () =>
    uniqueChain(certificate, trust),
  );
  if (chain.length < 2)
    throw new TranslateError('BAD_IDENTITY', `expected a chain of length at least 2, got ${chain.length}`);
  const parent = chain[isCa ? 0 : 1]!;
  if (trust.innerNodes.some(({ raw }) => sameBytes(raw, parent.raw)))
    throw new TranslateError(
      'BAD_IDENTITY',
      `invalid validation chain. Parent certificate should be a leaf of the certification tree [${printedBytes(certificate.raw)}]`,
    );
  return chain;
}

/** The chain of an identity's certificate (`getCertificationChainForBCCSPIdentity`). */
export async function identityChain(certificate: Certificate, trust: Trust): Promise<Chain> {
  if (certificate.extensions.isCa)
    throw new TranslateError(
      'BAD_IDENTITY',
      'An X509 certificate with Basic Constraint: Certificate Authority equals true cannot be used as an identity',
    );
  return validationChain(certificate, trust, false);
}

/** The reason if a certificate with this chain is revoked; undefined if it is not (`validateCertAgainstChain`). */
export async function revocationOf(
  chain: Chain,
  lists: readonly RevocationList[],
): Promise<Revocation | undefined> {
  const text = await revocationReason(chain, lists);
  const { serial } = chain[0]!;
  return text === undefined
    ? undefined
    : { isListed: lists.some(({ serials }) => serials.has(serial)), text };
}

async function revocationReason(chain: Chain, lists: readonly RevocationList[]): Promise<string | undefined> {
  const [certificate, issuer] = chain as [Certificate, Certificate];
  const keyId = subjectKeyIdOf(issuer);
  if (typeof keyId === 'string') return `could not obtain Subject Key Identifier for signer cert: ${keyId}`;
  for (const list of lists) {
    if (list.authorityKeyId === undefined)
      return 'could not obtain Authority Key Identifier for crl: authorityKeyIdentifier not found in certificate';
    const isListed = sameBytes(list.authorityKeyId, keyId.bytes) && list.serials.has(certificate.serial);
    if (isListed && (await checkOnce(list, issuer.publicKey, issuer.go, false)) === undefined)
      return 'The certificate has been revoked';
  }
  return undefined;
}

/** Whether a list belongs to one of the CAs. Fabric ignores a list with another key id or signature (`validateCertAgainstChain`). */
export async function isListOf(list: RevocationList, cas: readonly Certificate[]): Promise<boolean> {
  for (const { publicKey, go, ...ca } of cas) {
    const keyId = subjectKeyIdOf(ca);
    if (typeof keyId === 'string' || list.authorityKeyId === undefined) continue;
    if (!sameBytes(list.authorityKeyId, keyId.bytes)) continue;
    if ((await checkOnce(list, publicKey, go, false)) === undefined) return true;
  }
  return false;
}

/** The subject key identifier, or Fabric's text if there is none (`getSubjectKeyIdentifierFromCert`). */
export function subjectKeyIdOf({
  extensions,
}: Pick<Certificate, 'extensions'>): { readonly bytes: Uint8Array } | string {
  return extensions.all.some(({ id }) => id === SUBJECT_KEY_ID)
    ? { bytes: extensions.subjectKeyId }
    : 'subjectKeyIdentifier not found in certificate';
}

/**
 * The certificate with its signature in low-S form (`sanitizeCert`). Certificates that are not signed with ECDSA are returned unchanged
 * and are not verified.
 *
 * @throws TranslateError with Fabric's text if an ECDSA certificate has no chain
 */
export async function sanitize(
  certificate: Certificate,
  trust: Pick<Trust, 'roots' | 'intermediates'>,
): Promise<Certificate> {
  if (certificate.algorithm.key !== 'ECDSA') return certificate;
  const isRoot =
    certificate.extensions.isCa &&
    (await checkSignatureFrom(certificate, certificate, hasManyIssuers(certificate, trust))) === undefined;
  if (isRoot) {
    const root = inLowS(certificate, certificate);
    await uniqueChain(root, { ...trust, roots: [root] });
    return root;
  }
  const chain = await uniqueChain(certificate, trust);
  if (chain.length < 2)
    throw new TranslateError(
      'BAD_IDENTITY',
      `failed to traverse certificate verification chain for leaf or intermediate certificate, with subject ${certificate.subject.text}`,
    );
  return inLowS(certificate, chain[1]!);
}

const inLowS = (certificate: Certificate, { publicKey }: Certificate): Certificate =>
  publicKey.type === 'ECDSA' ? withLowS(certificate, publicKey.curve) : certificate;
