// The message names that configtxlator resolves, recorded from the programs of 2.5.12 and 3.0.0.

const words = (text: string): string[] => text.trim().split(/\s+/);

/** The Fabric messages that at least one of the two versions resolves, by package. */
export const FABRIC_NAMES: Readonly<Record<string, readonly string[]>> = {
  common: words(`
    ApplicationPolicy Block BlockData BlockDataHashingStructure BlockHeader BlockMetadata BlockchainInfo
    BootstrappingSnapshotInfo Capabilities Capability ChannelHeader CollectionConfig CollectionConfigPackage
    CollectionPolicyConfig CombinedPrincipal Config ConfigEnvelope ConfigGroup ConfigPolicy ConfigSignature
    ConfigUpdate ConfigUpdateEnvelope ConfigValue Consenter Consortium Envelope HashingAlgorithm Header
    IdentifierHeader ImplicitMetaPolicy LastConfig MSPIdentityAnonymity MSPPrincipal MSPRole Metadata
    MetadataSignature OrdererAddresses OrdererBlockMetadata Orderers OrganizationUnit Payload Policy
    SignatureHeader SignaturePolicy SignaturePolicy.NOutOf SignaturePolicyEnvelope StaticCollectionConfig
  `),
  etcdraft: words('BlockMetadata ClusterMetadata ConfigMetadata Consenter Options'),
  kvrwset: words(`
    HashedRWSet KVMetadataEntry KVMetadataWrite KVMetadataWriteHash KVRWSet KVRead KVReadHash KVWrite
    KVWriteHash QueryReads QueryReadsMerkleSummary RangeQueryInfo Version
  `),
  msp: words(`
    FabricCryptoConfig FabricMSPConfig FabricNodeOUs FabricOUIdentifier IdemixMSPConfig
    IdemixMSPSignerConfig KeyInfo MSPConfig SerializedIdemixIdentity SerializedIdentity SigningIdentityInfo
  `),
  orderer: words(`
    BatchSize BatchTimeout BlockAttestation BlockAttestationResponse BroadcastResponse ChannelRestrictions
    ClusterNodeServiceStepRequest ClusterNodeServiceStepResponse ConsensusRequest ConsensusType
    DeliverResponse KafkaBrokers KafkaMessage KafkaMessageConnect KafkaMessageRegular KafkaMessageTimeToCut
    KafkaMetadata NodeAuthRequest NodeConsensusRequest NodeTransactionOrderRequest SeekInfo SeekNewest
    SeekNextCommit SeekOldest SeekPosition SeekSpecified StepRequest StepResponse SubmitRequest
    SubmitResponse TransactionOrderResponse
  `),
  'orderer.smartbft': words('Options'),
  protos: words(`
    ACLs APIResource AnchorPeer AnchorPeers ApplicationPolicy BlockAndPrivateData CDSData ChaincodeAction
    ChaincodeActionPayload ChaincodeCall ChaincodeData ChaincodeDeploymentSpec ChaincodeEndorsedAction
    ChaincodeEndorsement ChaincodeEvent ChaincodeHeaderExtension ChaincodeID ChaincodeIdentifier
    ChaincodeInfo ChaincodeInput ChaincodeInterest ChaincodeInvocationSpec ChaincodeMessage
    ChaincodeProposalPayload ChaincodeQueryResponse ChaincodeSpec ChaincodeValidation ChannelInfo
    ChannelQueryResponse CollectionConfig CollectionConfigPackage CollectionPolicyConfig ConfigTree DelState
    DeliverResponse Endorsement FilteredBlock FilteredChaincodeAction FilteredTransaction
    FilteredTransactionActions GetHistoryForKey GetQueryResult GetState GetStateByRange GetStateMetadata
    JoinBySnapshotStatus LifecycleEvent ProcessedTransaction Proposal ProposalResponse
    ProposalResponsePayload PurgePrivateState PutState PutStateMetadata QueryMetadata
    QueryPendingSnapshotsResponse QueryResponse QueryResponseMetadata QueryResultBytes QueryStateClose
    QueryStateNext Response SignedChaincodeDeploymentSpec SignedProposal SignedSnapshotRequest SnapshotQuery
    SnapshotRequest StateMetadata StateMetadataResult StaticCollectionConfig Transaction TransactionAction
    VSCCArgs
  `),
  rwset: words(`
    CollectionHashedReadWriteSet CollectionPvtReadWriteSet NsPvtReadWriteSet NsReadWriteSet
    TxPvtReadWriteSet TxReadWriteSet
  `),
};

/** Those that 3.0.0 does not resolve. */
export const ONLY_IN_2_5: readonly string[] = words(`
  orderer.KafkaMessage orderer.KafkaMessageConnect orderer.KafkaMessageRegular orderer.KafkaMessageTimeToCut
  orderer.KafkaMetadata
`);

/** Those that 2.5.12 does not resolve. */
export const ONLY_IN_3_0: readonly string[] = words(`
  common.Consenter common.IdentifierHeader common.Orderers orderer.BlockAttestation
  orderer.BlockAttestationResponse orderer.ClusterNodeServiceStepRequest orderer.ClusterNodeServiceStepResponse
  orderer.NodeAuthRequest orderer.NodeConsensusRequest orderer.NodeTransactionOrderRequest
  orderer.TransactionOrderResponse orderer.smartbft.Options
`);

/** Messages of libraries that are linked into configtxlator. */
export const LINKED_NAMES: readonly string[] = words(`
  google.protobuf.Any google.protobuf.Duration google.protobuf.Empty google.protobuf.Timestamp
  google.rpc.Status grpc.binarylog.v1.Address grpc.binarylog.v1.ClientHeader grpc.binarylog.v1.GrpcLogEntry
  grpc.binarylog.v1.Message grpc.binarylog.v1.Metadata grpc.binarylog.v1.MetadataEntry
  grpc.binarylog.v1.ServerHeader grpc.binarylog.v1.Trailer
`);

/** Messages added to the resolvable packages after 3.0.0. */
export const NEWER_NAMES: readonly string[] = words(`
  protos.ChaincodeAdditionalParams protos.GetStateMultiple protos.GetStateMultipleResult
  protos.WriteBatchState protos.WriteRecord
`);

/** Packages used by nodes and clients of which configtxlator resolves no name. */
export const PACKAGES_WITHOUT_NAMES: readonly string[] = words(
  'discovery gateway gossip lifecycle queryresult transientstore',
);
