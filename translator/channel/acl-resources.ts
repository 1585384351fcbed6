// The resources of peers for which an ACL can be set (Fabric's core/aclmgmt/resources/resources.go), and the default policy of each
// (core/aclmgmt/defaultaclprovider.go).

/** The resources of a channel, by their default policy in the Application group, and by the part before the slash. */
const DEFAULTS: Readonly<Record<'Readers' | 'Writers', Readonly<Record<string, string>>>> = {
  Readers: {
    event: 'Block FilteredBlock',
    gateway: 'CommitStatus ChaincodeEvents',
    cscc: 'GetConfigBlock GetChannelConfig',
    qscc: 'GetChainInfo GetBlockByNumber GetBlockByHash GetTransactionByID GetBlockByTxID',
    lscc: 'ChaincodeExists GetDeploymentSpec GetChaincodeData GetInstantiatedChaincodes GetCollectionsConfig',
  },
  Writers: {
    peer: 'Propose ChaincodeToChaincode',
    _lifecycle:
      'CommitChaincodeDefinition QueryChaincodeDefinition QueryChaincodeDefinitions CheckCommitReadiness',
  },
};

/** Resources for which peers use their own MSP or the policy of `peer/Propose`: an ACL has no effect. */
const OTHERS: Readonly<Record<string, string>> = {
  _lifecycle:
    'InstallChaincode QueryInstalledChaincode GetInstalledChaincodePackage QueryInstalledChaincodes ApproveChaincodeDefinitionForMyOrg QueryApprovedChaincodeDefinition QueryApprovedChaincodeDefinitions',
  snapshot: 'submitrequest cancelrequest listpending',
  lscc: 'Install Deploy Upgrade GetInstalledChaincodes',
  cscc: 'JoinChain JoinChainBySnapshot JoinBySnapshotStatus GetChannels',
};

const namesIn = (resources: Readonly<Record<string, string>>): string[] =>
  Object.entries(resources).flatMap(([part, names]) => names.split(' ').map((name) => `${part}/${name}`));

/** The paths of the default policies, by resource: `peer/Propose`, `/Channel/Application/Writers`. */
export const ACL_DEFAULTS: ReadonlyMap<string, string> = new Map(
  Object.entries(DEFAULTS).flatMap(([policy, resources]) =>
    namesIn(resources).map((name) => [name, `/Channel/Application/${policy}`] as const),
  ),
);

/** All resources: `peer/Propose`. */
export const ACL_RESOURCES: ReadonlySet<string> = new Set([...ACL_DEFAULTS.keys(), ...namesIn(OTHERS)]);

/** The path of the policy that an ACL names; undefined for an empty one, which has no effect (common/channelconfig/acls.go). */
export function aclPolicyPath(policyRef: string): string | undefined {
  if (policyRef === '') return undefined;
  return policyRef.startsWith('/') ? policyRef : `/Channel/Application/${policyRef}`;
}
