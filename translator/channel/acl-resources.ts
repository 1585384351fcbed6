// The resources of peers that an ACL can be set for (Fabric's core/aclmgmt/resources/resources.go).

/** The resources of peers 2.x and 3.x, by the part before the slash. */
const RESOURCES: Readonly<Record<string, string>> = {
  _lifecycle:
    'InstallChaincode QueryInstalledChaincode GetInstalledChaincodePackage QueryInstalledChaincodes ApproveChaincodeDefinitionForMyOrg QueryApprovedChaincodeDefinition QueryApprovedChaincodeDefinitions CommitChaincodeDefinition QueryChaincodeDefinition QueryChaincodeDefinitions CheckCommitReadiness',
  lscc: 'Install Deploy Upgrade ChaincodeExists GetDeploymentSpec GetChaincodeData GetInstantiatedChaincodes GetInstalledChaincodes GetCollectionsConfig',
  qscc: 'GetChainInfo GetBlockByNumber GetBlockByHash GetTransactionByID GetBlockByTxID',
  cscc: 'JoinChain JoinChainBySnapshot JoinBySnapshotStatus GetConfigBlock GetChannelConfig GetChannels',
  peer: 'Propose ChaincodeToChaincode',
  event: 'Block FilteredBlock',
};

/** Their names: `peer/Propose`. */
export const ACL_RESOURCES: ReadonlySet<string> = new Set(
  Object.entries(RESOURCES).flatMap(([part, names]) => names.split(' ').map((name) => `${part}/${name}`)),
);
