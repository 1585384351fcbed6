// Made by generate.ts from proto/schema. Do not edit: `npm run build` makes it anew.

import type { MessageType } from './message-type.js';

const NO_BYTES: Uint8Array = new Uint8Array();

/** `common.Block` */
export type CommonBlock = {
  readonly header: CommonBlockHeader | undefined;
  readonly data: CommonBlockData | undefined;
  readonly metadata: CommonBlockMetadata | undefined;
};
export const CommonBlock: MessageType<CommonBlock> = {
  name: 'common.Block',
  fields: [
    { number: 1, name: 'header', kind: 'message', rule: '', type: () => CommonBlockHeader },
    { number: 2, name: 'data', kind: 'message', rule: '', type: () => CommonBlockData },
    { number: 3, name: 'metadata', kind: 'message', rule: '', type: () => CommonBlockMetadata },
  ],
  empty: () => ({ header: undefined, data: undefined, metadata: undefined }),
};

/** `common.BlockDataHashingStructure` */
export type CommonBlockDataHashingStructure = {
  readonly width: number;
};
export const CommonBlockDataHashingStructure: MessageType<CommonBlockDataHashingStructure> = {
  name: 'common.BlockDataHashingStructure',
  fields: [
    { number: 1, name: 'width', kind: 'uint32', rule: '' },
  ],
  empty: () => ({ width: 0 }),
};

/** `common.Capabilities` */
export type CommonCapabilities = {
  readonly capabilities: ReadonlyMap<string, CommonCapability>;
};
export const CommonCapabilities: MessageType<CommonCapabilities> = {
  name: 'common.Capabilities',
  fields: [
    { number: 1, name: 'capabilities', kind: 'message', rule: 'map', type: () => CommonCapability },
  ],
  empty: () => ({ capabilities: new Map() }),
};

/** `common.ChannelHeader` */
export type CommonChannelHeader = {
  readonly type: number;
  readonly version: number;
  readonly timestamp: GoogleProtobufTimestamp | undefined;
  readonly channelId: string;
  readonly txId: string;
  readonly epoch: bigint;
  readonly extension: Uint8Array;
  readonly tlsCertHash: Uint8Array;
};
export const CommonChannelHeader: MessageType<CommonChannelHeader> = {
  name: 'common.ChannelHeader',
  fields: [
    { number: 1, name: 'type', kind: 'int32', rule: '' },
    { number: 2, name: 'version', kind: 'int32', rule: '' },
    { number: 3, name: 'timestamp', kind: 'message', rule: '', type: () => GoogleProtobufTimestamp },
    { number: 4, name: 'channelId', kind: 'string', rule: '' },
    { number: 5, name: 'txId', kind: 'string', rule: '' },
    { number: 6, name: 'epoch', kind: 'uint64', rule: '' },
    { number: 7, name: 'extension', kind: 'bytes', rule: '' },
    { number: 8, name: 'tlsCertHash', kind: 'bytes', rule: '' },
  ],
  empty: () => ({ type: 0, version: 0, timestamp: undefined, channelId: '', txId: '', epoch: 0n, extension: NO_BYTES, tlsCertHash: NO_BYTES }),
};

/** `common.CombinedPrincipal` */
export type CommonCombinedPrincipal = {
  readonly principals: readonly CommonMSPPrincipal[];
};
export const CommonCombinedPrincipal: MessageType<CommonCombinedPrincipal> = {
  name: 'common.CombinedPrincipal',
  fields: [
    { number: 1, name: 'principals', kind: 'message', rule: 'list', type: () => CommonMSPPrincipal },
  ],
  empty: () => ({ principals: [] }),
};

/** `common.ConfigEnvelope` */
export type CommonConfigEnvelope = {
  readonly config: CommonConfig | undefined;
  readonly lastUpdate: CommonEnvelope | undefined;
};
export const CommonConfigEnvelope: MessageType<CommonConfigEnvelope> = {
  name: 'common.ConfigEnvelope',
  fields: [
    { number: 1, name: 'config', kind: 'message', rule: '', type: () => CommonConfig },
    { number: 2, name: 'lastUpdate', kind: 'message', rule: '', type: () => CommonEnvelope },
  ],
  empty: () => ({ config: undefined, lastUpdate: undefined }),
};

/** `common.ConfigUpdate` */
export type CommonConfigUpdate = {
  readonly channelId: string;
  readonly readSet: CommonConfigGroup | undefined;
  readonly writeSet: CommonConfigGroup | undefined;
  readonly isolatedData: ReadonlyMap<string, Uint8Array>;
};
export const CommonConfigUpdate: MessageType<CommonConfigUpdate> = {
  name: 'common.ConfigUpdate',
  fields: [
    { number: 1, name: 'channelId', kind: 'string', rule: '' },
    { number: 2, name: 'readSet', kind: 'message', rule: '', type: () => CommonConfigGroup },
    { number: 3, name: 'writeSet', kind: 'message', rule: '', type: () => CommonConfigGroup },
    { number: 5, name: 'isolatedData', kind: 'bytes', rule: 'map' },
  ],
  empty: () => ({ channelId: '', readSet: undefined, writeSet: undefined, isolatedData: new Map() }),
};

/** `common.ConfigUpdateEnvelope` */
export type CommonConfigUpdateEnvelope = {
  readonly configUpdate: Uint8Array;
  readonly signatures: readonly CommonConfigSignature[];
};
export const CommonConfigUpdateEnvelope: MessageType<CommonConfigUpdateEnvelope> = {
  name: 'common.ConfigUpdateEnvelope',
  fields: [
    { number: 1, name: 'configUpdate', kind: 'bytes', rule: '' },
    { number: 2, name: 'signatures', kind: 'message', rule: 'list', type: () => CommonConfigSignature },
  ],
  empty: () => ({ configUpdate: NO_BYTES, signatures: [] }),
};

