// The policies of a new organisation, as in the samples of configtxgen (sampleconfig/configtx.yaml of Fabric).

import type { ConfigPolicy } from '../config/element.js';
import { makePolicy } from '../config/make.js';
import { ROLES, writePrincipal } from '../policy/principal-bytes.js';
import { writeSignaturePolicy, type SignaturePolicy } from '../policy/signature-policy.js';
import type { Section } from './organizations.js';
import { NEW_MOD_POLICY } from './tree.js';

type Role = (typeof ROLES)[number];

/** `common.Policy.SIGNATURE`. */
const SIGNATURE = 1;

const PEERS: Readonly<Record<string, readonly Role[]>> = {
  Readers: ['admin', 'peer', 'client'],
  Writers: ['admin', 'client'],
  Admins: ['admin'],
  Endorsement: ['peer'],
};
/** Without NodeOUs nobody has the role peer or client. */
const PEERS_WITHOUT_ROLES: Readonly<Record<string, readonly Role[]>> = {
  Readers: ['member'],
  Writers: ['member'],
  Admins: ['admin'],
  Endorsement: ['member'],
};
const ORDERERS: Readonly<Record<string, readonly Role[]>> = {
  Readers: ['member'],
  Writers: ['member'],
  Admins: ['admin'],
};

/** The policies of a new organisation by name. */
export function defaultPolicies(
  section: Section,
  mspid: string,
  hasNodeOus: boolean,
): Map<string, ConfigPolicy> {
  const roles = section === 'Orderer' ? ORDERERS : hasNodeOus ? PEERS : PEERS_WITHOUT_ROLES;
  return new Map(
    Object.entries(roles).map(([name, signers]) => {
      const policy = { type: SIGNATURE, value: writeSignaturePolicy(anyOf(mspid, signers)) };
      return [name, makePolicy({ modPolicy: NEW_MOD_POLICY, policy })];
    }),
  );
}

/** One signature of one of the roles: `OR('Org1MSP.admin', 'Org1MSP.client')`. */
function anyOf(mspid: string, roles: readonly Role[]): SignaturePolicy {
  return {
    version: 0,
    rule: { kind: 'outOf', n: 1, rules: roles.map((_, index) => ({ kind: 'signedBy', index })) },
    identities: roles.map((role) => {
      const principal = { kind: 'role', mspid, role } as const;
      return { principal, bytes: writePrincipal(principal) };
    }),
  };
}
