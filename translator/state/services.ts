// The services of a channel for its actors, and the policy that decides about each service.

import {
  ACL_DEFAULTS,
  aclPolicyPath,
  type Channel,
  type Organization,
  type Section,
  allowsAcls,
  allowsMaintenance,
} from '../channel/index.js';
import type { NodeRole } from '../msp/index.js';
import { type Policies, type PolicyNode, policyAt } from '../policy/index.js';

/** The uses of a channel by its actors. */
export type ServiceName =
  | 'read-blocks'
  | 'read-blocks-in-maintenance'
  | 'submit-transactions'
  | 'submit-config-updates'
  | 'submit-config-updates-in-maintenance'
  | 'accept-config-updates'
  | 'accept-config-updates-in-maintenance'
  | 'administer'
  | 'propose'
  | 'call-chaincode'
  | 'read-events'
  | 'query-ledger'
  | 'query-config'
  | 'query-chaincode'
  | 'query-previous-chaincode'
  | 'commit-chaincode'
  | 'approve-chaincode'
  | 'define-chaincode'
  | 'endorse'
  | 'gossip'
  | 'discover'
  | 'agree'
  | 'make-blocks';

type Roles = Readonly<Partial<Record<Section, readonly NodeRole[]>>>;

/** A service, and how its policy is judged. */
export interface Service {
  readonly name: ServiceName;
  /** The actors that need it. */
  readonly roles: Roles;
  /**
   * `one`: a message has one signature. `several`: the actors sign together, and each counts. `own`: only actors of one organisation sign
   * together; `own-peers`: only its peers.
   */
  readonly signatures: 'one' | 'several' | 'own' | 'own-peers';
  /** The path of the policy, unless an ACL names another one; a name alone refers to a policy of the actor's organisation. */
  readonly policy: string;
  /**
   * Without the policy any member counts: of the organisation, or of a majority of them (core/chaincode/lifecycle:
   * deployedcc_infoprovider.go, `ImplicitCollectionEndorsementPolicyAsBytes`; lifecycle.go, `LifecycleEndorsementPolicyAsBytes`).
   */
  readonly hasDefault?: true;
  /** The resource of ACLs; undefined if no ACL can be set. */
  readonly resource?: string;
  /** A service of BFT channels alone. */
  readonly isOfBft?: true;
}

const NODES: Roles = { Application: ['peer', 'admin'], Orderer: ['orderer', 'admin'] };
const ORDERERS: Roles = { Orderer: ['orderer', 'admin'] };
/** Of orderers alone. */
const ORDERER: Roles = { Orderer: ['orderer'] };
const ADMINS: Roles = { Application: ['admin'], Orderer: ['admin'] };
const PEERS: Roles = { Application: ['peer'] };
const CLIENTS: Roles = { Application: ['client'] };
const PEOPLE: Roles = { Application: ['client', 'admin'] };

/** The use of each peer resource, and its users, by the part before the slash; `_lifecycle` and `peer` have two. */
const RESOURCES: Readonly<Record<string, readonly [name: ServiceName, roles: Roles]>> = {
  // Admins wait for the transactions with which they approve and commit chaincode definitions.
  event: ['read-events', PEOPLE],
  gateway: ['read-events', PEOPLE],
  qscc: ['query-ledger', PEOPLE],
  cscc: ['query-config', PEOPLE],
  lscc: ['query-previous-chaincode', PEOPLE],
  _lifecycle: ['query-chaincode', PEOPLE],
  'peer/Propose': ['propose', PEOPLE],
  'peer/ChaincodeToChaincode': ['call-chaincode', CLIENTS],
  '_lifecycle/CommitChaincodeDefinition': ['commit-chaincode', PEOPLE],
};

/**
 * All services. Deliver: orderer/common/server/server.go. Broadcast: orderer/common/msgprocessor/standardchannel.go. In maintenance, both
 * have the policies of the Orderer group. An orderer signs the config that it makes of an update, and judges it as a separate message
 * (StandardChannel.ProcessConfigUpdateMsg: "final checks"). Peers: core/aclmgmt. Gossip: internal/peer/gossip/mcs.go, `VerifyByChannel`.
 * Discovery: discovery/support/acl/support.go, with the policy of internal/peer/node/start.go, `createDiscoveryService`; no ACL changes it.
 * BFT orderers judge consensus signatures of other orderers by Writers of the Orderer group (orderer/consensus/smartbft/verifier.go,
 * `consenterVerifier`). Blocks: internal/peer/gossip/mcs.go; the finding `block-validation` covers it, and here it is for orderer
 * organisations that leave.
 */
