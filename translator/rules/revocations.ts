// Revocation lists that an update adds to an MSP or removes: the certificates that are revoked, known and unknown, and the ones that count
// again.

import { sameBytes } from '../../proto/bytes.js';
import { attempt } from '../../proto/errors.js';
import { type Organization, addressText, consentersOf } from '../channel/index.js';
import { serialText, shortList, words } from '../documents/index.js';
import {
  type Certificate,
  type MspConfig,
  type MspManager,
  type RevocationList,
  certificateIn,
  isListOf,
  nameText,
  readRevocationList,
  readSerializedIdentity,
} from '../msp/index.js';
import type { Facts } from './facts/gather.js';
import { nameOf } from './facts/signers.js';
import { type RawFinding, defineRule } from './rule.js';

/** An organisation with nodes and admins that lose their identities. */
export interface LosingMsp {
  readonly organization: string;
  readonly section: 'Application' | 'Orderer';
}

/** The consequences for admins and nodes of an organisation, in words. */
export const lossWords = ({ organization, section }: LosingMsp): string =>
  section === 'Orderer'
    ? `admins and nodes of ${organization} are cut off`
    : `peers of ${organization} stop at the block before, and its admins are cut off`;

export const lossOf = ({ section, name }: Organization): LosingMsp => ({ organization: name, section });

/** The losses of a person or node with a revoked certificate. */
const REVOKED = {
  signer: 'who cannot read or change the channel any more',
  consenter: 'whose signatures on blocks do not count any more',
  orderer: 'whose signatures on blocks do not count any more',
  tls: 'which stays in use: Fabric checks revocation lists for identities only',
} as const;

/** Revoked certificates that are unknown to a review. */
export interface Revocation extends LosingMsp {
  /** At most 12, in hexadecimal. */
  readonly serials: readonly string[];
  /** The number of all of them. */
  readonly count: number;
  /** Whether all orderers of the channel are known by their certificates, so that the serial numbers are of others. */
  readonly areOrderersKnown: boolean;
}

/** `serial numbers 01, 02 and 3 more` */
const serialsText = ({ serials, count }: Pick<Revocation, 'serials' | 'count'>): string =>
  `serial ${count === 1 ? 'number' : 'numbers'} ${serials.join(', ')}${count > serials.length ? ` and ${count - serials.length} more` : ''}`;

/** The unknown part of a revocation list: `whether serial number 0A belongs to an orderer of OrdererOrg`. */
const unknownRevocation = (data: Revocation): string =>
  `whether ${serialsText(data)} ${data.count === 1 ? 'belongs' : 'belong'} to ${data.section === 'Orderer' ? 'an orderer' : 'a peer'} of ${data.organization}`;

/** An identity with a revoked certificate: `OrdererMSP CN=Admin@example.com`. */
export interface RevokedIdentity {
  readonly identity: string;
  readonly use: keyof typeof REVOKED;
}

const mspRevocationList = defineRule({
  id: 'msp-revocation-list',
  severity: 'danger',
  tellsLosses: true,
  meaning: 'a revocation list makes every identity of an MSP invalid',
  words: (data: LosingMsp) =>
    words(
      `a revocation list has no authorityKeyIdentifier: no identity of ${data.organization} counts any more; ${lossWords(data)}`,
      'make the list again with an authorityKeyIdentifier',
      `no identity of ${data.organization} counts any more`,
    ),
});

const mspRevoked = defineRule({
  id: 'msp-revoked',
  severity: ['danger', 'warning'],
  meaning: 'a revocation list revokes certificates of signers, consenters or orderers',
  words: ({ revoked }: { revoked: readonly RevokedIdentity[] }) =>
    words(
      `a revocation list revokes certificates that are in use: ${revoked.map(({ identity, use }) => `${identity} (${REVOKED[use]})`).join(', ')}`,
      'give the nodes and users new certificates first',
      `a revocation list revokes ${revoked.length} certificates that are in use: ${shortList(
        revoked.map(({ identity }) => identity),
        ', ',
        1,
      )}`,
    ),
});

const mspRevocation = defineRule({
  id: 'msp-revocation',
  severity: ['danger', 'warning'],
  meaning: 'a revocation list revokes certificates that are not known',
  unknown: unknownRevocation,
  words: (data: Revocation) => {
    const { count, section, organization, areOrderersKnown } = data;
    const [it, its] = count === 1 ? ['it', 'a certificate'] : ['one of them', 'certificates'];
    const harm =
      section === 'Orderer'
        ? `if ${it} belongs to an orderer, peers do not take the blocks that this orderer signs`
        : `if ${it} belongs to a peer, this peer stops at the block before`;
    const why =
      section === 'Orderer' && !areOrderersKnown
        ? '; the config of a Raft channel does not name their certificates'
        : '';
    return words(
      `a revocation list revokes ${its} of ${organization} that this review does not know, ${serialsText(data)}: ${harm}${why}`,
      'compare with the certificates of the nodes: openssl x509 -noout -serial -in FILE',
      `a revocation list revokes ${its} of ${organization} that this review does not know`,
    );
  },
});

