// An MSP, which makes identities; the MSPs of a channel (msp/mspmgrimpl.go); and the MSPs of a certificate.

import { concatBytes, sameBytes, toHex, NO_BYTES } from '../../proto/bytes.js';
import { TranslateError, attempt, withPrefix } from '../../proto/errors.js';
import { certificateIn, readPemCertificate, type Certificate } from './certificate.js';
import type { Hash } from './config.js';
import type { Chain } from './chain.js';
import { rfc3339 } from './der.js';
import {
  certificateFault,
  Identity,
  readSerializedIdentity,
  type JudgedIdentity,
  type MspRules,
} from './identity.js';
import { importError } from './public-key.js';
import {
  beginsInTime,
  identityChain,
  revocationOf,
  sanitize,
  severalChains,
  uniqueChain,
  type Trust,
} from './trust.js';

/** An MSP of a channel. */
export class Msp {
  readonly rules: MspRules;
  /** The signing CAs, in low-S form. */
  readonly trust: Trust;
  /** The TLS CAs. */
  readonly tls: Pick<Trust, 'roots' | 'intermediates'>;
  readonly #hash: Hash;

  constructor(rules: MspRules, trust: Trust, tls: Pick<Trust, 'roots' | 'intermediates'>, hash: Hash) {
    this.rules = rules;
    this.trust = trust;
    this.tls = tls;
    this.#hash = hash;
  }

  get name(): string {
    return this.rules.name;
  }

  /**
   * Reads a serialized identity of this MSP (`DeserializeIdentity`). It may still be invalid.
   *
   * @throws TranslateError with Fabric's text
   */
  async identity(serialized: Uint8Array): Promise<Identity> {
    const { mspid, certificate } = readSerializedIdentity(serialized);
    if (mspid !== this.name)
      throw new TranslateError('BAD_IDENTITY', `expected MSP ID ${this.name}, received ${mspid}`);
    return this.identityOf(certificate);
  }

