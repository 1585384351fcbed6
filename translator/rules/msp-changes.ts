// Changes of an MSP after which existing identities of its organisation do not count any more, or have other roles.

import { sameBytes } from '../../proto/bytes.js';
import { type Channel, type Organization, type Section, lastName, parentPath } from '../channel/index.js';
import { type CaHolders, caHolders, issuingCas, rolesOf } from '../control/index.js';
import { quoted, shortList, words } from '../documents/index.js';
import {
  type Certificate,
  type MspConfig,
  type MspVersion,
  NODE_ROLES,
  type NodeRole,
  type UnitConfig,
  beginsInTime,
  caKey,
  certificateIn,
  mspVersionOf,
  nameText,
} from '../msp/index.js';
import { mspOf } from '../state/index.js';
import {
  type LosingMsp,
  REVOCATION_RULES,
  ignoredLists,
  lossOf,
  lossWords,
  revocations,
} from './revocations.js';
import { type RawFinding, defineCheck, defineRule } from './rule.js';

/** The organisational units of a role before and after; null if it has none. Equal units differ in their CA. */
export interface UnitChange {
  readonly role: string;
  readonly before: string | null;
  readonly after: string | null;
}

const unitText = (unit: string | null): string => (unit === null ? 'none' : quoted(unit));

/** `with the previous OU`, or `from the previous CA` if only the CA of each unit is another one. */
const previousText = (units: readonly UnitChange[]): string =>
  units.every(({ before, after }) => before === after) ? 'from the previous CA' : 'with the previous OU';

const unitWords = ({ role, before, after }: UnitChange): string =>
  before === after ? `${role}: another CA` : `${role}: ${unitText(before)} → ${unitText(after)}`;

/** `the CA CN=ca.org1 and 2 more are` */
const removedText = (
  noun: string,
  { subject, removed }: { readonly subject: string; readonly removed: number },
): string => `the ${noun} ${subject}${removed > 1 ? ` and ${removed - 1} more are` : ' is'}`;

const mspCaRemoved = defineRule({
  id: 'msp-ca-removed',
  severity: 'danger',
  tellsLosses: true,
  meaning: 'a CA is removed: identities that it has issued do not count',
  words: (data: LosingMsp & { subject: string; removed: number; isAll: boolean }) =>
    words(
      `${removedText('CA', data)} removed: identities that it has issued do not count any more; ${data.isAll ? lossWords(data) : `check who of ${data.organization} has one`}`,
      'keep the previous CA beside the new one until all nodes and admins have new certificates',
      `${removedText('CA', data)} removed: identities of ${data.organization} that ${data.removed > 1 ? 'they have' : 'it has'} issued do not count any more`,
    ),
});

const mspCaBecomesInner = defineRule({
  id: 'msp-intermediate-ca-added',
  severity: 'danger',
  tellsLosses: true,
  meaning: 'a CA gets an intermediate CA below it: identities that it has issued itself do not count',
  words: (data: LosingMsp & { subject: string; added: readonly string[]; isAll: boolean }) =>
    words(
      `the intermediate CA ${data.added.join(' and ')} is added below the CA ${data.subject}: identities that ${data.subject} has issued itself do not count any more; ${data.isAll ? lossWords(data) : `check who of ${data.organization} has one`}`,
      `do not add the intermediate CA below ${data.subject}; add it below another root CA, which is added in the same update`,
      `identities of ${data.organization} that the CA ${data.subject} has issued itself do not count any more`,
    ),
});

const mspCaForeign = defineRule({
  id: 'msp-ca-foreign',
  severity: 'danger',
  meaning: 'a new CA of another name gives roles of an organisation',
  words: ({
    organization,
    subject,
    owners,
    roles,
  }: {
    organization: string;
    subject: string;
    /** The MSP ids of the organisations that have the CA already. */
    owners: readonly string[];
    roles: readonly string[];
  }) =>
    words(
      `the new CA ${subject} ${owners.length > 0 ? `is one of ${owners.join(' and ')}` : `has another name than the CAs of ${organization} so far`}, and its certificates get roles of ${organization} (${roles.join(', ')}): whoever has its key can act for ${organization}`,
      `check that ${organization} has the key of this CA, or let each OU of NodeOUs name the previous CA`,
      `whoever has the key of the new CA ${subject} can act for ${organization}`,
    ),
});