/** `common.Consortium` */
export type CommonConsortium = {
  readonly name: string;
};
export const CommonConsortium: MessageType<CommonConsortium> = {
  name: 'common.Consortium',
  fields: [
    { number: 1, name: 'name', kind: 'string', rule: '' },
  ],
  empty: () => ({ name: '' }),
};

/** `common.HashingAlgorithm` */
export type CommonHashingAlgorithm = {
  readonly name: string;
};
export const CommonHashingAlgorithm: MessageType<CommonHashingAlgorithm> = {
  name: 'common.HashingAlgorithm',
  fields: [
    { number: 1, name: 'name', kind: 'string', rule: '' },
  ],
  empty: () => ({ name: '' }),
};

/** `common.IdentifierHeader` */
export type CommonIdentifierHeader = {
  readonly identifier: number;
  readonly nonce: Uint8Array;
};
export const CommonIdentifierHeader: MessageType<CommonIdentifierHeader> = {
  name: 'common.IdentifierHeader',
  fields: [
    { number: 1, name: 'identifier', kind: 'uint32', rule: '' },
    { number: 2, name: 'nonce', kind: 'bytes', rule: '' },
  ],
  empty: () => ({ identifier: 0, nonce: NO_BYTES }),
};

/** `common.ImplicitMetaPolicy` */
export type CommonImplicitMetaPolicy = {
  readonly subPolicy: string;
  readonly rule: number;
};
export const CommonImplicitMetaPolicy: MessageType<CommonImplicitMetaPolicy> = {
  name: 'common.ImplicitMetaPolicy',
  fields: [
    { number: 1, name: 'subPolicy', kind: 'string', rule: '' },
    { number: 2, name: 'rule', kind: 'enum', rule: '' },
  ],
  empty: () => ({ subPolicy: '', rule: 0 }),
};

/** `common.LastConfig` */
export type CommonLastConfig = {
  readonly index: bigint;
};
export const CommonLastConfig: MessageType<CommonLastConfig> = {
  name: 'common.LastConfig',
  fields: [
    { number: 1, name: 'index', kind: 'uint64', rule: '' },
  ],
  empty: () => ({ index: 0n }),
};

/** `common.MSPIdentityAnonymity` */
export type CommonMSPIdentityAnonymity = {
  readonly anonymityType: number;
};
export const CommonMSPIdentityAnonymity: MessageType<CommonMSPIdentityAnonymity> = {
  name: 'common.MSPIdentityAnonymity',
  fields: [
    { number: 1, name: 'anonymityType', kind: 'enum', rule: '' },
  ],
  empty: () => ({ anonymityType: 0 }),
};

/** `common.MSPRole` */
export type CommonMSPRole = {
  readonly mspIdentifier: string;
  readonly role: number;
};
export const CommonMSPRole: MessageType<CommonMSPRole> = {
  name: 'common.MSPRole',
  fields: [
    { number: 1, name: 'mspIdentifier', kind: 'string', rule: '' },
    { number: 2, name: 'role', kind: 'enum', rule: '' },
  ],
  empty: () => ({ mspIdentifier: '', role: 0 }),
};

/** `common.Metadata` */
export type CommonMetadata = {
  readonly value: Uint8Array;
  readonly signatures: readonly CommonMetadataSignature[];
};
export const CommonMetadata: MessageType<CommonMetadata> = {
  name: 'common.Metadata',
  fields: [
    { number: 1, name: 'value', kind: 'bytes', rule: '' },
    { number: 2, name: 'signatures', kind: 'message', rule: 'list', type: () => CommonMetadataSignature },
  ],
  empty: () => ({ value: NO_BYTES, signatures: [] }),
};

/** `common.OrdererAddresses` */
export type CommonOrdererAddresses = {
  readonly addresses: readonly string[];
};
export const CommonOrdererAddresses: MessageType<CommonOrdererAddresses> = {
  name: 'common.OrdererAddresses',
  fields: [
    { number: 1, name: 'addresses', kind: 'string', rule: 'list' },
  ],
  empty: () => ({ addresses: [] }),
};

/** `common.OrdererBlockMetadata` */
export type CommonOrdererBlockMetadata = {
  readonly lastConfig: CommonLastConfig | undefined;
  readonly consenterMetadata: Uint8Array;
};
export const CommonOrdererBlockMetadata: MessageType<CommonOrdererBlockMetadata> = {
  name: 'common.OrdererBlockMetadata',
  fields: [
    { number: 1, name: 'lastConfig', kind: 'message', rule: '', type: () => CommonLastConfig },
    { number: 2, name: 'consenterMetadata', kind: 'bytes', rule: '' },
  ],
  empty: () => ({ lastConfig: undefined, consenterMetadata: NO_BYTES }),
};

/** `common.Orderers` */
export type CommonOrderers = {
  readonly consenterMapping: readonly CommonConsenter[];
};
export const CommonOrderers: MessageType<CommonOrderers> = {
  name: 'common.Orderers',
  fields: [
    { number: 1, name: 'consenterMapping', kind: 'message', rule: 'list', type: () => CommonConsenter },
  ],
  empty: () => ({ consenterMapping: [] }),
};

/** `common.OrganizationUnit` */
export type CommonOrganizationUnit = {
  readonly mspIdentifier: string;
  readonly organizationalUnitIdentifier: string;
  readonly certifiersIdentifier: Uint8Array;
};
export const CommonOrganizationUnit: MessageType<CommonOrganizationUnit> = {
  name: 'common.OrganizationUnit',
  fields: [
    { number: 1, name: 'mspIdentifier', kind: 'string', rule: '' },
    { number: 2, name: 'organizationalUnitIdentifier', kind: 'string', rule: '' },
    { number: 3, name: 'certifiersIdentifier', kind: 'bytes', rule: '' },
  ],
  empty: () => ({ mspIdentifier: '', organizationalUnitIdentifier: '', certifiersIdentifier: NO_BYTES }),
};