const mspRevocationRemoved = defineRule({
  id: 'msp-revocation-removed',
  severity: 'danger',
  meaning: 'certificates that were revoked count again',
  words: ({ organization, serials, count }: Pick<Revocation, 'organization' | 'serials' | 'count'>) =>
    words(
      `a revocation list is removed or replaced: ${count === 1 ? 'the certificate' : 'the certificates'} of ${organization} with ${serialsText({ serials, count })} ${count === 1 ? 'counts' : 'count'} again`,
      'keep all serial numbers in the new revocation list',
      `revoked certificates of ${organization} count again`,
    ),
});

/** The rules of this file. */
export const REVOCATION_RULES = [mspRevocationList, mspRevoked, mspRevocation, mspRevocationRemoved] as const;

/** The maximum number of serial numbers in a text. */
const SERIALS_SHOWN = 12;

/** Finds the certificates that new revocation lists of an MSP revoke. @param ignored signatures of lists, see `ignoredLists` */
export function revocations(
  organization: Organization,
  old: MspConfig,
  now: MspConfig,
  facts: Facts,
  ignored: ReadonlySet<string>,
): RawFinding[] {
  const added = now.revocationLists.filter(
    (list) => !old.revocationLists.some((each) => sameBytes(each, list)),
  );
  const path = `${organization.path}/MSP`;
  const lists = added.flatMap(listIn).filter(({ signature }) => !ignored.has(String(signature)));
  // Fabric refuses every identity when it cannot compare a list with the issuer (msp/mspimplvalidate.go, `validateCertAgainstChain`).
  if (lists.some(({ authorityKeyId }) => authorityKeyId === undefined))
    return [mspRevocationList.at(path, lossOf(organization))];
  const previous = keysIn(old.revocationLists.flatMap(listIn));
  const restored = restoredFinding(organization, previous, now);
  const unknown = new Map([...keysIn(lists)].filter(([key]) => !previous.has(key)));
  if (unknown.size === 0) return restored;
  const revoked: RevokedIdentity[] = [];
  const known = [...identitiesOf(organization, facts), ...tlsCertificatesOf(now, facts)];
  for (const { certificate, ...identity } of known) {
    const key = keyOf(String(certificate.issuer.raw), certificate.serial);
    if (!unknown.has(key)) continue;
    revoked.push(identity);
    unknown.delete(key);
  }
  const isHarmful = revoked.some(({ use }) => use !== 'tls');
  const findings = [
    ...restored,
    ...(revoked.length === 0 ? [] : [mspRevoked.at(path, { revoked }, isHarmful ? 'danger' : 'warning')]),
  ];
  // Admins that an MSP lists are a separate finding.
  for (const pem of now.admins) {
    const admin = certificateIn(pem);
    if (admin !== undefined) unknown.delete(keyOf(String(admin.issuer.raw), admin.serial));
  }
  if (unknown.size === 0) return findings;
  const areOrderersKnown = knowsOrderers(facts);
  const mayStopBlocks = organization.section === 'Orderer' && !areOrderersKnown;
  return [
    ...findings,
    mspRevocation.at(
      path,
      {
        ...lossOf(organization),
        serials: [...unknown.values()].slice(0, SERIALS_SHOWN).map(serialText),
        count: unknown.size,
        areOrderersKnown,
      },
      mayStopBlocks ? 'danger' : 'warning',
    ),
  ];
}

/** Certificates that were revoked and are not any more, although the MSP still has their CA. */
function restoredFinding(
  { name, path }: Organization,
  previous: ReadonlyMap<string, bigint>,
  { revocationLists, roots, intermediates }: MspConfig,
): RawFinding[] {
  const still = keysIn(revocationLists.flatMap(listIn));
  const issuers = new Set([...roots, ...intermediates].map((pem) => String(certificateIn(pem)?.subject.raw)));
  const restored = [...previous].filter(
    ([key]) => !still.has(key) && issuers.has(key.slice(0, key.lastIndexOf(' '))),
  );
  if (restored.length === 0) return [];
  const serials = restored.slice(0, SERIALS_SHOWN).map(([, serial]) => serialText(serial));
  return [mspRevocationRemoved.at(`${path}/MSP`, { organization: name, serials, count: restored.length })];
}