const mspNodeOusEnabled = defineRule({
  id: 'msp-node-ous-enabled',
  severity: 'warning',
  meaning: 'NodeOUs are turned on',
  words: ({ organization }: { organization: string }) =>
    words(
      `NodeOUs are turned on for ${organization}: if nodes, admins or clients have certificates without exactly one OU of these roles, they do not count any more`,
      'check that the certificates of all nodes, admins and clients have the OU of their role: openssl x509 -noout -subject -in FILE',
    ),
});

const mspNodeOuChanged = defineRule({
  id: 'msp-node-ou-changed',
  severity: 'danger',
  tellsLosses: true,
  meaning: 'the organisational units of roles change',
  words: ({ units }: { units: readonly UnitChange[] }, path) =>
    words(
      `the OUs of roles change (${units.map(unitWords).join(', ')}): certificates ${previousText(units)} lose the role or have another one`,
      'keep the OUs, or give all nodes, admins and clients new certificates first',
      `certificates of ${lastName(parentPath(path))} ${previousText(units)} lose the ${units.length === 1 ? 'role' : 'roles'} ${shortList(units.map(({ role }) => role))}`,
    ),
});

const mspUnitRequired = defineRule({
  id: 'msp-unit-required',
  severity: 'danger',
  tellsLosses: true,
  meaning: 'an MSP requires an organisational unit that it did not require',
  words: (data: LosingMsp & { units: readonly (string | null)[] }) =>
    words(
      `only identities with the OU ${data.units.map(unitText).join(' or ')} count for ${data.organization} from now on: ${lossWords(data)} if their certificates do not have it`,
      'leave organizational_unit_identifiers empty, or give all nodes and admins certificates with the OU first',
      `only identities with the OU ${shortList(data.units.map(unitText), ' or ', 2)} count for ${data.organization} from now on`,
    ),
});

const mspTlsCaRemoved = defineRule({
  id: 'msp-tls-ca-removed',
  severity: 'warning',
  meaning: 'a TLS CA is removed: TLS connections to nodes with its certificates fail',
  words: (data: { organization: string; subject: string; removed: number }) =>
    words(
      `${removedText('TLS CA', data)} removed: others cannot connect to nodes of ${data.organization} that have TLS certificates issued by it`,
      'keep the previous TLS CA beside the new one until all nodes have new TLS certificates',
    ),
});

const mspCaWithoutRoles = defineRule({
  id: 'msp-ca-without-roles',
  severity: 'warning',
  meaning: 'NodeOUs name another CA: certificates of a new CA have no role',
  words: ({ subject }: { subject: string }) =>
    words(
      `certificates of the CA ${subject} have no role: each OU of NodeOUs names another CA`,
      'remove the lines Certificate of NodeOUs in config.yaml, also in the MSP directories of nodes; then the OUs of certificates of all CAs of the MSP count',
      `certificates of the CA ${subject} have no role`,
    ),
});

/** The CA in PEM; undefined if it cannot be read. */
const caIn = (pem: Uint8Array): string | undefined => {
  const certificate = certificateIn(pem);
  return certificate && caKey(certificate);
};

const hasCa = ({ roots, intermediates }: MspConfig, pem: Uint8Array): boolean =>
  [...roots, ...intermediates].some((each) => caIn(each) === caIn(pem));

/**
 * Whether certificates that a CA has issued keep their chain: with the CA, or with a renewed certificate of the CA (same name and key) that
 * does not begin later.
 */
function keepsChain({ roots, intermediates }: MspConfig, pem: Uint8Array): boolean {
  const old = certificateIn(pem);
  return [...roots, ...intermediates].some((each) => {
    const ca = certificateIn(each);
    if (old === undefined || ca === undefined) return old === ca;
    return caKey(ca) === caKey(old) && beginsInTime(ca, old);
  });
}