/** `common.Payload` */
export type CommonPayload = {
  readonly header: CommonHeader | undefined;
  readonly data: Uint8Array;
};
export const CommonPayload: MessageType<CommonPayload> = {
  name: 'common.Payload',
  fields: [
    { number: 1, name: 'header', kind: 'message', rule: '', type: () => CommonHeader },
    { number: 2, name: 'data', kind: 'bytes', rule: '' },
  ],
  empty: () => ({ header: undefined, data: NO_BYTES }),
};

/** `common.SignatureHeader` */
export type CommonSignatureHeader = {
  readonly creator: Uint8Array;
  readonly nonce: Uint8Array;
};
export const CommonSignatureHeader: MessageType<CommonSignatureHeader> = {
  name: 'common.SignatureHeader',
  fields: [
    { number: 1, name: 'creator', kind: 'bytes', rule: '' },
    { number: 2, name: 'nonce', kind: 'bytes', rule: '' },
  ],
  empty: () => ({ creator: NO_BYTES, nonce: NO_BYTES }),
};

/** `common.SignaturePolicyEnvelope` */
export type CommonSignaturePolicyEnvelope = {
  readonly version: number;
  readonly rule: CommonSignaturePolicy | undefined;
  readonly identities: readonly CommonMSPPrincipal[];
};
export const CommonSignaturePolicyEnvelope: MessageType<CommonSignaturePolicyEnvelope> = {
  name: 'common.SignaturePolicyEnvelope',
  fields: [
    { number: 1, name: 'version', kind: 'int32', rule: '' },
    { number: 2, name: 'rule', kind: 'message', rule: '', type: () => CommonSignaturePolicy },
    { number: 3, name: 'identities', kind: 'message', rule: 'list', type: () => CommonMSPPrincipal },
  ],
  empty: () => ({ version: 0, rule: undefined, identities: [] }),
};

/** `etcdraft.ConfigMetadata` */
export type EtcdraftConfigMetadata = {
  readonly consenters: readonly EtcdraftConsenter[];
  readonly options: EtcdraftOptions | undefined;
};
export const EtcdraftConfigMetadata: MessageType<EtcdraftConfigMetadata> = {
  name: 'etcdraft.ConfigMetadata',
  fields: [
    { number: 1, name: 'consenters', kind: 'message', rule: 'list', type: () => EtcdraftConsenter },
    { number: 2, name: 'options', kind: 'message', rule: '', type: () => EtcdraftOptions },
  ],
  empty: () => ({ consenters: [], options: undefined }),
};

/** `msp.FabricMSPConfig` */
export type MspFabricMSPConfig = {
  readonly name: string;
  readonly rootCerts: readonly Uint8Array[];
  readonly intermediateCerts: readonly Uint8Array[];
  readonly admins: readonly Uint8Array[];
  readonly revocationList: readonly Uint8Array[];
  readonly signingIdentity: MspSigningIdentityInfo | undefined;
  readonly organizationalUnitIdentifiers: readonly MspFabricOUIdentifier[];
  readonly cryptoConfig: MspFabricCryptoConfig | undefined;
  readonly tlsRootCerts: readonly Uint8Array[];
  readonly tlsIntermediateCerts: readonly Uint8Array[];
  readonly fabricNodeOus: MspFabricNodeOUs | undefined;
};
export const MspFabricMSPConfig: MessageType<MspFabricMSPConfig> = {
  name: 'msp.FabricMSPConfig',
  fields: [
    { number: 1, name: 'name', kind: 'string', rule: '' },
    { number: 2, name: 'rootCerts', kind: 'bytes', rule: 'list' },
    { number: 3, name: 'intermediateCerts', kind: 'bytes', rule: 'list' },
    { number: 4, name: 'admins', kind: 'bytes', rule: 'list' },
    { number: 5, name: 'revocationList', kind: 'bytes', rule: 'list' },
    { number: 6, name: 'signingIdentity', kind: 'message', rule: '', type: () => MspSigningIdentityInfo },
    { number: 7, name: 'organizationalUnitIdentifiers', kind: 'message', rule: 'list', type: () => MspFabricOUIdentifier },
    { number: 8, name: 'cryptoConfig', kind: 'message', rule: '', type: () => MspFabricCryptoConfig },
    { number: 9, name: 'tlsRootCerts', kind: 'bytes', rule: 'list' },
    { number: 10, name: 'tlsIntermediateCerts', kind: 'bytes', rule: 'list' },
    { number: 11, name: 'fabricNodeOus', kind: 'message', rule: '', type: () => MspFabricNodeOUs },
  ],
  empty: () => ({ name: '', rootCerts: [], intermediateCerts: [], admins: [], revocationList: [], signingIdentity: undefined, organizationalUnitIdentifiers: [], cryptoConfig: undefined, tlsRootCerts: [], tlsIntermediateCerts: [], fabricNodeOus: undefined }),
};

/** `msp.MSPConfig` */
export type MspMSPConfig = {
  readonly type: number;
  readonly config: Uint8Array;
};
export const MspMSPConfig: MessageType<MspMSPConfig> = {
  name: 'msp.MSPConfig',
  fields: [
    { number: 1, name: 'type', kind: 'int32', rule: '' },
    { number: 2, name: 'config', kind: 'bytes', rule: '' },
  ],
  empty: () => ({ type: 0, config: NO_BYTES }),
};

/** `msp.SerializedIdentity` */
export type MspSerializedIdentity = {
  readonly mspid: string;
  readonly idBytes: Uint8Array;
};
export const MspSerializedIdentity: MessageType<MspSerializedIdentity> = {
  name: 'msp.SerializedIdentity',
  fields: [
    { number: 1, name: 'mspid', kind: 'string', rule: '' },
    { number: 2, name: 'idBytes', kind: 'bytes', rule: '' },
  ],
  empty: () => ({ mspid: '', idBytes: NO_BYTES }),
};

