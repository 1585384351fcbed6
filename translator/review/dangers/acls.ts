// Dangers: ACLs (Fabric's core/aclmgmt).

import { valueOrEmpty } from '../../config/values.js';
import { findPolicy } from '../../policy/policies.js';
import type { Finding } from '../../describe/findings/index.js';
import { finding } from '../finding.js';
import type { State } from '../facts/state.js';

const PATH = '/Channel/Application/ACLs';
const APPLICATION = '/Channel/Application/';

/** The resources of peers 2.x and 3.x, by the part before the slash (core/aclmgmt/resources/resources.go). */
const RESOURCES: Readonly<Record<string, string>> = {
  _lifecycle:
    'InstallChaincode QueryInstalledChaincode GetInstalledChaincodePackage QueryInstalledChaincodes ApproveChaincodeDefinitionForMyOrg QueryApprovedChaincodeDefinition QueryApprovedChaincodeDefinitions CommitChaincodeDefinition QueryChaincodeDefinition QueryChaincodeDefinitions CheckCommitReadiness',
  lscc: 'Install Deploy Upgrade ChaincodeExists GetDeploymentSpec GetChaincodeData GetInstantiatedChaincodes GetInstalledChaincodes GetCollectionsConfig',
  qscc: 'GetChainInfo GetBlockByNumber GetBlockByHash GetTransactionByID GetBlockByTxID',
  cscc: 'JoinChain JoinChainBySnapshot JoinBySnapshotStatus GetConfigBlock GetChannelConfig GetChannels',
  peer: 'Propose ChaincodeToChaincode',
  event: 'Block FilteredBlock',
};
const KNOWN = new Set(
  Object.entries(RESOURCES).flatMap(([part, names]) => names.split(' ').map((name) => `${part}/${name}`)),
);

export function aclFindings({ config, policies }: State): Finding[] {
  const { acls } = valueOrEmpty(config.channelGroup.groups.get('Application'), 'application', 'ACLs');
  return [...acls].flatMap(([name, { policyRef }]) => {
    const at = policyRef.startsWith('/') ? policyRef : `${APPLICATION}${policyRef}`;
    const findings: Finding[] = [];
    if (policyAt(policies, at) === undefined)
      findings.push(finding('danger', 'acl-policy-missing', PATH, { acl: name, policy: policyRef }));
    if (!KNOWN.has(name)) findings.push(finding('warning', 'acl-unknown-resource', PATH, { acl: name }));
    return findings;
  });
}

function policyAt(policies: State['policies'], path: string): unknown {
  try {
    return findPolicy(policies.root, path);
  } catch {
    // A path such as /Channel, which Fabric's program panics on.
    return undefined;
  }
}
