// The MSPs and policies of organisations.

import { toLatin1 } from '../../proto/bytes.js';
import { parentPath, type Organization } from '../channel/index.js';
import { type FindingWords, day, quoted, shortList, shortPath, words } from '../documents/index.js';
import type { LongCall } from '../long-call.js';
import { type Certificate, type MspManager, certificateIn, nameText } from '../msp/index.js';
import { isNameable } from '../policy/index.js';
import { type ChannelState, expiryOf, isIdemix, mspOf } from '../state/index.js';
import { mspidsOf } from './policies.js';
import { type RawFinding, defineCheck, defineRule } from './rule.js';

/** A certificate of an MSP that has expired or expires soon. */
export interface Expiry {
  readonly subject: string;
  readonly notAfter: string;
  readonly isExpired: boolean;
}

const expiryWords =
  (what: string) =>
  ({ subject, notAfter, isExpired }: Expiry): FindingWords =>
    words(
      `the ${what} certificate ${subject} ${isExpired ? 'expired' : 'expires'} on ${day(notAfter)}`,
      'replace it by one that is valid',
    );

const mspIdShared = defineRule({
  id: 'msp-id-shared',
  severity: 'warning',
  meaning: 'two organisations have the same MSP id',
  words: ({ organizations, mspid }: { organizations: readonly [string, string]; mspid: string }) =>
    words(
      `the organisations ${organizations.join(' and ')} have the same MSP id ${mspid}: one signature counts for both`,
      'give each organisation its own MSP id',
    ),
});

const mspIdInvalidInPolicies = defineRule({
  id: 'msp-id-invalid-in-policies',
  severity: 'warning',
  meaning: 'the policy language cannot name an MSP id',
  words: ({ mspid }: { mspid: string }) =>
    words(
      `the policy language cannot name the MSP id ${quoted(mspid)}; chaincode policies cannot include this organisation`,
      'use an MSP id of letters, digits, dots and dashes',
    ),
});

const mspIdemix = defineRule({
  id: 'msp-idemix',
  severity: 'danger',
  tellsLosses: true,
  meaning: 'an MSP of the type idemix, which is not checked, is new or changed',
  words: ({ organization }: { organization: string }) =>
    words(
      `the MSP of ${organization} is of the type idemix: a review does not know whether orderers accept it and who belongs to it`,
      'submit the update to a copy of the channel first',
    ),
});

const mspHashFamily = defineRule({
  id: 'msp-hash-family',
  severity: 'danger',
  tellsLosses: true,
  meaning: 'the hash family of an MSP makes its signatures invalid',
  words: ({ family }: { family: string }) =>
    words(
      `with the hash family ${quoted(family)}, no signature of this organisation counts any more: programs sign with SHA-256`,
      'set signature_hash_family to SHA2',
    ),
});

const mspSigningIdentity = defineRule({
  id: 'msp-signing-identity',
  severity: 'danger',
  meaning: 'an MSP contains a signing identity with its private key',
  words: ({ notAfter }: { notAfter: string | null }) =>
    words(
      `the MSP contains the signing identity of a node with its private key: everybody on the channel can read it${notAfter === null ? '' : `; when its certificate ends on ${day(notAfter)}, orderers refuse all updates that keep it, and cannot start`}`,
      'remove signing_identity, and replace the key',
    ),
});

const mspCaShared = defineRule({
  id: 'msp-ca-shared',
  severity: 'warning',
  subjects: ({ organizations }) => organizations,
  meaning: 'organisations with different MSP ids have the same root CA',
  words: ({ subject, organizations }: { subject: string; organizations: readonly [string, string] }) =>
    words(
      `the CA ${subject} is a root CA of ${organizations.join(' and of ')}: its identities belong to both`,
      'give each organisation its own CA',
    ),
});

const mspCaExpired = defineRule({
  id: 'msp-ca-expired',
  severity: 'warning',
  meaning: 'a CA certificate has expired',
  words: expiryWords('CA'),
});

const mspTlsCaExpired = defineRule({
  id: 'msp-tls-ca-expired',
  severity: 'warning',
  meaning: 'a TLS CA certificate has expired',
  words: expiryWords('TLS CA'),
});

const mspTlsCaMissing = defineRule({
  id: 'msp-tls-ca-missing',
  severity: 'warning',
  meaning: 'an MSP has no TLS CA',
  words: () =>
    words(
      'the MSP has no TLS CA: TLS connections to the nodes of the organisation fail',
      'add the TLS CA certificates to the MSP',
    ),
});