/** `orderer.BatchSize` */
export type OrdererBatchSize = {
  readonly maxMessageCount: number;
  readonly absoluteMaxBytes: number;
  readonly preferredMaxBytes: number;
};
export const OrdererBatchSize: MessageType<OrdererBatchSize> = {
  name: 'orderer.BatchSize',
  fields: [
    { number: 1, name: 'maxMessageCount', kind: 'uint32', rule: '' },
    { number: 2, name: 'absoluteMaxBytes', kind: 'uint32', rule: '' },
    { number: 3, name: 'preferredMaxBytes', kind: 'uint32', rule: '' },
  ],
  empty: () => ({ maxMessageCount: 0, absoluteMaxBytes: 0, preferredMaxBytes: 0 }),
};

/** `orderer.BatchTimeout` */
export type OrdererBatchTimeout = {
  readonly timeout: string;
};
export const OrdererBatchTimeout: MessageType<OrdererBatchTimeout> = {
  name: 'orderer.BatchTimeout',
  fields: [
    { number: 1, name: 'timeout', kind: 'string', rule: '' },
  ],
  empty: () => ({ timeout: '' }),
};

/** `orderer.BroadcastResponse` */
export type OrdererBroadcastResponse = {
  readonly status: number;
  readonly info: string;
};
export const OrdererBroadcastResponse: MessageType<OrdererBroadcastResponse> = {
  name: 'orderer.BroadcastResponse',
  fields: [
    { number: 1, name: 'status', kind: 'enum', rule: '' },
    { number: 2, name: 'info', kind: 'string', rule: '' },
  ],
  empty: () => ({ status: 0, info: '' }),
};

/** `orderer.ChannelRestrictions` */
export type OrdererChannelRestrictions = {
  readonly maxCount: bigint;
};
export const OrdererChannelRestrictions: MessageType<OrdererChannelRestrictions> = {
  name: 'orderer.ChannelRestrictions',
  fields: [
    { number: 1, name: 'maxCount', kind: 'uint64', rule: '' },
  ],
  empty: () => ({ maxCount: 0n }),
};

/** `orderer.ConsensusType` */
export type OrdererConsensusType = {
  readonly type: string;
  readonly metadata: Uint8Array;
  readonly state: number;
};
export const OrdererConsensusType: MessageType<OrdererConsensusType> = {
  name: 'orderer.ConsensusType',
  fields: [
    { number: 1, name: 'type', kind: 'string', rule: '' },
    { number: 2, name: 'metadata', kind: 'bytes', rule: '' },
    { number: 3, name: 'state', kind: 'enum', rule: '' },
  ],
  empty: () => ({ type: '', metadata: NO_BYTES, state: 0 }),
};

/** `orderer.DeliverResponse` */
export type OrdererDeliverResponse = {
  readonly status: number | undefined;
  readonly block: CommonBlock | undefined;
};
export const OrdererDeliverResponse: MessageType<OrdererDeliverResponse> = {
  name: 'orderer.DeliverResponse',
  fields: [
    { number: 1, name: 'status', kind: 'enum', rule: 'oneof', oneof: 'Type' },
    { number: 2, name: 'block', kind: 'message', rule: 'oneof', oneof: 'Type', type: () => CommonBlock },
  ],
  empty: () => ({ status: undefined, block: undefined }),
};

/** `orderer.KafkaBrokers` */
export type OrdererKafkaBrokers = {
  readonly brokers: readonly string[];
};
export const OrdererKafkaBrokers: MessageType<OrdererKafkaBrokers> = {
  name: 'orderer.KafkaBrokers',
  fields: [
    { number: 1, name: 'brokers', kind: 'string', rule: 'list' },
  ],
  empty: () => ({ brokers: [] }),
};

/** `orderer.SeekInfo` */
export type OrdererSeekInfo = {
  readonly start: OrdererSeekPosition | undefined;
  readonly stop: OrdererSeekPosition | undefined;
  readonly behavior: number;
  readonly errorResponse: number;
  readonly contentType: number;
};
export const OrdererSeekInfo: MessageType<OrdererSeekInfo> = {
  name: 'orderer.SeekInfo',
  fields: [
    { number: 1, name: 'start', kind: 'message', rule: '', type: () => OrdererSeekPosition },
    { number: 2, name: 'stop', kind: 'message', rule: '', type: () => OrdererSeekPosition },
    { number: 3, name: 'behavior', kind: 'enum', rule: '' },
    { number: 4, name: 'errorResponse', kind: 'enum', rule: '' },
    { number: 5, name: 'contentType', kind: 'enum', rule: '' },
  ],
  empty: () => ({ start: undefined, stop: undefined, behavior: 0, errorResponse: 0, contentType: 0 }),
};

