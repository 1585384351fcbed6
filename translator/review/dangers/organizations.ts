// Dangers: MSPs of organisations.

import { createYielder } from '../../../core/common/flow/yielder.js';
import { toLatin1 } from '../../../proto/bytes.js';
import { nameText, certificateIn, type Certificate, type MspManager } from '../../msp/index.js';
import { isNameable } from '../../policy/index.js';
import type { Finding } from '../../documents/index.js';
import { finding } from '../finding.js';
import { mspidsOf } from './policies.js';
import type { Organization } from '../../channel/index.js';
import { expiryOf, isIdemix, mspOf, type ChannelState } from '../../state/index.js';

/** The certificates of an MSP that can be read. */
interface Certificates {
  readonly roots: readonly Certificate[];
  readonly cas: readonly Certificate[];
  readonly tlsCas: readonly Certificate[];
  readonly admins: readonly Certificate[];
}

/** Other code runs between two certificates: an MSP can have thousands, and each is read once, because that takes longest. */
export async function organizationFindings(state: ChannelState): Promise<Finding[]> {
  const { organizations } = state.channel;
  const { manager } = await state.msps;
  const owners = new Map<string, Organization>();
  const shared = sharedIds(organizations);
  const found: Finding[] = [];
  for (const organization of organizations) {
    const certificates = await certificatesOf(organization, manager);
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
}

async function certificatesOf(organization: Organization, { msps }: MspManager): Promise<Certificates> {
  const yieldIfDue = createYielder(1);
  // As the MSP was set up with.
  const go = msps.get(organization.mspId ?? '')?.rules.program.go;
  const readAll = async (all: readonly Uint8Array[] = []): Promise<Certificate[]> => {
    const readable: Certificate[] = [];
    for (const pem of all) {
      await yieldIfDue();
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

function sharedIds(organizations: readonly Organization[]): Finding[] {
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
      finding('warning', 'msp-id-shared', `${path}/MSP`, {
        organizations: [other.name, organization.name],
        mspid: mspId,
      }),
    ];
  });
}

function idemix(organization: Organization): Finding[] {
  if (!isIdemix(organization)) return [];
  return [finding('danger', 'msp-idemix', `${organization.path}/MSP`, { organization: organization.name })];
}

/** A root CA in the MSPs of organisations with different ids. @param owners the first organisation with each key */
function sharedCa(
  organization: Organization,
  { publicKey, subject }: Certificate,
  owners: Map<string, Organization>,
): Finding[] {
  const key = toLatin1(publicKey.spki);
  const owner = owners.get(key);
  if (owner === undefined) owners.set(key, organization);
  if (owner === undefined || owner.mspId === organization.mspId) return [];
  return [
    finding('warning', 'msp-ca-shared', `${organization.path}/MSP`, {
      subject: nameText(subject),
      organizations: [owner.name, organization.name],
    }),
  ];
}

function identifier({ mspId, path }: Organization): Finding[] {
  if (mspId === undefined || mspId === '' || isNameable(mspId)) return [];
  return [finding('warning', 'msp-id-invalid-in-policies', `${path}/MSP`, { mspid: mspId })];
}

/** Policies of an organisation that name only MSPs of others: its own people cannot satisfy them. */
function foreignPolicies({ section, name, mspId }: Organization, { policies }: ChannelState): Finding[] {
  const group = policies.root.groups.get(section)?.groups.get(name);
  return [...(group?.policies.values() ?? [])].flatMap((policy) => {
    if (policy.kind !== 'signature' || mspId === undefined || mspId === '') return [];
    const named = policy.policy.identities.flatMap(({ principal }) => mspidsOf(principal));
    if (named.length === 0 || named.includes(mspId)) return [];
    return [
      finding('danger', 'policy-foreign-msp', policy.path, { mspid: mspId, named: [...new Set(named)] }),
    ];
  });
}

function expiredCertificates(
  organization: Organization,
  { cas, tlsCas, admins }: Certificates,
  state: ChannelState,
): Finding[] {
  const msp = mspOf(organization);
  if (msp === undefined) return [];
  const lists = [
    ['msp-ca-expired', cas],
    ['msp-tls-ca-expired', tlsCas],
    ['msp-admin-expired', admins],
  ] as const;
  const path = `${organization.path}/MSP`;
  const found = lists.flatMap(([id, certificates]) =>
    certificates
      .filter(({ notAfter }) => notAfter < state.horizon)
      .map(({ subject, notAfter }) =>
        finding('warning', id, path, { subject: nameText(subject), ...expiryOf(notAfter, state) }),
      ),
  );
  if (msp.tlsRoots.length > 0) return found;
  return [...found, finding('warning', 'msp-tls-ca-missing', path, {})];
}

function revokedAdmins(
  { path, mspId = '' }: Organization,
  { admins }: Certificates,
  { msps }: MspManager,
): Finding[] {
  const lists = msps.get(mspId)?.trust.revocationLists ?? [];
  return admins
    .filter(({ serial }) => lists.some(({ serials }) => serials.has(serial)))
    .map(({ subject }) =>
      finding('warning', 'msp-admin-revoked', `${path}/MSP`, { subject: nameText(subject) }),
    );
}

function signingIdentity(organization: Organization): Finding[] {
  if (mspOf(organization)?.signingIdentity === undefined) return [];
  return [finding('danger', 'msp-signing-identity', `${organization.path}/MSP`, {})];
}

function hashFamily(organization: Organization): Finding[] {
  const family = mspOf(organization)?.hashFamily ?? 'SHA2';
  if (family === 'SHA2') return [];
  return [finding('danger', 'msp-hash-family', `${organization.path}/MSP`, { family })];
}