/** The CAs of certificates that lose their chain, in PEM. */
const lostCasOf = (old: MspConfig, now: MspConfig): Uint8Array[] =>
  [...old.roots, ...old.intermediates].filter((pem) => !keepsChain(now, pem));

function lostCas(organization: Organization, old: MspConfig, now: MspConfig): RawFinding[] {
  const previous = [...old.roots, ...old.intermediates];
  const lost = lostCasOf(old, now);
  const first = certificateIn(lost[0] ?? new Uint8Array());
  if (first === undefined) return [];
  return [
    mspCaRemoved.at(`${organization.path}/MSP`, {
      ...lossOf(organization),
      subject: nameText(first.subject),
      removed: lost.length,
      isAll: lost.length === previous.length,
    }),
  ];
}

/**
 * CAs that have issued identities, and get an intermediate CA below them: Fabric accepts identities only from the last CAs of a chain
 * (msp/mspimpl.go, `getValidationChain`).
 */
function innerCas(organization: Organization, old: MspConfig, now: MspConfig): RawFinding[] {
  // A root CA that is listed as an intermediate CA, too, has issued no other CA by that.
  const isSelfIssued = ({ issuer, subject }: Certificate): boolean => sameBytes(issuer.raw, subject.raw);
  const issuersIn = ({ intermediates }: MspConfig): Uint8Array[] =>
    intermediates.flatMap((pem) => {
      const ca = certificateIn(pem);
      return ca === undefined || isSelfIssued(ca) ? [] : [ca.issuer.raw];
    });
  const has = (issuers: readonly Uint8Array[], { subject }: Certificate): boolean =>
    issuers.some((raw) => sameBytes(raw, subject.raw));
  const [were, are] = [issuersIn(old), issuersIn(now)];
  const issuing = certificatesIn(old).filter((ca) => !has(were, ca));
  const inner = issuing.filter((ca) => has(are, ca));
  const [first] = inner;
  if (first === undefined) return [];
  const added = now.intermediates.flatMap((pem) => {
    const ca = certificateIn(pem);
    const isBelow = ca !== undefined && !isSelfIssued(ca) && sameBytes(ca.issuer.raw, first.subject.raw);
    return isBelow ? [nameText(ca.subject)] : [];
  });
  return [
    mspCaBecomesInner.at(`${organization.path}/MSP`, {
      ...lossOf(organization),
      subject: nameText(first.subject),
      added,
      isAll: inner.length === issuing.length,
    }),
  ];
}

const unitOf = (unit: UnitConfig | undefined): string | null =>
  unit === undefined || unit.unit === '' ? null : unit.unit;

/** The unit of each role; `undefined` for all roles without NodeOUs. */
function changedUnits(
  organization: Organization,
  old: MspConfig,
  now: MspConfig,
  sections: ReadonlySet<Section>,
): RawFinding[] {
  const [wasOn, isOn] = [old.nodeOus?.isEnabled === true, now.nodeOus?.isEnabled === true];
  const path = `${organization.path}/MSP`;
  if (!wasOn && isOn) return [mspNodeOusEnabled.at(path, { organization: organization.name })];
  if (!wasOn || !isOn) return [];
  const changed = NODE_ROLES.filter((role) => isUsed(role, now, sections) && !sameUnit(old, now, role));
  if (changed.length === 0) return [];
  const units = changed.map((role) => ({
    role,
    before: unitOf(old.nodeOus?.roles.get(role)),
    after: unitOf(now.nodeOus?.roles.get(role)),
  }));
  return [mspNodeOuChanged.at(path, { units })];
}

/** Whether somebody has a role: application organisations have no orderers. A unit of two roles is used in any case. */
function isUsed(role: NodeRole, { nodeOus }: MspConfig, sections: ReadonlySet<Section>): boolean {
  if (role !== 'orderer' || sections.has('Orderer')) return true;
  const unit = nodeOus?.roles.get(role)?.unit;
  return NODE_ROLES.some((other) => other !== role && nodeOus?.roles.get(other)?.unit === unit);
}