const mspAdminExpired = defineRule({
  id: 'msp-admin-expired',
  severity: 'warning',
  meaning: 'an admin certificate has expired',
  words: expiryWords('admin'),
});

const mspAdminRevoked = defineRule({
  id: 'msp-admin-revoked',
  severity: 'warning',
  meaning: 'an admin certificate is revoked',
  words: ({ subject }: { subject: string }) =>
    words(
      `the admin certificate ${subject} is in a revocation list, but counts as an admin because the MSP lists it`,
      'remove it from the admins of the MSP',
      `the revoked admin certificate ${subject} counts, because the MSP lists it`,
    ),
});

/** A policy of the organisation with an MSP id, which names only other MSPs. */
export interface ForeignPolicy {
  readonly mspid: string;
  readonly named: readonly string[];
}

const policyForeignMsp = defineRule({
  id: 'policy-foreign-msp',
  severity: 'danger',
  tellsLosses: true,
  meaning: 'a policy of an organisation names only other MSPs',
  words: ({ mspid, named }: ForeignPolicy, path) =>
    words(
      `the policy of the organisation with the MSP id ${mspid} names only ${named.join(', ')}: its own members cannot satisfy it`,
      `name ${mspid} in the policy`,
      `members of ${mspid} cannot satisfy ${shortPath(path)}, which names only ${shortList(named, ', ', 2)}`,
    ),
});

/** Whether two policies of one organisation name the same other MSPs: the first one in the order of paths is the cause. */
export const bySameMsps = ({ path, data }: RawFinding, cause: RawFinding): boolean =>
  parentPath(path) === parentPath(cause.path) &&
  cause.path < path &&
  String((data as ForeignPolicy).named) === String((cause.data as ForeignPolicy).named);

/** The finding that a finding of `policy-foreign-msp` follows from; else the finding itself. */
export const firstAlike = (each: RawFinding, others: readonly RawFinding[]): RawFinding =>
  each.rule.id === policyForeignMsp.id
    ? others
        .filter(({ rule }) => rule.id === each.rule.id)
        .reduce((first, other) => (bySameMsps(first, other) ? other : first), each)
    : each;

/** The certificates of an MSP that can be read. */
interface Certificates {
  readonly roots: readonly Certificate[];
  readonly cas: readonly Certificate[];
  readonly tlsCas: readonly Certificate[];
  readonly admins: readonly Certificate[];
}

/** One pass over the organisations that reads each certificate once, because that takes longest, and yields between two certificates. */
export const eachOrganization = defineCheck({
  needs: 'config',
  rules: [
    mspIdShared,
    mspCaShared,
    mspIdInvalidInPolicies,
    mspIdemix,
    policyForeignMsp,
    mspCaExpired,
    mspTlsCaExpired,
    mspAdminExpired,
    mspTlsCaMissing,
    mspAdminRevoked,
    mspHashFamily,
    mspSigningIdentity,
  ],
  async find(state) {
    const { organizations } = state.channel;
    const { manager } = await state.msps;
    const owners = new Map<string, Organization>();
    const shared = sharedIds(organizations);
    const found: RawFinding[] = [];
    for (const organization of organizations) {
      const certificates = await certificatesOf(organization, manager, state.call);
      for (const root of certificates.roots) shared.push(...sharedCa(organization, root, owners));
      found.push(
        ...identifier(organization),
        ...idemix(organization),
        ...foreignPolicies(organization, state),
        ...expiredCertificates(organization, certificates, state),
        ...revokedAdmins(organization, certificates, manager),
        ...hashFamily(organization),
        ...signingIdentity(organization),
      );
    }
    return [...shared, ...found];
  },
});

async function certificatesOf(
  organization: Organization,
  { msps }: MspManager,
  call: LongCall,
): Promise<Certificates> {
  // The version of Go that the MSP was set up with.
  const go = msps.get(organization.mspId ?? '')?.rules.program.go;
  const readAll = async (all: readonly Uint8Array[] = []): Promise<Certificate[]> => {
    const readable: Certificate[] = [];
    for (const pem of all) {
      await call.pause();
      const certificate = certificateIn(pem, go);
      if (certificate !== undefined) readable.push(certificate);
    }
    return readable;
  };
  const msp = mspOf(organization);
  const roots = await readAll(msp?.roots);
  return {
    roots,
    cas: [...roots, ...(await readAll(msp?.intermediates))],
    tlsCas: [...(await readAll(msp?.tlsRoots)), ...(await readAll(msp?.tlsIntermediates))],
    admins: await readAll(msp?.admins),
  };
}