export const SERVICES: readonly Service[] = [
  { name: 'read-blocks', roles: NODES, signatures: 'one', policy: '/Channel/Readers' },
  {
    name: 'read-blocks-in-maintenance',
    roles: ORDERERS,
    signatures: 'one',
    policy: '/Channel/Orderer/Readers',
  },
  // Admins submit the transactions with which they approve and commit chaincode definitions.
  { name: 'submit-transactions', roles: PEOPLE, signatures: 'one', policy: '/Channel/Writers' },
  { name: 'submit-config-updates', roles: ADMINS, signatures: 'one', policy: '/Channel/Writers' },
  {
    name: 'submit-config-updates-in-maintenance',
    roles: { Orderer: ['admin'] },
    signatures: 'one',
    policy: '/Channel/Orderer/Writers',
  },
  { name: 'accept-config-updates', roles: ORDERER, signatures: 'one', policy: '/Channel/Writers' },
  {
    name: 'accept-config-updates-in-maintenance',
    roles: ORDERER,
    signatures: 'one',
    policy: '/Channel/Orderer/Writers',
  },
  { name: 'administer', roles: ADMINS, signatures: 'own', policy: 'Admins' },
  ...[...ACL_DEFAULTS].map(([resource, policy]): Service => {
    const [name, roles] = RESOURCES[resource] ?? RESOURCES[resource.slice(0, resource.indexOf('/'))]!;
    return { name, roles, signatures: 'one', policy, resource };
  }),
  {
    name: 'approve-chaincode',
    roles: PEERS,
    signatures: 'own-peers',
    policy: 'Endorsement',
    hasDefault: true,
  },
  { name: 'gossip', roles: PEERS, signatures: 'one', policy: '/Channel/Application/Readers' },
  { name: 'discover', roles: CLIENTS, signatures: 'one', policy: '/Channel/Application/Writers' },
  { name: 'agree', roles: ORDERER, signatures: 'one', policy: '/Channel/Orderer/Writers', isOfBft: true },
  {
    name: 'define-chaincode',
    roles: PEERS,
    signatures: 'several',
    policy: '/Channel/Application/LifecycleEndorsement',
    hasDefault: true,
  },
  { name: 'endorse', roles: PEERS, signatures: 'several', policy: '/Channel/Application/Endorsement' },
  {
    name: 'make-blocks',
    roles: ORDERER,
    signatures: 'one',
    policy: '/Channel/Orderer/BlockValidation',
  },
];

/** The service with a name; the first one if several resources have it. */
export const serviceNamed = (name: ServiceName): Service => SERVICES.find((each) => each.name === name)!;

/** The orderer services in the state of a channel: in maintenance, reading blocks and submitting have the policies of the Orderer group. */
export function ordererServices({ orderer }: Channel): {
  readonly deliver: Service;
  readonly broadcast: Service;
} {
  const isInMaintenance = allowsMaintenance(orderer.capabilities) && orderer.isInMaintenance;
  return {
    deliver: serviceNamed(isInMaintenance ? 'read-blocks-in-maintenance' : 'read-blocks'),
    broadcast: serviceNamed(isInMaintenance ? 'submit-config-updates-in-maintenance' : 'submit-transactions'),
  };
}

/** The services that an actor with a role needs. */
export const servicesOf = (section: Section, role: NodeRole, isBft: boolean): readonly Service[] =>
  SERVICES.filter(
    ({ roles, isOfBft = false }) => roles[section]?.includes(role) === true && (isBft || !isOfBft),
  );

/** The policy of a service in a config. */
export interface ServicePolicy {
  readonly path: string;
  /** Undefined if there is none: nobody has the service. */
  readonly policy: PolicyNode | undefined;
  /** An ACL names it. */
  readonly isAcl: boolean;
}

/** The policies of all services in a config, except services of an organisation. */
export function servicePolicies(
  { application }: Channel,
  policies: Policies,
): ReadonlyMap<Service, ServicePolicy> {
  const acls = allowsAcls(application.capabilities) ? application.acls : new Map<string, string>();
  return new Map(
    SERVICES.filter(({ policy }) => policy.startsWith('/')).map((service) => {
      const { resource } = service;
      const named = resource === undefined ? undefined : aclPolicyPath(acls.get(resource) ?? '');
      const path = named ?? service.policy;
      return [service, { path, policy: policyAt(policies, path), isAcl: named !== undefined }];
    }),
  );
}

/** The policy of an organisation. */
export function ownPolicy(
  { policy }: Service,
  { section, name, path }: Organization,
  { root }: Policies,
): ServicePolicy {
  const found = root.groups.get(section)?.groups.get(name)?.policies.get(policy);
  return { path: `${path}/${policy}`, policy: found, isAcl: false };
}