function sameUnit(old: MspConfig, now: MspConfig, role: NodeRole): boolean {
  const [from, to] = [old.nodeOus?.roles.get(role), now.nodeOus?.roles.get(role)];
  if (from === undefined || to === undefined) return from === to;
  if (from.unit !== to.unit) return false;
  // A unit without a CA allows any CA. A removed CA is a separate danger.
  return (
    to.certificate.length === 0 ||
    sameBytes(from.certificate, to.certificate) ||
    (hasCa(old, from.certificate) && !hasCa(now, from.certificate)) ||
    (isInPlaceOf(from.certificate, to.certificate) && hasBytes(now, to) && !hasBytes(now, from))
  );
}

/** Whether a CA certificate was renewed with its name and key. Chains of issued certificates begin with the one in the MSP. */
const isInPlaceOf = (before: Uint8Array, after: Uint8Array): boolean => caIn(before) === caIn(after);

const hasBytes = (
  { roots, intermediates }: MspConfig,
  { certificate }: { readonly certificate: Uint8Array },
): boolean => [...roots, ...intermediates].some((each) => sameBytes(each, certificate));

/**
 * New CAs whose certificates get no role: each unit of NodeOUs names another CA (msp/mspimplsetup.go: `CertifiersIdentifier` identifies the
 * CA that has issued a certificate). A CA that has issued CAs gives no roles anyway.
 */
function rolelessCas({ path }: Organization, old: MspConfig, now: MspConfig): RawFinding[] {
  if (now.nodeOus?.isEnabled !== true) return [];
  const pinned = [...now.nodeOus.roles.values()].map(({ certificate }) => certificate);
  const known = new Set(certificatesIn(old).map(caKey));
  return issuingCas(now).flatMap(({ key, certificate: { subject } }) =>
    known.has(key) || pinned.some((each) => each.length === 0 || caIn(each) === key)
      ? []
      : [mspCaWithoutRoles.at(`${path}/MSP`, { subject: nameText(subject) })],
  );
}

/**
 * New CAs with a name that has nothing in common with the previous CAs, if their certificates get roles: the owner of the CA key can act
 * for the organisation. If NodeOUs accepted any CA before, only if both name an organisation (O). A CA of another organisation of the
 * channel is always a finding. Replaced CAs are `msp-ca-removed`.
 */
function foreignCas(
  { name, path, mspId = '' }: Organization,
  old: MspConfig,
  now: MspConfig,
  {
    holders,
    versions: [versionBefore, versionAfter],
  }: { holders: CaHolders; versions: readonly [MspVersion, MspVersion] },
): RawFinding[] {
  const previous = certificatesIn(old);
  if (previous.length === 0 || lostCasOf(old, now).length > 0) return [];
  const isOwn = (ca: Certificate): boolean =>
    previous.some((each) => caKey(each) === caKey(ca) || sameBytes(each.subject.raw, ca.issuer.raw));
  for (const { key, certificate: ca } of issuingCas(now)) {
    const roles = rolesOf(now, key, versionAfter);
    const owners = [...(holders.get(key) ?? [])];
    if (roles.length === 0 || owners.includes(mspId) || isOwn(ca)) continue;
    const wereOpen = rolesOf(old, key, versionBefore).length > 0;
    const isOther = wereOpen ? isOtherOrganization : isOtherName;
    if (owners.length === 0 && !previous.every(({ subject }) => isOther(subject, ca.subject))) continue;
    const own = roles.filter((role) => role !== 'member');
    const data = {
      organization: name,
      // With its organisation (O), which may be the only difference.
      subject: nameText({ ...ca.subject, commonName: '' }),
      owners,
      roles: own.length === 0 ? roles : own,
    };
    return [mspCaForeign.at(`${path}/MSP`, data)];
  }
  return [];
}