function sharedIds(organizations: readonly Organization[]): RawFinding[] {
  const first = new Map<string, Organization>();
  return organizations.flatMap((organization) => {
    const { mspId = '', section, path } = organization;
    const key = `${section} ${mspId}`;
    const other = first.get(key);
    if (mspId === '') return [];
    if (other === undefined) {
      first.set(key, organization);
      return [];
    }
    return [
      mspIdShared.at(`${path}/MSP`, {
        organizations: [other.name, organization.name],
        mspid: mspId,
      }),
    ];
  });
}

function idemix(organization: Organization): RawFinding[] {
  if (!isIdemix(organization)) return [];
  return [mspIdemix.at(`${organization.path}/MSP`, { organization: organization.name })];
}

/** A root CA in the MSPs of organisations with different ids. @param owners the first organisation with each key */
function sharedCa(
  organization: Organization,
  { publicKey, subject }: Certificate,
  owners: Map<string, Organization>,
): RawFinding[] {
  const key = toLatin1(publicKey.spki);
  const owner = owners.get(key);
  if (owner === undefined) owners.set(key, organization);
  if (owner === undefined || owner.mspId === organization.mspId) return [];
  return [
    mspCaShared.at(`${organization.path}/MSP`, {
      subject: nameText(subject),
      organizations: [owner.name, organization.name],
    }),
  ];
}

function identifier({ mspId, path }: Organization): RawFinding[] {
  if (mspId === undefined || mspId === '' || isNameable(mspId)) return [];
  return [mspIdInvalidInPolicies.at(`${path}/MSP`, { mspid: mspId })];
}

/** Policies of an organisation that name only MSPs of others: its own members cannot satisfy them. */
function foreignPolicies({ section, name, mspId }: Organization, { policies }: ChannelState): RawFinding[] {
  const group = policies.root.groups.get(section)?.groups.get(name);
  return [...(group?.policies.values() ?? [])].flatMap((policy) => {
    if (policy.kind !== 'signature' || mspId === undefined || mspId === '') return [];
    const named = policy.policy.identities.flatMap(({ principal }) => mspidsOf(principal));
    if (named.length === 0 || named.includes(mspId)) return [];
    return [policyForeignMsp.at(policy.path, { mspid: mspId, named: [...new Set(named)] })];
  });
}

function expiredCertificates(
  organization: Organization,
  { cas, tlsCas, admins }: Certificates,
  state: ChannelState,
): RawFinding[] {
  const msp = mspOf(organization);
  if (msp === undefined) return [];
  const lists = [
    [mspCaExpired, cas],
    [mspTlsCaExpired, tlsCas],
    [mspAdminExpired, admins],
  ] as const;
  const path = `${organization.path}/MSP`;
  const found = lists.flatMap(([rule, certificates]) =>
    certificates
      .filter(({ notAfter }) => notAfter < state.horizon)
      .map(({ subject, notAfter }) =>
        rule.at(path, { subject: nameText(subject), ...expiryOf(notAfter, state) }),
      ),
  );
  if (msp.tlsRoots.length > 0) return found;
  return [...found, mspTlsCaMissing.at(path, {})];
}

function revokedAdmins(
  { path, mspId = '' }: Organization,
  { admins }: Certificates,
  { msps }: MspManager,
): RawFinding[] {
  const lists = msps.get(mspId)?.trust.revocationLists ?? [];
  return admins
    .filter(({ serial }) => lists.some(({ serials }) => serials.has(serial)))
    .map(({ subject }) => mspAdminRevoked.at(`${path}/MSP`, { subject: nameText(subject) }));
}

function signingIdentity(organization: Organization): RawFinding[] {
  const { certificate } = mspOf(organization)?.signingIdentity ?? {};
  if (certificate === undefined) return [];
  const notAfter = certificateIn(certificate)?.notAfter.toISOString() ?? null;
  return [mspSigningIdentity.at(`${organization.path}/MSP`, { notAfter })];
}

function hashFamily(organization: Organization): RawFinding[] {
  const family = mspOf(organization)?.hashFamily ?? 'SHA2';
  if (family === 'SHA2') return [];
  return [mspHashFamily.at(`${organization.path}/MSP`, { family })];
}
