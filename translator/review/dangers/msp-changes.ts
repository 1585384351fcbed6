// Dangers: changes of an MSP after which identities that its organisation has already do not count any more, or count as something else.

import { addressText, consentersOf, type Organization } from '../../channel/index.js';
import { sameBytes } from '../../../proto/bytes.js';
import { serialText, type Finding, type RevokedIdentity } from '../../documents/index.js';
import {
  beginsInTime,
  nameText,
  NODE_ROLES,
  type MspConfig,
  type NodeRole,
  type UnitConfig,
  certificateIn,
  type Certificate,
  readRevocationList,
  type RevocationList,
  readSerializedIdentity,
  caKey,
} from '../../msp/index.js';
import { attempt } from '../../../proto/errors.js';
import { finding } from '../finding.js';
import type { Facts } from '../facts/gather.js';
import { nameOf } from '../facts/signers.js';
import { caHolders, rolesOf } from '../../control/index.js';
import { mspOf } from '../../state/index.js';

/** What an organisation loses: its nodes read and send blocks with these identities. */
const lossOf = ({
  section,
  name,
}: Organization): Pick<Organization, 'section'> & { organization: string } => ({
  organization: name,
  section,
});

export function mspChangeFindings(facts: Facts): Finding[] {
  const { before, after } = facts;
  return after.channel.organizations.flatMap((organization) => {
    const previous = before.channel.organizations.find(({ path }) => path === organization.path);
    const [old, now] = [previous && mspOf(previous), mspOf(organization)];
    if (old === undefined || now === undefined) return [];
    return [
      ...lostCas(organization, old, now),
      ...changedUnits(organization, old, now),
      ...rolelessCas(organization, old, now),
      ...foreignCas(organization, old, now, facts),
      ...requiredUnits(organization, old, now),
      ...lostTlsCas(organization, old, now, facts),
      ...revocations(organization, old, now, facts),
    ];
  });
}

/** The CA in PEM; undefined if it cannot be read. */
const caIn = (pem: Uint8Array): string | undefined => {
  const certificate = certificateIn(pem);
  return certificate && caKey(certificate);
};

const hasCa = ({ roots, intermediates }: MspConfig, pem: Uint8Array): boolean =>
  [...roots, ...intermediates].some((each) => caIn(each) === caIn(pem));

/**
 * Whether certificates that a CA has issued keep their chain: with the CA, or with one that was renewed with its name and key and does not begin
 * later.
 */
function keepsChain({ roots, intermediates }: MspConfig, pem: Uint8Array): boolean {
  const old = certificateIn(pem);
  return [...roots, ...intermediates].some((each) => {
    const ca = certificateIn(each);
    if (old === undefined || ca === undefined) return old === ca;
    return caKey(ca) === caKey(old) && beginsInTime(ca, old);
  });
}

/** The CAs whose certificates lose their chain, in PEM. */
const lostCasOf = (old: MspConfig, now: MspConfig): Uint8Array[] =>
  [...old.roots, ...old.intermediates].filter((pem) => !keepsChain(now, pem));

function lostCas(organization: Organization, old: MspConfig, now: MspConfig): Finding[] {
  const previous = [...old.roots, ...old.intermediates];
  const lost = lostCasOf(old, now);
  const first = certificateIn(lost[0] ?? new Uint8Array());
  if (first === undefined) return [];
  return [
    finding('danger', 'msp-ca-removed', `${organization.path}/MSP`, {
      ...lossOf(organization),
      subject: nameText(first.subject),
      removed: lost.length,
      isAll: lost.length === previous.length,
    }),
  ];
}

const unitOf = (unit: UnitConfig | undefined): string | null =>
  unit === undefined || unit.unit === '' ? null : unit.unit;

/** The unit of each role; `undefined` for all roles without NodeOUs. */
function changedUnits(organization: Organization, old: MspConfig, now: MspConfig): Finding[] {
  const [wasOn, isOn] = [old.nodeOus?.isEnabled === true, now.nodeOus?.isEnabled === true];
  const path = `${organization.path}/MSP`;
  if (!wasOn && isOn)
    return [finding('danger', 'msp-node-ous-enabled', path, { organization: organization.name })];
  if (!wasOn || !isOn) return [];
  const changed = NODE_ROLES.filter((role) => !sameUnit(old, now, role));
  if (changed.length === 0) return [];
  const units = changed.map((role) => ({
    role,
    before: unitOf(old.nodeOus?.roles.get(role)),
    after: unitOf(now.nodeOus?.roles.get(role)),
  }));
  return [finding('danger', 'msp-node-ou-changed', path, { units })];
}

