// Hazards: MSPs of organisations.

import { dayText, nameText } from '../../describe/certificate.js';
import { isNameable } from '../../policy/parse.js';
import { certificateIn } from '../../msp/read-pem.js';
import { hazard, type Finding } from '../finding.js';
import { mspidsOf } from './policies.js';
import { isIdemix, type Organization, type State } from '../facts/state.js';

export function organizationHazards(state: State): Finding[] {
  return [
    ...sharedIds(state.organizations),
    ...sharedCas(state.organizations),
    ...state.organizations.flatMap((organization) => [
      ...identifier(organization),
      ...idemix(organization),
      ...foreignPolicies(organization, state),
      ...certificateHazards(organization, state.now),
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
      hazard(
        'warning',
        'msp-id-shared',
        `${path}/MSP`,
        `the organisations ${other.name} and ${organization.name} have the same MSP id ${mspId}: one signature counts for both`,
        'give each organisation its own MSP id',
      ),
    ];
  });
}

function idemix(organization: Organization): Finding[] {
  if (!isIdemix(organization)) return [];
  return [
    hazard(
      'danger',
      'msp-idemix',
      `${organization.path}/MSP`,
      `the MSP of ${organization.name} is of the type idemix: a review does not know whether orderers accept it and who belongs to it`,
      'submit the update to a copy of the channel first',
    ),
  ];
}

/** A root CA in the MSPs of organisations with different ids. */
function sharedCas(organizations: readonly Organization[]): Finding[] {
  const owners = new Map<string, Organization>();
  return organizations.flatMap((organization) => {
    const roots = (organization.readMsp()?.roots ?? []).flatMap((pem) => certificateIn(pem) ?? []);
    return roots.flatMap((root) => {
      const key = String(root.publicKey.spki);
      const owner = owners.get(key);
      if (owner === undefined) owners.set(key, organization);
      if (owner === undefined || owner.mspId === organization.mspId) return [];
      return hazard(
        'warning',
        'msp-ca-shared',
        `${organization.path}/MSP`,
        `the CA ${nameText(root.subject)} is a root CA of ${owner.name} and of ${organization.name}: its identities belong to both`,
        'give each organisation its own CA',
      );
    });
  });
}

function identifier({ mspId, path }: Organization): Finding[] {
  if (mspId === undefined || mspId === '' || isNameable(mspId)) return [];
  return [
    hazard(
      'warning',
      'msp-id-invalid-in-policies',
      `${path}/MSP`,
      `the policy language cannot name the MSP id ${JSON.stringify(mspId)}; chaincode policies cannot include this organisation`,
      'use an MSP id of letters, digits, dots and dashes',
    ),
  ];
}

/** Policies of an organisation that name only MSPs of others: its own people cannot satisfy them. */
function foreignPolicies({ path, mspId }: Organization, { policies }: State): Finding[] {
  const [, , section = '', name = ''] = path.split('/');
  const group = policies.root.groups.get(section)?.groups.get(name);
  return [...(group?.policies.values() ?? [])].flatMap((policy) => {
    if (policy.kind !== 'signature' || mspId === undefined || mspId === '') return [];
    const named = policy.policy.identities.flatMap(({ principal }) => mspidsOf(principal));
    if (named.length === 0 || named.includes(mspId)) return [];
    return [
      hazard(
        'danger',
        'policy-foreign-msp',
        policy.path,
        `the policy of the organisation with the MSP id ${mspId} names only ${[...new Set(named)].join(', ')}: its own people cannot satisfy it`,
        `name ${mspId} in the policy`,
      ),
    ];
  });
}

function certificateHazards(organization: Organization, now: Date): Finding[] {
  const msp = organization.readMsp();
  if (msp === undefined) return [];
  const lists = [
    ['msp-ca-expired', 'CA', [...msp.roots, ...msp.intermediates]],
    ['msp-tls-ca-expired', 'TLS CA', [...msp.tlsRoots, ...msp.tlsIntermediates]],
    ['msp-admin-expired', 'admin', msp.admins],
  ] as const;
  const path = `${organization.path}/MSP`;
  const found = lists.flatMap(([id, what, certificates]) =>
    certificates.flatMap((pem) => {
      const certificate = certificateIn(pem);
      if (certificate === undefined || certificate.notAfter >= now) return [];
      return [
        hazard(
          'warning',
          id,
          path,
          `the ${what} certificate ${nameText(certificate.subject)} expired on ${dayText(certificate.notAfter)}`,
          'replace it by one that is valid',
        ),
      ];
    }),
  );
  if (msp.tlsRoots.length > 0) return found;
  const todo = 'add the TLS CA certificates to the MSP';
  const text = 'the MSP has no TLS CA: TLS connections to the nodes of the organisation fail';
  return [...found, hazard('warning', 'msp-tls-ca-missing', path, text, todo)];
}

function revokedAdmins({ readMsp, path, mspId = '' }: Organization, { msps }: State): Finding[] {
  const lists = msps.msps.get(mspId)?.trust.revocationLists ?? [];
  if (lists.length === 0) return [];
  return (readMsp()?.admins ?? []).flatMap((pem) => {
    const certificate = certificateIn(pem);
    if (certificate === undefined || !lists.some(({ serials }) => serials.has(certificate.serial))) return [];
    return [
      hazard(
        'warning',
        'msp-admin-revoked',
        `${path}/MSP`,
        `the admin certificate ${nameText(certificate.subject)} is in a revocation list, but counts as an admin because the MSP lists it`,
        'remove it from the admins of the MSP',
      ),
    ];
  });
}

function signingIdentity({ readMsp, path }: Organization): Finding[] {
  if (readMsp()?.signingIdentity === undefined) return [];
  return [
    hazard(
      'danger',
      'msp-signing-identity',
      `${path}/MSP`,
      'the MSP contains the signing identity of a node with its private key: everybody on the channel can read it',
      'remove signing_identity, and replace the key',
    ),
  ];
}

function hashFamily({ readMsp, path }: Organization): Finding[] {
  const family = readMsp()?.hashFamily ?? 'SHA2';
  if (family === 'SHA2') return [];
  return [
    hazard(
      'danger',
      'msp-hash-family',
      `${path}/MSP`,
      `with the hash family ${JSON.stringify(family)}, no signature of this organisation counts any more: programs sign with SHA-256`,
      'set signature_hash_family to SHA2',
    ),
  ];
}
