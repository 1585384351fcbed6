// Dangers: MSPs of organisations.

import { nameText, certificateIn } from '../../msp/index.js';
import { isNameable } from '../../policy/index.js';
import type { Finding } from '../../describe/index.js';
import { finding } from '../finding.js';
import { mspidsOf } from './policies.js';
import type { Organization } from '../../channel/index.js';
import { expiryOf, isIdemix, mspOf, type State } from '../../powers/index.js';

export function organizationFindings(state: State): Finding[] {
  return [
    ...sharedIds(state.channel.organizations),
    ...sharedCas(state.channel.organizations),
    ...state.channel.organizations.flatMap((organization) => [
      ...identifier(organization),
      ...idemix(organization),
      ...foreignPolicies(organization, state),
      ...expiredCertificates(organization, state),
      ...revokedAdmins(organization, state),
      ...hashFamily(organization),
      ...signingIdentity(organization),
    ]),
  ];
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

/** A root CA in the MSPs of organisations with different ids. */
function sharedCas(organizations: readonly Organization[]): Finding[] {
  const owners = new Map<string, Organization>();
  return organizations.flatMap((organization) => {
    const roots = (mspOf(organization)?.roots ?? []).flatMap((pem) => certificateIn(pem) ?? []);
    return roots.flatMap((root) => {
      const key = String(root.publicKey.spki);
      const owner = owners.get(key);
      if (owner === undefined) owners.set(key, organization);
      if (owner === undefined || owner.mspId === organization.mspId) return [];
      return finding('warning', 'msp-ca-shared', `${organization.path}/MSP`, {
        subject: nameText(root.subject),
        organizations: [owner.name, organization.name],
      });
    });
  });
}

function identifier({ mspId, path }: Organization): Finding[] {
  if (mspId === undefined || mspId === '' || isNameable(mspId)) return [];
  return [finding('warning', 'msp-id-invalid-in-policies', `${path}/MSP`, { mspid: mspId })];
}

/** Policies of an organisation that name only MSPs of others: its own people cannot satisfy them. */
function foreignPolicies({ section, name, mspId }: Organization, { policies }: State): Finding[] {
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

function expiredCertificates(organization: Organization, state: State): Finding[] {
  const msp = mspOf(organization);
  if (msp === undefined) return [];
  const lists = [
    ['msp-ca-expired', [...msp.roots, ...msp.intermediates]],
    ['msp-tls-ca-expired', [...msp.tlsRoots, ...msp.tlsIntermediates]],
    ['msp-admin-expired', msp.admins],
  ] as const;
  const path = `${organization.path}/MSP`;
  // As the MSP was set up with, so that each certificate is read once.
  const go = state.msps.msps.get(organization.mspId ?? '')?.rules.program.go;
  const found = lists.flatMap(([id, certificates]) =>
    certificates.flatMap((pem) => {
      const certificate = certificateIn(pem, go);
      if (certificate === undefined || certificate.notAfter >= state.horizon) return [];
      const { subject, notAfter } = certificate;
      return [finding('warning', id, path, { subject: nameText(subject), ...expiryOf(notAfter, state) })];
    }),
  );
  if (msp.tlsRoots.length > 0) return found;
  return [...found, finding('warning', 'msp-tls-ca-missing', path, {})];
}

function revokedAdmins(organization: Organization, { msps }: State): Finding[] {
  const { path, mspId = '' } = organization;
  const lists = msps.msps.get(mspId)?.trust.revocationLists ?? [];
  if (lists.length === 0) return [];
  return (mspOf(organization)?.admins ?? []).flatMap((pem) => {
    const certificate = certificateIn(pem);
    if (certificate === undefined || !lists.some(({ serials }) => serials.has(certificate.serial))) return [];
    return [
      finding('warning', 'msp-admin-revoked', `${path}/MSP`, { subject: nameText(certificate.subject) }),
    ];
  });
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