function sameUnit(old: MspConfig, now: MspConfig, role: NodeRole): boolean {
  const [from, to] = [old.nodeOus?.roles.get(role), now.nodeOus?.roles.get(role)];
  if (from === undefined || to === undefined) return from === to;
  if (from.unit !== to.unit) return false;
  // A unit without a CA is that of any CA. That a CA is removed is a danger of its own.
  return (
    to.certificate.length === 0 ||
    sameBytes(from.certificate, to.certificate) ||
    (hasCa(old, from.certificate) && !hasCa(now, from.certificate)) ||
    (isInPlaceOf(from.certificate, to.certificate) && hasBytes(now, to) && !hasBytes(now, from))
  );
}

/** Whether a certificate of a CA was renewed with its name and key. The chain of what it has issued begins with the one that the MSP has. */
const isInPlaceOf = (before: Uint8Array, after: Uint8Array): boolean => caIn(before) === caIn(after);

const hasBytes = (
  { roots, intermediates }: MspConfig,
  { certificate }: { readonly certificate: Uint8Array },
): boolean => [...roots, ...intermediates].some((each) => sameBytes(each, certificate));

/**
 * New CAs whose certificates get no role: each unit of NodeOUs names another CA (msp/mspimplsetup.go: `CertifiersIdentifier` is the one of the
 * CA that has issued a certificate). A CA that has issued CAs gives no roles anyway.
 */
function rolelessCas({ path }: Organization, old: MspConfig, now: MspConfig): Finding[] {
  if (now.nodeOus?.isEnabled !== true) return [];
  const pinned = [...now.nodeOus.roles.values()].map(({ certificate }) => certificate);
  const issuers = now.intermediates.flatMap((pem) => certificateIn(pem)?.issuer.raw ?? []);
  return [...now.roots, ...now.intermediates].flatMap((pem) => {
    const ca = certificateIn(pem);
    if (ca === undefined || hasCa(old, pem) || issuers.some((raw) => sameBytes(raw, ca.subject.raw)))
      return [];
    if (pinned.some((each) => each.length === 0 || caIn(each) === caIn(pem))) return [];
    return [finding('warning', 'msp-ca-without-roles', `${path}/MSP`, { subject: nameText(ca.subject) })];
  });
}

/**
 * A new CA whose certificates get roles, and whose name has nothing in common with the previous CAs: whoever has its key can act for the
 * organisation. If NodeOUs let in any CA before, only if both name an organisation (O). A CA of another organisation of the channel always.
 * CAs that are exchanged are `msp-ca-removed`.
 */
function foreignCas(
  { name, path, mspId = '' }: Organization,
  old: MspConfig,
  now: MspConfig,
  { before }: Facts,
): Finding[] {
  const previous = certificatesIn(old);
  if (previous.length === 0 || lostCasOf(old, now).length > 0) return [];
  const holders = caHolders(before.channel.organizations);
  const all = certificatesIn(now);
  const issuers = now.intermediates.flatMap((pem) => certificateIn(pem)?.issuer.raw ?? []);
  const isInner = ({ subject }: Certificate): boolean => issuers.some((raw) => sameBytes(raw, subject.raw));
  const isOwn = (ca: Certificate): boolean =>
    previous.some((each) => caKey(each) === caKey(ca) || sameBytes(each.subject.raw, ca.issuer.raw));
  for (const ca of all) {
    const roles = rolesOf(now, caKey(ca));
    const owners = [...(holders.get(caKey(ca)) ?? [])];
    if (roles.length === 0 || owners.includes(mspId) || isOwn(ca) || isInner(ca)) continue;
    const wereOpen = rolesOf(old, caKey(ca)).length > 0;
    const isOther = wereOpen ? isOtherOrganization : isOtherName;
    if (owners.length === 0 && !previous.every(({ subject }) => isOther(subject, ca.subject))) continue;
    const own = roles.filter((role) => role !== 'member');
    const data = {
      organization: name,
      // With its organisation (O), which may be what differs.
      subject: nameText({ ...ca.subject, commonName: '' }),
      owners,
      roles: own.length === 0 ? roles : own,
    };
    return [finding('danger', 'msp-ca-foreign', `${path}/MSP`, data)];
  }
  return [];
}

const certificatesIn = ({ roots, intermediates }: MspConfig): Certificate[] =>
  [...roots, ...intermediates].flatMap((pem) => certificateIn(pem) ?? []);

/** Both name an organisation (O), and not the same one. */
const isOtherOrganization = (one: Certificate['subject'], other: Certificate['subject']): boolean =>
  one.organizations.length > 0 &&
  other.organizations.length > 0 &&
  !one.organizations.some((each) => other.organizations.includes(each));

