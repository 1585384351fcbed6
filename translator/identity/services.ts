// The services that an identity gets from orderers and peers with its signature alone, and the policies that decide about them.

import type { ConfigGroup } from '../channel/element.js';
import { valueOrEmpty } from '../channel/values.js';
import type { IdentityService } from '../describe/identity.js';
import type { Evaluation } from '../policy/evaluation.js';
import { findPolicy, type Policies, type PolicyNode } from '../policy/policies.js';
import { submitterPolicy } from '../review/stages/submission.js';

const READERS = '/Channel/Application/Readers';
const WRITERS = '/Channel/Application/Writers';

/** The policies of the resources of a channel without an ACL (core/aclmgmt/defaultaclprovider.go). */
const DEFAULTS: Readonly<Record<string, readonly string[]>> = {
  [WRITERS]: [
    'peer/Propose',
    'peer/ChaincodeToChaincode',
    '_lifecycle/CommitChaincodeDefinition',
    '_lifecycle/QueryChaincodeDefinition',
    '_lifecycle/QueryChaincodeDefinitions',
    '_lifecycle/CheckCommitReadiness',
  ],
  [READERS]: [
    'event/Block',
    'event/FilteredBlock',
    'cscc/GetConfigBlock',
    'cscc/GetChannelConfig',
    'qscc/GetChainInfo',
    'qscc/GetBlockByNumber',
    'qscc/GetBlockByHash',
    'qscc/GetTransactionByID',
    'qscc/GetBlockByTxID',
    'lscc/ChaincodeExists',
    'lscc/GetDeploymentSpec',
    'lscc/GetChaincodeData',
    'lscc/GetInstantiatedChaincodes',
    'lscc/GetCollectionsConfig',
  ],
};

/** Whether an identity is valid in its MSP, and now. */
export interface Validity {
  readonly isExpired: boolean;
  /** Why it is not valid in its MSP; undefined if it is. */
  readonly reason: string | undefined;
}

/** The services with the verdict on the signers of an evaluation. */
export function servicesOf(
  channel: ConfigGroup,
  policies: Policies,
  evaluation: Evaluation,
  { isExpired, reason: invalid }: Validity,
): readonly IdentityService[] {
  const verdict = (service: string, policy: string): IdentityService => {
    // Proposals are refused before the policy is evaluated; orderers and deliveries of blocks evaluate the policy alone.
    const isProposal = service.includes('/') && !service.startsWith('event/');
    const reason =
      (isExpired ? 'the certificate has expired' : undefined) ??
      (isProposal ? invalid : undefined) ??
      refusalOf(policy, policies, evaluation);
    return { service, policy, allowed: reason === null, reason };
  };
  const writers = submitterPolicy({ sequence: 0n, channelGroup: channel });
  const application = channel.groups.get('Application');
  const acls = valueOrEmpty(application, 'application', 'ACLs').acls;
  const ofPeers =
    application === undefined
      ? []
      : Object.entries(DEFAULTS).flatMap(([policy, resources]) =>
          resources.map((resource) => verdict(resource, absolute(acls.get(resource)?.policyRef ?? policy))),
        );
  return [
    verdict('Deliver', writers.replace(/Writers$/, 'Readers')),
    verdict('Broadcast', writers),
    ...ofPeers,
  ];
}

/** An ACL may name a policy of the applications without its path (common/channelconfig/acls.go). */
const absolute = (policy: string): string =>
  policy.startsWith('/') ? policy : `/Channel/Application/${policy}`;

/** Why a policy is not satisfied; null if it is. */
function refusalOf(path: string, { root }: Policies, evaluation: Evaluation): string | null {
  const policy = policyAt(path, root);
  return policy === undefined ? `there is no policy ${path}` : (evaluation.errorOf(policy) ?? null);
}

/** Fabric panics for some paths. */
function policyAt(path: string, root: Policies['root']): PolicyNode | undefined {
  try {
    return findPolicy(root, path);
  } catch {
    return undefined;
  }
}