/** `orderer.smartbft.Options` */
export type OrdererSmartbftOptions = {
  readonly requestBatchMaxCount: bigint;
  readonly requestBatchMaxBytes: bigint;
  readonly requestBatchMaxInterval: string;
  readonly incomingMessageBufferSize: bigint;
  readonly requestPoolSize: bigint;
  readonly requestForwardTimeout: string;
  readonly requestComplainTimeout: string;
  readonly requestAutoRemoveTimeout: string;
  readonly requestMaxBytes: bigint;
  readonly viewChangeResendInterval: string;
  readonly viewChangeTimeout: string;
  readonly leaderHeartbeatTimeout: string;
  readonly leaderHeartbeatCount: bigint;
  readonly collectTimeout: string;
  readonly syncOnStart: boolean;
  readonly speedUpViewChange: boolean;
  readonly leaderRotation: number;
  readonly decisionsPerLeader: bigint;
};
export const OrdererSmartbftOptions: MessageType<OrdererSmartbftOptions> = {
  name: 'orderer.smartbft.Options',
  fields: [
    { number: 1, name: 'requestBatchMaxCount', kind: 'uint64', rule: '' },
    { number: 2, name: 'requestBatchMaxBytes', kind: 'uint64', rule: '' },
    { number: 3, name: 'requestBatchMaxInterval', kind: 'string', rule: '' },
    { number: 4, name: 'incomingMessageBufferSize', kind: 'uint64', rule: '' },
    { number: 5, name: 'requestPoolSize', kind: 'uint64', rule: '' },
    { number: 6, name: 'requestForwardTimeout', kind: 'string', rule: '' },
    { number: 7, name: 'requestComplainTimeout', kind: 'string', rule: '' },
    { number: 8, name: 'requestAutoRemoveTimeout', kind: 'string', rule: '' },
    { number: 9, name: 'requestMaxBytes', kind: 'uint64', rule: '' },
    { number: 10, name: 'viewChangeResendInterval', kind: 'string', rule: '' },
    { number: 11, name: 'viewChangeTimeout', kind: 'string', rule: '' },
    { number: 12, name: 'leaderHeartbeatTimeout', kind: 'string', rule: '' },
    { number: 13, name: 'leaderHeartbeatCount', kind: 'uint64', rule: '' },
    { number: 14, name: 'collectTimeout', kind: 'string', rule: '' },
    { number: 15, name: 'syncOnStart', kind: 'bool', rule: '' },
    { number: 16, name: 'speedUpViewChange', kind: 'bool', rule: '' },
    { number: 17, name: 'leaderRotation', kind: 'enum', rule: '' },
    { number: 18, name: 'decisionsPerLeader', kind: 'uint64', rule: '' },
  ],
  empty: () => ({ requestBatchMaxCount: 0n, requestBatchMaxBytes: 0n, requestBatchMaxInterval: '', incomingMessageBufferSize: 0n, requestPoolSize: 0n, requestForwardTimeout: '', requestComplainTimeout: '', requestAutoRemoveTimeout: '', requestMaxBytes: 0n, viewChangeResendInterval: '', viewChangeTimeout: '', leaderHeartbeatTimeout: '', leaderHeartbeatCount: 0n, collectTimeout: '', syncOnStart: false, speedUpViewChange: false, leaderRotation: 0, decisionsPerLeader: 0n }),
};

/** `protos.ACLs` */
export type ProtosACLs = {
  readonly acls: ReadonlyMap<string, ProtosAPIResource>;
};
export const ProtosACLs: MessageType<ProtosACLs> = {
  name: 'protos.ACLs',
  fields: [
    { number: 1, name: 'acls', kind: 'message', rule: 'map', type: () => ProtosAPIResource },
  ],
  empty: () => ({ acls: new Map() }),
};

/** `protos.AnchorPeers` */
export type ProtosAnchorPeers = {
  readonly anchorPeers: readonly ProtosAnchorPeer[];
};
export const ProtosAnchorPeers: MessageType<ProtosAnchorPeers> = {
  name: 'protos.AnchorPeers',
  fields: [
    { number: 1, name: 'anchorPeers', kind: 'message', rule: 'list', type: () => ProtosAnchorPeer },
  ],
  empty: () => ({ anchorPeers: [] }),
};

/** `common.BlockHeader` */
export type CommonBlockHeader = {
  readonly number: bigint;
  readonly previousHash: Uint8Array;
  readonly dataHash: Uint8Array;
};
export const CommonBlockHeader: MessageType<CommonBlockHeader> = {
  name: 'common.BlockHeader',
  fields: [
    { number: 1, name: 'number', kind: 'uint64', rule: '' },
    { number: 2, name: 'previousHash', kind: 'bytes', rule: '' },
    { number: 3, name: 'dataHash', kind: 'bytes', rule: '' },
  ],
  empty: () => ({ number: 0n, previousHash: NO_BYTES, dataHash: NO_BYTES }),
};

/** `common.BlockData` */
export type CommonBlockData = {
  readonly data: readonly Uint8Array[];
};
export const CommonBlockData: MessageType<CommonBlockData> = {
  name: 'common.BlockData',
  fields: [
    { number: 1, name: 'data', kind: 'bytes', rule: 'list' },
  ],
  empty: () => ({ data: [] }),
};

/** `common.BlockMetadata` */
export type CommonBlockMetadata = {
  readonly metadata: readonly Uint8Array[];
};
export const CommonBlockMetadata: MessageType<CommonBlockMetadata> = {
  name: 'common.BlockMetadata',
  fields: [
    { number: 1, name: 'metadata', kind: 'bytes', rule: 'list' },
  ],
  empty: () => ({ metadata: [] }),
};

/** `common.Capability` */
export type CommonCapability = {
};
export const CommonCapability: MessageType<CommonCapability> = {
  name: 'common.Capability',
  fields: [
  ],
  empty: () => ({  }),
};

/** `google.protobuf.Timestamp` */
export type GoogleProtobufTimestamp = {
  readonly seconds: bigint;
  readonly nanos: number;
};
export const GoogleProtobufTimestamp: MessageType<GoogleProtobufTimestamp> = {
  name: 'google.protobuf.Timestamp',
  fields: [
    { number: 1, name: 'seconds', kind: 'int64', rule: '' },
    { number: 2, name: 'nanos', kind: 'int32', rule: '' },
  ],
  empty: () => ({ seconds: 0n, nanos: 0 }),
};