/** They have neither the organisation nor the common name in common, nor the domain of it. */
function isOtherName(one: Certificate['subject'], other: Certificate['subject']): boolean {
  const partsOf = ({ organizations, commonName }: Certificate['subject']): string[] => [
    ...organizations,
    commonName,
    commonName.slice(commonName.indexOf('.') + 1),
  ];
  const parts = new Set(partsOf(one));
  return !partsOf(other).some((part) => parts.has(part));
}

function requiredUnits(organization: Organization, old: MspConfig, now: MspConfig): Finding[] {
  if (now.units.length === 0) return [];
  const kept = old.units.every((unit) => now.units.some((each) => each.unit === unit.unit));
  if (old.units.length > 0 && kept) return [];
  // One of them is enough, and every certificate has the unit of a role.
  const required = new Set(now.units.map(({ unit }) => unit));
  const isGiven = NODE_ROLES.every((role) => required.has(now.nodeOus?.roles.get(role)?.unit ?? ''));
  if (now.nodeOus?.isEnabled === true && isGiven) return [];
  return [
    finding('danger', 'msp-unit-required', `${organization.path}/MSP`, {
      ...lossOf(organization),
      units: now.units.map(unitOf),
    }),
  ];
}

/** A TLS CA without which BFT consenters cannot be reached is a finding of its own. */
function lostTlsCas(
  { path, name, section }: Organization,
  old: MspConfig,
  now: MspConfig,
  { unreachable }: Facts,
): Finding[] {
  if (section === 'Orderer' && unreachable.length > 0) return [];
  const kept = new Set([...now.tlsRoots, ...now.tlsIntermediates].map(caIn));
  const lost = [...old.tlsRoots, ...old.tlsIntermediates].filter((pem) => !kept.has(caIn(pem)));
  const first = certificateIn(lost[0] ?? new Uint8Array());
  if (first === undefined) return [];
  return [
    finding('warning', 'msp-tls-ca-removed', `${path}/MSP`, {
      organization: name,
      subject: nameText(first.subject),
      removed: lost.length,
    }),
  ];
}

/** How many serial numbers are named. */
const SERIALS_SHOWN = 12;

function revocations(organization: Organization, old: MspConfig, now: MspConfig, facts: Facts): Finding[] {
  const added = now.revocationLists.filter(
    (list) => !old.revocationLists.some((each) => sameBytes(each, list)),
  );
  const path = `${organization.path}/MSP`;
  const lists = added.flatMap(listIn).filter(({ signature }) => !facts.ignoredLists.has(String(signature)));
  // Fabric refuses every identity when it cannot compare a list with the issuer (msp/mspimplvalidate.go, `validateCertAgainstChain`).
  if (lists.some(({ authorityKeyId }) => authorityKeyId === undefined))
    return [finding('danger', 'msp-revocation-list', path, lossOf(organization))];
  const previous = keysIn(old.revocationLists.flatMap(listIn));
  const unknown = new Map([...keysIn(lists)].filter(([key]) => !previous.has(key)));
  const revoked: RevokedIdentity[] = [];
  const known = [...identitiesOf(organization, facts), ...tlsCertificatesOf(now, facts)];
  for (const { certificate, ...identity } of known) {
    const key = keyOf(String(certificate.issuer.raw), certificate.serial);
    if (!unknown.has(key)) continue;
    revoked.push(identity);
    unknown.delete(key);
  }
  const isHarmful = revoked.some(({ use }) => use !== 'tls');
  const findings =
    revoked.length === 0 ? [] : [finding(isHarmful ? 'danger' : 'warning', 'msp-revoked', path, { revoked })];
  // Admins that an MSP lists are a finding of their own.
  for (const pem of now.admins) {
    const admin = certificateIn(pem);
    if (admin !== undefined) unknown.delete(keyOf(String(admin.issuer.raw), admin.serial));
  }
  if (unknown.size === 0) return findings;
  const areOrderersKnown = knowsOrderers(facts);
  const mayStopBlocks = organization.section === 'Orderer' && !areOrderersKnown;
  return [
    ...findings,
    finding(mayStopBlocks ? 'danger' : 'warning', 'msp-revocation', path, {
      ...lossOf(organization),
      serials: [...unknown.values()].slice(0, SERIALS_SHOWN).map(serialText),
      count: unknown.size,
      areOrderersKnown,
    }),
  ];
}

const listIn = (bytes: Uint8Array): RevocationList[] =>
  attempt(
    () => [readRevocationList(bytes)],
    () => [],
  );

/** A certificate is known by its issuer and its serial number. */
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

/** Who has signed the block. */
const blockSigners = ({ signers = [] }: Facts['block']): ReturnType<typeof serializedIn>[] =>
  signers.map(serializedIn);

/** The TLS certificates of consenters whose CA is not one that issues identities in an MSP. */
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
 * Whether the certificate of every orderer is known. Those of BFT are in the config. Those of Raft are in no config: only the block has that
 * of the orderer that has signed it.
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