const certificatesIn = ({ roots, intermediates }: MspConfig): Certificate[] =>
  [...roots, ...intermediates].flatMap((pem) => certificateIn(pem) ?? []);

/** Whether both name an organisation (O), but not the same one. */
const isOtherOrganization = (one: Certificate['subject'], other: Certificate['subject']): boolean =>
  one.organizations.length > 0 &&
  other.organizations.length > 0 &&
  !one.organizations.some((each) => other.organizations.includes(each));

/** Whether they have no organisation, common name or domain (of a common name) in common. */
function isOtherName(one: Certificate['subject'], other: Certificate['subject']): boolean {
  const partsOf = ({ organizations, commonName }: Certificate['subject']): string[] => [
    ...organizations,
    commonName,
    commonName.slice(commonName.indexOf('.') + 1),
  ];
  const parts = new Set(partsOf(one));
  return !partsOf(other).some((part) => parts.has(part));
}

function requiredUnits(organization: Organization, old: MspConfig, now: MspConfig): RawFinding[] {
  if (now.units.length === 0) return [];
  const kept = old.units.every((unit) => now.units.some((each) => each.unit === unit.unit));
  if (old.units.length > 0 && kept) return [];
  // One of them is enough, and every certificate has the unit of its role.
  const required = new Set(now.units.map(({ unit }) => unit));
  const isGiven = NODE_ROLES.every((role) => required.has(now.nodeOus?.roles.get(role)?.unit ?? ''));
  if (now.nodeOus?.isEnabled === true && isGiven) return [];
  return [
    mspUnitRequired.at(`${organization.path}/MSP`, {
      ...lossOf(organization),
      units: now.units.map(unitOf),
    }),
  ];
}

function lostTlsCas({ path, name }: Organization, old: MspConfig, now: MspConfig): RawFinding[] {
  const kept = new Set([...now.tlsRoots, ...now.tlsIntermediates].map(caIn));
  const lost = [...old.tlsRoots, ...old.tlsIntermediates].filter((pem) => !kept.has(caIn(pem)));
  const first = certificateIn(lost[0] ?? new Uint8Array());
  if (first === undefined) return [];
  return [
    mspTlsCaRemoved.at(`${path}/MSP`, {
      organization: name,
      subject: nameText(first.subject),
      removed: lost.length,
    }),
  ];
}

/** The sections with the MSP of an organisation. */
const sectionsOf = ({ mspId }: Organization, { organizations }: Channel): ReadonlySet<Section> =>
  new Set(organizations.flatMap((each) => (each.mspId === mspId ? each.section : [])));

/** One pass over the organisations and the changes of their MSPs. */
export const mspChanges = defineCheck({
  needs: 'update',
  rules: [
    mspCaRemoved,
    mspCaBecomesInner,
    mspNodeOusEnabled,
    mspNodeOuChanged,
    mspCaWithoutRoles,
    mspCaForeign,
    mspUnitRequired,
    mspTlsCaRemoved,
    ...REVOCATION_RULES,
  ],
  async find(facts) {
    const { before, after } = facts;
    const ignored = await ignoredLists((await after.msps).manager);
    const holders = await caHolders(before);
    const versions = [
      mspVersionOf(before.channel.capabilities),
      mspVersionOf(after.channel.capabilities),
    ] as const;
    const found: RawFinding[] = [];
    for (const organization of after.channel.organizations) {
      await after.call.pause();
      const previous = before.channel.organizations.find(({ path }) => path === organization.path);
      const [old, now] = [previous && mspOf(previous), mspOf(organization)];
      if (old === undefined || now === undefined) continue;
      found.push(
        ...lostCas(organization, old, now),
        ...innerCas(organization, old, now),
        ...changedUnits(organization, old, now, sectionsOf(organization, after.channel)),
        ...rolelessCas(organization, old, now),
        ...foreignCas(organization, old, now, { holders, versions }),
        ...requiredUnits(organization, old, now),
        ...lostTlsCas(organization, old, now),
        ...revocations(organization, old, now, facts, ignored),
      );
    }
    return found;
  },
});