/** `common.MSPPrincipal` */
export type CommonMSPPrincipal = {
  readonly principalClassification: number;
  readonly principal: Uint8Array;
};
export const CommonMSPPrincipal: MessageType<CommonMSPPrincipal> = {
  name: 'common.MSPPrincipal',
  fields: [
    { number: 1, name: 'principalClassification', kind: 'enum', rule: '' },
    { number: 2, name: 'principal', kind: 'bytes', rule: '' },
  ],
  empty: () => ({ principalClassification: 0, principal: NO_BYTES }),
};

/** `common.Config` */
export type CommonConfig = {
  readonly sequence: bigint;
  readonly channelGroup: CommonConfigGroup | undefined;
};
export const CommonConfig: MessageType<CommonConfig> = {
  name: 'common.Config',
  fields: [
    { number: 1, name: 'sequence', kind: 'uint64', rule: '' },
    { number: 2, name: 'channelGroup', kind: 'message', rule: '', type: () => CommonConfigGroup },
  ],
  empty: () => ({ sequence: 0n, channelGroup: undefined }),
};

/** `common.Envelope` */
export type CommonEnvelope = {
  readonly payload: Uint8Array;
  readonly signature: Uint8Array;
};
export const CommonEnvelope: MessageType<CommonEnvelope> = {
  name: 'common.Envelope',
  fields: [
    { number: 1, name: 'payload', kind: 'bytes', rule: '' },
    { number: 2, name: 'signature', kind: 'bytes', rule: '' },
  ],
  empty: () => ({ payload: NO_BYTES, signature: NO_BYTES }),
};

/** `common.ConfigGroup` */
export type CommonConfigGroup = {
  readonly version: bigint;
  readonly groups: ReadonlyMap<string, CommonConfigGroup>;
  readonly values: ReadonlyMap<string, CommonConfigValue>;
  readonly policies: ReadonlyMap<string, CommonConfigPolicy>;
  readonly modPolicy: string;
};
export const CommonConfigGroup: MessageType<CommonConfigGroup> = {
  name: 'common.ConfigGroup',
  fields: [
    { number: 1, name: 'version', kind: 'uint64', rule: '' },
    { number: 2, name: 'groups', kind: 'message', rule: 'map', type: () => CommonConfigGroup },
    { number: 3, name: 'values', kind: 'message', rule: 'map', type: () => CommonConfigValue },
    { number: 4, name: 'policies', kind: 'message', rule: 'map', type: () => CommonConfigPolicy },
    { number: 5, name: 'modPolicy', kind: 'string', rule: '' },
  ],
  empty: () => ({ version: 0n, groups: new Map(), values: new Map(), policies: new Map(), modPolicy: '' }),
};

/** `common.ConfigSignature` */
export type CommonConfigSignature = {
  readonly signatureHeader: Uint8Array;
  readonly signature: Uint8Array;
};
export const CommonConfigSignature: MessageType<CommonConfigSignature> = {
  name: 'common.ConfigSignature',
  fields: [
    { number: 1, name: 'signatureHeader', kind: 'bytes', rule: '' },
    { number: 2, name: 'signature', kind: 'bytes', rule: '' },
  ],
  empty: () => ({ signatureHeader: NO_BYTES, signature: NO_BYTES }),
};

/** `common.MetadataSignature` */
export type CommonMetadataSignature = {
  readonly signatureHeader: Uint8Array;
  readonly signature: Uint8Array;
  readonly identifierHeader: Uint8Array;
};
export const CommonMetadataSignature: MessageType<CommonMetadataSignature> = {
  name: 'common.MetadataSignature',
  fields: [
    { number: 1, name: 'signatureHeader', kind: 'bytes', rule: '' },
    { number: 2, name: 'signature', kind: 'bytes', rule: '' },
    { number: 3, name: 'identifierHeader', kind: 'bytes', rule: '' },
  ],
  empty: () => ({ signatureHeader: NO_BYTES, signature: NO_BYTES, identifierHeader: NO_BYTES }),
};

/** `common.Consenter` */
export type CommonConsenter = {
  readonly id: number;
  readonly host: string;
  readonly port: number;
  readonly mspId: string;
  readonly identity: Uint8Array;
  readonly clientTlsCert: Uint8Array;
  readonly serverTlsCert: Uint8Array;
};
export const CommonConsenter: MessageType<CommonConsenter> = {
  name: 'common.Consenter',
  fields: [
    { number: 1, name: 'id', kind: 'uint32', rule: '' },
    { number: 2, name: 'host', kind: 'string', rule: '' },
    { number: 3, name: 'port', kind: 'uint32', rule: '' },
    { number: 4, name: 'mspId', kind: 'string', rule: '' },
    { number: 5, name: 'identity', kind: 'bytes', rule: '' },
    { number: 6, name: 'clientTlsCert', kind: 'bytes', rule: '' },
    { number: 7, name: 'serverTlsCert', kind: 'bytes', rule: '' },
  ],
  empty: () => ({ id: 0, host: '', port: 0, mspId: '', identity: NO_BYTES, clientTlsCert: NO_BYTES, serverTlsCert: NO_BYTES }),
};

/** `common.Header` */
export type CommonHeader = {
  readonly channelHeader: Uint8Array;
  readonly signatureHeader: Uint8Array;
};
export const CommonHeader: MessageType<CommonHeader> = {
  name: 'common.Header',
  fields: [
    { number: 1, name: 'channelHeader', kind: 'bytes', rule: '' },
    { number: 2, name: 'signatureHeader', kind: 'bytes', rule: '' },
  ],
  empty: () => ({ channelHeader: NO_BYTES, signatureHeader: NO_BYTES }),
};

/** `common.SignaturePolicy` */
export type CommonSignaturePolicy = {
  readonly signedBy: number | undefined;
  readonly nOutOf: CommonSignaturePolicyNOutOf | undefined;
};
export const CommonSignaturePolicy: MessageType<CommonSignaturePolicy> = {
  name: 'common.SignaturePolicy',
  fields: [
    { number: 1, name: 'signedBy', kind: 'int32', rule: 'oneof', oneof: 'Type' },
    { number: 2, name: 'nOutOf', kind: 'message', rule: 'oneof', oneof: 'Type', type: () => CommonSignaturePolicyNOutOf },
  ],
  empty: () => ({ signedBy: undefined, nOutOf: undefined }),
};