  /**
   * Makes identities of a CA from only their organisational units. They are not valid if the CA (identified by name and key) does not
   * belong to this MSP, or may not issue identities.
   */
  async issuer(ca: Certificate): Promise<(units: readonly string[]) => Identity> {
    const issuers = [...this.trust.roots, ...this.trust.intermediates].filter(
      ({ raw, subject, publicKey }, index, all) =>
        sameBytes(subject.raw, ca.subject.raw) &&
        sameBytes(publicKey.spki, ca.publicKey.spki) &&
        all.findIndex((each) => sameBytes(each.raw, raw)) === index,
    );
    const [own] = issuers;
    const { chain = [], chainError } = await chainOfIssued(issuers, this.trust, ca);
    const leaf: Certificate = { ...(own ?? ca), serial: NO_SERIAL };
    const shared = {
      rules: this.rules,
      issuerKey: own?.publicKey,
      chain: chainError === undefined ? ([leaf, ...chain] as const) : undefined,
      chainError,
      revocation:
        chainError === undefined
          ? await revocationOf([leaf, ...chain], this.trust.revocationLists)
          : undefined,
      certifiersIdentifier: chainError === undefined ? chainIdentifier(chain, this.#hash) : undefined,
    };
    return (units) =>
      new Identity({
        ...shared,
        certificate: { ...leaf, raw: NO_BYTES, subject: { ...leaf.subject, units } },
        id: '',
      });
  }

  /** The identity of a certificate in PEM, and why it is not valid. */
  async judge(pem: Uint8Array): Promise<JudgedIdentity> {
    return attempt(
      async () => {
        const identity = await this.identityOf(pem);
        return { identity, fault: identity.fault };
      },
      ({ message: text, reason }): JudgedIdentity => {
        const certificate = certificateIn(pem, this.rules.program.go);
        const fault =
          certificate === undefined
            ? ({ kind: 'unreadable', text, reason } as const)
            : certificateFault(certificate, this.rules.version, { text, reason });
        return { identity: undefined, fault };
      },
    );
  }

  /**
   * The identity of a certificate in PEM.
   *
   * @throws TranslateError with Fabric's text: BAD_CERTIFICATE if the certificate cannot be read, BAD_KEY if the program cannot import its
   *   key, BAD_IDENTITY if it has no chain to the CAs of the MSP
   */
  async identityOf(pem: Uint8Array): Promise<Identity> {
    const certificate = withPrefix('parseCertificate failed', () =>
      readPemCertificate(pem, this.rules.program.go),
    );
    if (certificate === undefined)
      throw new TranslateError('BAD_CERTIFICATE', 'could not decode the PEM structure');
    const keyError = importError(certificate.publicKey, this.rules.program.fabric);
    if (keyError !== undefined)
      throw new TranslateError(
        'BAD_KEY',
        `failed to import certificate's public key: ${keyError}`,
        '',
        undefined,
        keyError,
      );
    return makeIdentity(certificate, this.rules, this.trust, this.#hash);
  }
}

/** A serial number that no certificate has: revocation lists have serial numbers from 0 on. */
const NO_SERIAL = -1n;

/**
 * The chain above a certificate of a CA. A CA certificate that was renewed later cannot verify earlier certificates.
 *
 * @param cas all certificates of this CA: each begins another chain
 * @param first the CA certificate that the CA began to issue with
 */
async function chainOfIssued(
  cas: readonly Certificate[],
  trust: Trust,
  first: Certificate,
): Promise<{ readonly chain?: Chain; readonly chainError: TranslateError | undefined }> {
  const [ca] = cas;
  const because = (text: string) => ({ chainError: new TranslateError('BAD_IDENTITY', text) });
  if (ca === undefined) return because('x509: certificate signed by unknown authority');
  if (cas.some((each) => trust.innerNodes.some(({ raw }) => sameBytes(raw, each.raw))))
    return because('the CA has issued CAs: it may not issue identities');
  const renewed = cas.find((each) => !beginsInTime(each, first));
  const since = renewed === undefined ? '' : rfc3339(renewed.notBefore);
  if (cas.length > 1)
    return because(
      `${severalChains(cas.length)}${since === '' ? '' : `, for certificates that begin after ${since}`}`,
    );
  if (renewed !== undefined)
    return because(
      `x509: certificate has expired or is not yet valid: the CA begins on ${since}, and certificates that begin before have no chain`,
    );
  return attempt(
    async () => ({ chain: await uniqueChain(ca, trust), chainError: undefined }),
    (chainError) => ({ chainError }),
  );
}

/** Makes the identity of a certificate. @throws TranslateError with Fabric's text */
export async function makeIdentity(
  original: Certificate,
  rules: MspRules,
  trust: Trust,
  hash: Hash,
): Promise<Identity> {
  const certificate = await sanitize(original, trust);
  const { chain, chainError } = await chainOf(certificate, trust);
  return new Identity({
    rules,
    certificate,
    id: toHex(hash(certificate.raw)),
    chain,
    chainError,
    revocation: chain === undefined ? undefined : await revocationOf(chain, trust.revocationLists),
    certifiersIdentifier: chain === undefined ? undefined : chainIdentifier(chain.slice(1), hash),
  });
}

/** The hash over the certificates of a chain (`getCertificationChainIdentifierFromChain`). */
export function chainIdentifier(chain: Chain, hash: Hash): Uint8Array {
  const [only, ...others] = chain;
  if (only === undefined || others.length > 0) return hash(concatBytes(...chain.map(({ raw }) => raw)));
  // Most chains are one CA, and each NodeOU and each identity needs its hash.
  const ofHash = identifiers.get(hash) ?? new WeakMap<Certificate, Uint8Array>();
  identifiers.set(hash, ofHash);
  const found = ofHash.get(only) ?? hash(only.raw);
  ofHash.set(only, found);
  return found;
}

const identifiers = new WeakMap<Hash, WeakMap<Certificate, Uint8Array>>();

const chainOf = async (
  certificate: Certificate,
  trust: Trust,
): Promise<{ chain: Chain | undefined; chainError: TranslateError | undefined }> =>
  attempt(
    async () => ({ chain: await identityChain(certificate, trust), chainError: undefined }),
    (chainError) => ({ chain: undefined, chainError }),
  );

/** The MSPs of a channel, by their ids. */
export class MspManager {
  readonly msps: ReadonlyMap<string, Msp>;

  constructor(msps: Iterable<Msp>) {
    this.msps = new Map(Array.from(msps, (msp) => [msp.name, msp]));
  }

  /**
   * Reads a serialized identity of any MSP of the channel (`DeserializeIdentity`). It may still be invalid.
   *
   * @throws TranslateError with Fabric's text
   */
  async identity(serialized: Uint8Array): Promise<Identity> {
    const { mspid, certificate } = readSerializedIdentity(serialized);
    const msp = this.msps.get(mspid);
    if (msp === undefined) throw new TranslateError('BAD_IDENTITY', `MSP ${mspid} is not defined on channel`);
    return msp.identityOf(certificate);
  }
}

/** The ids of the MSPs in which a certificate in PEM is valid. */
export async function mspIdsOf({ msps }: MspManager, certificate: Uint8Array): Promise<readonly string[]> {
  const found: string[] = [];
  for (const msp of msps.values())
    if ((await membershipProblem(msp, certificate)) === undefined) found.push(msp.name);
  return found;
}

/** The reason if a certificate in PEM is not valid in an MSP; undefined if it is valid. */
export const membershipProblem = async (msp: Msp, certificate: Uint8Array): Promise<string | undefined> =>
  (await msp.judge(certificate)).fault?.text;