const listIn = (bytes: Uint8Array): RevocationList[] =>
  attempt(
    () => [readRevocationList(bytes)],
    () => [],
  );

/** The key of a certificate: its issuer and serial number. */
const keyOf = (issuer: string, serial: bigint): string => `${issuer} ${serial}`;

const keysIn = (lists: readonly RevocationList[]): Map<string, bigint> =>
  new Map(
    lists.flatMap(({ issuer, serials }) =>
      [...serials].map((serial) => [keyOf(String(issuer.raw), serial), serial] as const),
    ),
  );

/** The identities of an organisation that the config, its block or the update names, except the admins that its MSP lists. */
function identitiesOf(
  { mspId }: Organization,
  { after, block, signatures, submitter }: Facts,
): (RevokedIdentity & { readonly certificate: Certificate })[] {
  const consenters = consentersOf(after.channel).map(({ id, mspId: mspid, identity: pem }) => {
    const certificate = pem && certificateIn(pem);
    const name = certificate === undefined ? '' : nameText(certificate.subject);
    return { mspid, identity: `consenter ${id} ${name}`, use: 'consenter' as const, certificate };
  });
  const orderers = blockSigners(block).map(({ mspid, certificate }) => {
    const name = certificate === undefined ? '' : nameText(certificate.subject);
    return { mspid, identity: `orderer ${mspid} ${name}`, use: 'orderer' as const, certificate };
  });
  const signers = [...signatures, ...(submitter === undefined ? [] : [submitter])].map(
    (signature, index) => ({
      ...serializedIn(signature.creator),
      identity: nameOf(signature, index),
      use: 'signer' as const,
    }),
  );
  return [...consenters, ...orderers, ...signers].flatMap(({ mspid, identity, use, certificate }) =>
    mspid !== mspId || certificate === undefined ? [] : [{ identity, use, certificate }],
  );
}

/** The parts of a serialized identity. */
const serializedIn = (creator: Uint8Array): { mspid: string; certificate: Certificate | undefined } =>
  attempt(
    () => {
      const { mspid, certificate } = readSerializedIdentity(creator);
      return { mspid, certificate: certificateIn(certificate) };
    },
    () => ({ mspid: '', certificate: undefined }),
  );

/** The signers of the block. */
const blockSigners = ({ signers = [] }: Facts['block']): ReturnType<typeof serializedIn>[] =>
  signers.map(serializedIn);

/** The TLS certificates of consenters from a CA that does not issue identities in an MSP. */
function tlsCertificatesOf(
  { roots, intermediates }: MspConfig,
  { after }: Facts,
): (RevokedIdentity & { readonly certificate: Certificate })[] {
  const issuers = [...roots, ...intermediates].flatMap((pem) => certificateIn(pem)?.subject.raw ?? []);
  return consentersOf(after.channel).flatMap((consenter) =>
    [consenter.serverTlsCert, consenter.clientTlsCert].flatMap((pem) => {
      const certificate = certificateIn(pem);
      if (certificate === undefined || issuers.some((raw) => sameBytes(raw, certificate.issuer.raw)))
        return [];
      return [{ identity: `TLS certificate of ${addressText(consenter)}`, use: 'tls' as const, certificate }];
    }),
  );
}

/**
 * Whether the certificate of every orderer is known. The config contains the certificates of BFT orderers, but not of Raft orderers: the
 * block contains only the certificate of the orderer that signed it.
 */
function knowsOrderers({ before, after, block }: Facts): boolean {
  if (after.channel.orderer.isBft) return true;
  const signers = new Set(
    blockSigners(block).flatMap(({ certificate }) =>
      certificate === undefined ? [] : [keyOf(String(certificate.issuer.raw), certificate.serial)],
    ),
  );
  const orderers = Math.max(consentersOf(before.channel).length, consentersOf(after.channel).length);
  return orderers > 0 && signers.size >= orderers;
}

/** The signatures of revocation lists that no CA of their MSP has signed: Fabric ignores these lists. */
export async function ignoredLists({ msps }: MspManager): Promise<ReadonlySet<string>> {
  const ignored = new Set<string>();
  for (const { trust } of msps.values()) {
    const cas = [...trust.roots, ...trust.intermediates];
    for (const list of trust.revocationLists)
      if (list.authorityKeyId !== undefined && !(await isListOf(list, cas)))
        ignored.add(String(list.signature));
  }
  return ignored;
}