/** `etcdraft.Consenter` */
export type EtcdraftConsenter = {
  readonly host: string;
  readonly port: number;
  readonly clientTlsCert: Uint8Array;
  readonly serverTlsCert: Uint8Array;
};
export const EtcdraftConsenter: MessageType<EtcdraftConsenter> = {
  name: 'etcdraft.Consenter',
  fields: [
    { number: 1, name: 'host', kind: 'string', rule: '' },
    { number: 2, name: 'port', kind: 'uint32', rule: '' },
    { number: 3, name: 'clientTlsCert', kind: 'bytes', rule: '' },
    { number: 4, name: 'serverTlsCert', kind: 'bytes', rule: '' },
  ],
  empty: () => ({ host: '', port: 0, clientTlsCert: NO_BYTES, serverTlsCert: NO_BYTES }),
};

/** `etcdraft.Options` */
export type EtcdraftOptions = {
  readonly tickInterval: string;
  readonly electionTick: number;
  readonly heartbeatTick: number;
  readonly maxInflightBlocks: number;
  readonly snapshotIntervalSize: number;
};
export const EtcdraftOptions: MessageType<EtcdraftOptions> = {
  name: 'etcdraft.Options',
  fields: [
    { number: 1, name: 'tickInterval', kind: 'string', rule: '' },
    { number: 2, name: 'electionTick', kind: 'uint32', rule: '' },
    { number: 3, name: 'heartbeatTick', kind: 'uint32', rule: '' },
    { number: 4, name: 'maxInflightBlocks', kind: 'uint32', rule: '' },
    { number: 5, name: 'snapshotIntervalSize', kind: 'uint32', rule: '' },
  ],
  empty: () => ({ tickInterval: '', electionTick: 0, heartbeatTick: 0, maxInflightBlocks: 0, snapshotIntervalSize: 0 }),
};

/** `msp.SigningIdentityInfo` */
export type MspSigningIdentityInfo = {
  readonly publicSigner: Uint8Array;
  readonly privateSigner: MspKeyInfo | undefined;
};
export const MspSigningIdentityInfo: MessageType<MspSigningIdentityInfo> = {
  name: 'msp.SigningIdentityInfo',
  fields: [
    { number: 1, name: 'publicSigner', kind: 'bytes', rule: '' },
    { number: 2, name: 'privateSigner', kind: 'message', rule: '', type: () => MspKeyInfo },
  ],
  empty: () => ({ publicSigner: NO_BYTES, privateSigner: undefined }),
};

/** `msp.FabricOUIdentifier` */
export type MspFabricOUIdentifier = {
  readonly certificate: Uint8Array;
  readonly organizationalUnitIdentifier: string;
};
export const MspFabricOUIdentifier: MessageType<MspFabricOUIdentifier> = {
  name: 'msp.FabricOUIdentifier',
  fields: [
    { number: 1, name: 'certificate', kind: 'bytes', rule: '' },
    { number: 2, name: 'organizationalUnitIdentifier', kind: 'string', rule: '' },
  ],
  empty: () => ({ certificate: NO_BYTES, organizationalUnitIdentifier: '' }),
};

/** `msp.FabricCryptoConfig` */
export type MspFabricCryptoConfig = {
  readonly signatureHashFamily: string;
  readonly identityIdentifierHashFunction: string;
};
export const MspFabricCryptoConfig: MessageType<MspFabricCryptoConfig> = {
  name: 'msp.FabricCryptoConfig',
  fields: [
    { number: 1, name: 'signatureHashFamily', kind: 'string', rule: '' },
    { number: 2, name: 'identityIdentifierHashFunction', kind: 'string', rule: '' },
  ],
  empty: () => ({ signatureHashFamily: '', identityIdentifierHashFunction: '' }),
};

/** `msp.FabricNodeOUs` */
export type MspFabricNodeOUs = {
  readonly enable: boolean;
  readonly clientOuIdentifier: MspFabricOUIdentifier | undefined;
  readonly peerOuIdentifier: MspFabricOUIdentifier | undefined;
  readonly adminOuIdentifier: MspFabricOUIdentifier | undefined;
  readonly ordererOuIdentifier: MspFabricOUIdentifier | undefined;
};
export const MspFabricNodeOUs: MessageType<MspFabricNodeOUs> = {
  name: 'msp.FabricNodeOUs',
  fields: [
    { number: 1, name: 'enable', kind: 'bool', rule: '' },
    { number: 2, name: 'clientOuIdentifier', kind: 'message', rule: '', type: () => MspFabricOUIdentifier },
    { number: 3, name: 'peerOuIdentifier', kind: 'message', rule: '', type: () => MspFabricOUIdentifier },
    { number: 4, name: 'adminOuIdentifier', kind: 'message', rule: '', type: () => MspFabricOUIdentifier },
    { number: 5, name: 'ordererOuIdentifier', kind: 'message', rule: '', type: () => MspFabricOUIdentifier },
  ],
  empty: () => ({ enable: false, clientOuIdentifier: undefined, peerOuIdentifier: undefined, adminOuIdentifier: undefined, ordererOuIdentifier: undefined }),
};

/** `orderer.SeekPosition` */
export type OrdererSeekPosition = {
  readonly newest: OrdererSeekNewest | undefined;
  readonly oldest: OrdererSeekOldest | undefined;
  readonly specified: OrdererSeekSpecified | undefined;
  readonly nextCommit: OrdererSeekNextCommit | undefined;
};
export const OrdererSeekPosition: MessageType<OrdererSeekPosition> = {
  name: 'orderer.SeekPosition',
  fields: [
    { number: 1, name: 'newest', kind: 'message', rule: 'oneof', oneof: 'Type', type: () => OrdererSeekNewest },
    { number: 2, name: 'oldest', kind: 'message', rule: 'oneof', oneof: 'Type', type: () => OrdererSeekOldest },
    { number: 3, name: 'specified', kind: 'message', rule: 'oneof', oneof: 'Type', type: () => OrdererSeekSpecified },
    { number: 4, name: 'nextCommit', kind: 'message', rule: 'oneof', oneof: 'Type', type: () => OrdererSeekNextCommit },
  ],
  empty: () => ({ newest: undefined, oldest: undefined, specified: undefined, nextCommit: undefined }),
};

/** `protos.APIResource` */
export type ProtosAPIResource = {
  readonly policyRef: string;
};
export const ProtosAPIResource: MessageType<ProtosAPIResource> = {
  name: 'protos.APIResource',
  fields: [
    { number: 1, name: 'policyRef', kind: 'string', rule: '' },
  ],
  empty: () => ({ policyRef: '' }),
};

/** `protos.AnchorPeer` */
export type ProtosAnchorPeer = {
  readonly host: string;
  readonly port: number;
};
export const ProtosAnchorPeer: MessageType<ProtosAnchorPeer> = {
  name: 'protos.AnchorPeer',
  fields: [
    { number: 1, name: 'host', kind: 'string', rule: '' },
    { number: 2, name: 'port', kind: 'int32', rule: '' },
  ],
  empty: () => ({ host: '', port: 0 }),
};

/** `common.ConfigValue` */
export type CommonConfigValue = {
  readonly version: bigint;
  readonly value: Uint8Array;
  readonly modPolicy: string;
};
export const CommonConfigValue: MessageType<CommonConfigValue> = {
  name: 'common.ConfigValue',
  fields: [
    { number: 1, name: 'version', kind: 'uint64', rule: '' },
    { number: 2, name: 'value', kind: 'bytes', rule: '' },
    { number: 3, name: 'modPolicy', kind: 'string', rule: '' },
  ],
  empty: () => ({ version: 0n, value: NO_BYTES, modPolicy: '' }),
};

/** `common.ConfigPolicy` */
export type CommonConfigPolicy = {
  readonly version: bigint;
  readonly policy: CommonPolicy | undefined;
  readonly modPolicy: string;
};
export const CommonConfigPolicy: MessageType<CommonConfigPolicy> = {
  name: 'common.ConfigPolicy',
  fields: [
    { number: 1, name: 'version', kind: 'uint64', rule: '' },
    { number: 2, name: 'policy', kind: 'message', rule: '', type: () => CommonPolicy },
    { number: 3, name: 'modPolicy', kind: 'string', rule: '' },
  ],
  empty: () => ({ version: 0n, policy: undefined, modPolicy: '' }),
};

/** `common.SignaturePolicy.NOutOf` */
export type CommonSignaturePolicyNOutOf = {
  readonly n: number;
  readonly rules: readonly CommonSignaturePolicy[];
};
export const CommonSignaturePolicyNOutOf: MessageType<CommonSignaturePolicyNOutOf> = {
  name: 'common.SignaturePolicy.NOutOf',
  fields: [
    { number: 1, name: 'n', kind: 'int32', rule: '' },
    { number: 2, name: 'rules', kind: 'message', rule: 'list', type: () => CommonSignaturePolicy },
  ],
  empty: () => ({ n: 0, rules: [] }),
};

/** `msp.KeyInfo` */
export type MspKeyInfo = {
  readonly keyIdentifier: string;
  readonly keyMaterial: Uint8Array;
};
export const MspKeyInfo: MessageType<MspKeyInfo> = {
  name: 'msp.KeyInfo',
  fields: [
    { number: 1, name: 'keyIdentifier', kind: 'string', rule: '' },
    { number: 2, name: 'keyMaterial', kind: 'bytes', rule: '' },
  ],
  empty: () => ({ keyIdentifier: '', keyMaterial: NO_BYTES }),
};

/** `orderer.SeekNewest` */
export type OrdererSeekNewest = {
};
export const OrdererSeekNewest: MessageType<OrdererSeekNewest> = {
  name: 'orderer.SeekNewest',
  fields: [
  ],
  empty: () => ({  }),
};

/** `orderer.SeekOldest` */
export type OrdererSeekOldest = {
};
export const OrdererSeekOldest: MessageType<OrdererSeekOldest> = {
  name: 'orderer.SeekOldest',
  fields: [
  ],
  empty: () => ({  }),
};

/** `orderer.SeekSpecified` */
export type OrdererSeekSpecified = {
  readonly number: bigint;
};
export const OrdererSeekSpecified: MessageType<OrdererSeekSpecified> = {
  name: 'orderer.SeekSpecified',
  fields: [
    { number: 1, name: 'number', kind: 'uint64', rule: '' },
  ],
  empty: () => ({ number: 0n }),
};

/** `orderer.SeekNextCommit` */
export type OrdererSeekNextCommit = {
};
export const OrdererSeekNextCommit: MessageType<OrdererSeekNextCommit> = {
  name: 'orderer.SeekNextCommit',
  fields: [
  ],
  empty: () => ({  }),
};

/** `common.Policy` */
export type CommonPolicy = {
  readonly type: number;
  readonly value: Uint8Array;
};
export const CommonPolicy: MessageType<CommonPolicy> = {
  name: 'common.Policy',
  fields: [
    { number: 1, name: 'type', kind: 'int32', rule: '' },
    { number: 2, name: 'value', kind: 'bytes', rule: '' },
  ],
  empty: () => ({ type: 0, value: NO_BYTES }),
};
