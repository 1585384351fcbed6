// Made by generate.ts from proto/schema. Do not edit: `npm run generate` writes it.

import { messageType, type MessageType } from './typed.js';

const NO_BYTES: Uint8Array = new Uint8Array();

/** `common.Block` */
export type CommonBlock = {
  readonly header: CommonBlockHeader | undefined;
  readonly data: CommonBlockData | undefined;
  readonly metadata: CommonBlockMetadata | undefined;
};
export const CommonBlock: MessageType<CommonBlock> = /* @__PURE__ */ messageType({
  name: 'common.Block',
  fields: [
    { number: 1, name: 'header', kind: 'message', rule: '', type: () => CommonBlockHeader },
    { number: 2, name: 'data', kind: 'message', rule: '', type: () => CommonBlockData },
    { number: 3, name: 'metadata', kind: 'message', rule: '', type: () => CommonBlockMetadata },
  ],
  empty: () => ({ header: undefined, data: undefined, metadata: undefined }),
});

/** `common.BlockDataHashingStructure` */
export type CommonBlockDataHashingStructure = {
  readonly width: number;
};
export const CommonBlockDataHashingStructure: MessageType<CommonBlockDataHashingStructure> = /* @__PURE__ */ messageType({
  name: 'common.BlockDataHashingStructure',
  fields: [
    { number: 1, name: 'width', kind: 'uint32', rule: '' },
  ],
  empty: () => ({ width: 0 }),
});

/** `common.Capabilities` */
export type CommonCapabilities = {
  readonly capabilities: ReadonlyMap<string, CommonCapability>;
};
export const CommonCapabilities: MessageType<CommonCapabilities> = /* @__PURE__ */ messageType({
  name: 'common.Capabilities',
  fields: [
    { number: 1, name: 'capabilities', kind: 'message', rule: 'map', type: () => CommonCapability },
  ],
  empty: () => ({ capabilities: new Map() }),
});

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
export const CommonChannelHeader: MessageType<CommonChannelHeader> = /* @__PURE__ */ messageType({
  name: 'common.ChannelHeader',
  fields: [
    { number: 1, name: 'type', kind: 'int32', rule: '' },
    { number: 2, name: 'version', kind: 'int32', rule: '' },
    { number: 3, name: 'timestamp', kind: 'message', rule: '', type: () => GoogleProtobufTimestamp },
    { number: 4, name: 'channel_id', jsonName: 'channelId', kind: 'string', rule: '' },
    { number: 5, name: 'tx_id', jsonName: 'txId', kind: 'string', rule: '' },
    { number: 6, name: 'epoch', kind: 'uint64', rule: '' },
    { number: 7, name: 'extension', kind: 'bytes', rule: '' },
    { number: 8, name: 'tls_cert_hash', jsonName: 'tlsCertHash', kind: 'bytes', rule: '' },
  ],
  empty: () => ({ type: 0, version: 0, timestamp: undefined, channelId: '', txId: '', epoch: 0n, extension: NO_BYTES, tlsCertHash: NO_BYTES }),
});

/** `common.CombinedPrincipal` */
export type CommonCombinedPrincipal = {
  readonly principals: readonly CommonMSPPrincipal[];
};
export const CommonCombinedPrincipal: MessageType<CommonCombinedPrincipal> = /* @__PURE__ */ messageType({
  name: 'common.CombinedPrincipal',
  fields: [
    { number: 1, name: 'principals', kind: 'message', rule: 'list', type: () => CommonMSPPrincipal },
  ],
  empty: () => ({ principals: [] }),
});

/** `common.ConfigEnvelope` */
export type CommonConfigEnvelope = {
  readonly config: CommonConfig | undefined;
  readonly lastUpdate: CommonEnvelope | undefined;
};
export const CommonConfigEnvelope: MessageType<CommonConfigEnvelope> = /* @__PURE__ */ messageType({
  name: 'common.ConfigEnvelope',
  fields: [
    { number: 1, name: 'config', kind: 'message', rule: '', type: () => CommonConfig },
    { number: 2, name: 'last_update', jsonName: 'lastUpdate', kind: 'message', rule: '', type: () => CommonEnvelope },
  ],
  empty: () => ({ config: undefined, lastUpdate: undefined }),
});

/** `common.ConfigUpdate` */
export type CommonConfigUpdate = {
  readonly channelId: string;
  readonly readSet: CommonConfigGroup | undefined;
  readonly writeSet: CommonConfigGroup | undefined;
  readonly isolatedData: ReadonlyMap<string, Uint8Array>;
};
export const CommonConfigUpdate: MessageType<CommonConfigUpdate> = /* @__PURE__ */ messageType({
  name: 'common.ConfigUpdate',
  fields: [
    { number: 1, name: 'channel_id', jsonName: 'channelId', kind: 'string', rule: '' },
    { number: 2, name: 'read_set', jsonName: 'readSet', kind: 'message', rule: '', type: () => CommonConfigGroup },
    { number: 3, name: 'write_set', jsonName: 'writeSet', kind: 'message', rule: '', type: () => CommonConfigGroup },
    { number: 5, name: 'isolated_data', jsonName: 'isolatedData', kind: 'bytes', rule: 'map' },
  ],
  empty: () => ({ channelId: '', readSet: undefined, writeSet: undefined, isolatedData: new Map() }),
});

/** `common.ConfigUpdateEnvelope` */
export type CommonConfigUpdateEnvelope = {
  readonly configUpdate: Uint8Array;
  readonly signatures: readonly CommonConfigSignature[];
};
export const CommonConfigUpdateEnvelope: MessageType<CommonConfigUpdateEnvelope> = /* @__PURE__ */ messageType({
  name: 'common.ConfigUpdateEnvelope',
  fields: [
    { number: 1, name: 'config_update', jsonName: 'configUpdate', kind: 'bytes', rule: '' },
    { number: 2, name: 'signatures', kind: 'message', rule: 'list', type: () => CommonConfigSignature },
  ],
  empty: () => ({ configUpdate: NO_BYTES, signatures: [] }),
});

/** `common.Consortium` */
export type CommonConsortium = {
  readonly name: string;
};
export const CommonConsortium: MessageType<CommonConsortium> = /* @__PURE__ */ messageType({
  name: 'common.Consortium',
  fields: [
    { number: 1, name: 'name', kind: 'string', rule: '' },
  ],
  empty: () => ({ name: '' }),
});

/** `common.HashingAlgorithm` */
export type CommonHashingAlgorithm = {
  readonly name: string;
};
export const CommonHashingAlgorithm: MessageType<CommonHashingAlgorithm> = /* @__PURE__ */ messageType({
  name: 'common.HashingAlgorithm',
  fields: [
    { number: 1, name: 'name', kind: 'string', rule: '' },
  ],
  empty: () => ({ name: '' }),
});

/** `common.IdentifierHeader` */
export type CommonIdentifierHeader = {
  readonly identifier: number;
  readonly nonce: Uint8Array;
};
export const CommonIdentifierHeader: MessageType<CommonIdentifierHeader> = /* @__PURE__ */ messageType({
  name: 'common.IdentifierHeader',
  fields: [
    { number: 1, name: 'identifier', kind: 'uint32', rule: '' },
    { number: 2, name: 'nonce', kind: 'bytes', rule: '' },
  ],
  empty: () => ({ identifier: 0, nonce: NO_BYTES }),
});

/** `common.ImplicitMetaPolicy` */
export type CommonImplicitMetaPolicy = {
  readonly subPolicy: string;
  readonly rule: number;
};
export const CommonImplicitMetaPolicy: MessageType<CommonImplicitMetaPolicy> = /* @__PURE__ */ messageType({
  name: 'common.ImplicitMetaPolicy',
  fields: [
    { number: 1, name: 'sub_policy', jsonName: 'subPolicy', kind: 'string', rule: '' },
    { number: 2, name: 'rule', kind: 'enum', rule: '' },
  ],
  empty: () => ({ subPolicy: '', rule: 0 }),
});

/** `common.LastConfig` */
export type CommonLastConfig = {
  readonly index: bigint;
};
export const CommonLastConfig: MessageType<CommonLastConfig> = /* @__PURE__ */ messageType({
  name: 'common.LastConfig',
  fields: [
    { number: 1, name: 'index', kind: 'uint64', rule: '' },
  ],
  empty: () => ({ index: 0n }),
});

/** `common.MSPIdentityAnonymity` */
export type CommonMSPIdentityAnonymity = {
  readonly anonymityType: number;
};
export const CommonMSPIdentityAnonymity: MessageType<CommonMSPIdentityAnonymity> = /* @__PURE__ */ messageType({
  name: 'common.MSPIdentityAnonymity',
  fields: [
    { number: 1, name: 'anonymity_type', jsonName: 'anonymityType', kind: 'enum', rule: '' },
  ],
  empty: () => ({ anonymityType: 0 }),
});

/** `common.MSPRole` */
export type CommonMSPRole = {
  readonly mspIdentifier: string;
  readonly role: number;
};
export const CommonMSPRole: MessageType<CommonMSPRole> = /* @__PURE__ */ messageType({
  name: 'common.MSPRole',
  fields: [
    { number: 1, name: 'msp_identifier', jsonName: 'mspIdentifier', kind: 'string', rule: '' },
    { number: 2, name: 'role', kind: 'enum', rule: '' },
  ],
  empty: () => ({ mspIdentifier: '', role: 0 }),
});

/** `common.Metadata` */
export type CommonMetadata = {
  readonly value: Uint8Array;
  readonly signatures: readonly CommonMetadataSignature[];
};
export const CommonMetadata: MessageType<CommonMetadata> = /* @__PURE__ */ messageType({
  name: 'common.Metadata',
  fields: [
    { number: 1, name: 'value', kind: 'bytes', rule: '' },
    { number: 2, name: 'signatures', kind: 'message', rule: 'list', type: () => CommonMetadataSignature },
  ],
  empty: () => ({ value: NO_BYTES, signatures: [] }),
});

/** `common.OrdererAddresses` */
export type CommonOrdererAddresses = {
  readonly addresses: readonly string[];
};
export const CommonOrdererAddresses: MessageType<CommonOrdererAddresses> = /* @__PURE__ */ messageType({
  name: 'common.OrdererAddresses',
  fields: [
    { number: 1, name: 'addresses', kind: 'string', rule: 'list' },
  ],
  empty: () => ({ addresses: [] }),
});

/** `common.OrdererBlockMetadata` */
export type CommonOrdererBlockMetadata = {
  readonly lastConfig: CommonLastConfig | undefined;
  readonly consenterMetadata: Uint8Array;
};
export const CommonOrdererBlockMetadata: MessageType<CommonOrdererBlockMetadata> = /* @__PURE__ */ messageType({
  name: 'common.OrdererBlockMetadata',
  fields: [
    { number: 1, name: 'last_config', jsonName: 'lastConfig', kind: 'message', rule: '', type: () => CommonLastConfig },
    { number: 2, name: 'consenter_metadata', jsonName: 'consenterMetadata', kind: 'bytes', rule: '' },
  ],
  empty: () => ({ lastConfig: undefined, consenterMetadata: NO_BYTES }),
});

/** `common.Orderers` */
export type CommonOrderers = {
  readonly consenterMapping: readonly CommonConsenter[];
};
export const CommonOrderers: MessageType<CommonOrderers> = /* @__PURE__ */ messageType({
  name: 'common.Orderers',
  fields: [
    { number: 1, name: 'consenter_mapping', jsonName: 'consenterMapping', kind: 'message', rule: 'list', type: () => CommonConsenter },
  ],
  empty: () => ({ consenterMapping: [] }),
});

/** `common.OrganizationUnit` */
export type CommonOrganizationUnit = {
  readonly mspIdentifier: string;
  readonly organizationalUnitIdentifier: string;
  readonly certifiersIdentifier: Uint8Array;
};
export const CommonOrganizationUnit: MessageType<CommonOrganizationUnit> = /* @__PURE__ */ messageType({
  name: 'common.OrganizationUnit',
  fields: [
    { number: 1, name: 'msp_identifier', jsonName: 'mspIdentifier', kind: 'string', rule: '' },
    { number: 2, name: 'organizational_unit_identifier', jsonName: 'organizationalUnitIdentifier', kind: 'string', rule: '' },
    { number: 3, name: 'certifiers_identifier', jsonName: 'certifiersIdentifier', kind: 'bytes', rule: '' },
  ],
  empty: () => ({ mspIdentifier: '', organizationalUnitIdentifier: '', certifiersIdentifier: NO_BYTES }),
});

/** `common.Payload` */
export type CommonPayload = {
  readonly header: CommonHeader | undefined;
  readonly data: Uint8Array;
};
export const CommonPayload: MessageType<CommonPayload> = /* @__PURE__ */ messageType({
  name: 'common.Payload',
  fields: [
    { number: 1, name: 'header', kind: 'message', rule: '', type: () => CommonHeader },
    { number: 2, name: 'data', kind: 'bytes', rule: '' },
  ],
  empty: () => ({ header: undefined, data: NO_BYTES }),
});

/** `common.SignatureHeader` */
export type CommonSignatureHeader = {
  readonly creator: Uint8Array;
  readonly nonce: Uint8Array;
};
export const CommonSignatureHeader: MessageType<CommonSignatureHeader> = /* @__PURE__ */ messageType({
  name: 'common.SignatureHeader',
  fields: [
    { number: 1, name: 'creator', kind: 'bytes', rule: '' },
    { number: 2, name: 'nonce', kind: 'bytes', rule: '' },
  ],
  empty: () => ({ creator: NO_BYTES, nonce: NO_BYTES }),
});

/** `common.SignaturePolicyEnvelope` */
export type CommonSignaturePolicyEnvelope = {
  readonly version: number;
  readonly rule: CommonSignaturePolicy | undefined;
  readonly identities: readonly CommonMSPPrincipal[];
};
export const CommonSignaturePolicyEnvelope: MessageType<CommonSignaturePolicyEnvelope> = /* @__PURE__ */ messageType({
  name: 'common.SignaturePolicyEnvelope',
  fields: [
    { number: 1, name: 'version', kind: 'int32', rule: '' },
    { number: 2, name: 'rule', kind: 'message', rule: '', type: () => CommonSignaturePolicy },
    { number: 3, name: 'identities', kind: 'message', rule: 'list', type: () => CommonMSPPrincipal },
  ],
  empty: () => ({ version: 0, rule: undefined, identities: [] }),
});

/** `etcdraft.ConfigMetadata` */
export type EtcdraftConfigMetadata = {
  readonly consenters: readonly EtcdraftConsenter[];
  readonly options: EtcdraftOptions | undefined;
};
export const EtcdraftConfigMetadata: MessageType<EtcdraftConfigMetadata> = /* @__PURE__ */ messageType({
  name: 'etcdraft.ConfigMetadata',
  fields: [
    { number: 1, name: 'consenters', kind: 'message', rule: 'list', type: () => EtcdraftConsenter },
    { number: 2, name: 'options', kind: 'message', rule: '', type: () => EtcdraftOptions },
  ],
  empty: () => ({ consenters: [], options: undefined }),
});

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
export const MspFabricMSPConfig: MessageType<MspFabricMSPConfig> = /* @__PURE__ */ messageType({
  name: 'msp.FabricMSPConfig',
  fields: [
    { number: 1, name: 'name', kind: 'string', rule: '' },
    { number: 2, name: 'root_certs', jsonName: 'rootCerts', kind: 'bytes', rule: 'list' },
    { number: 3, name: 'intermediate_certs', jsonName: 'intermediateCerts', kind: 'bytes', rule: 'list' },
    { number: 4, name: 'admins', kind: 'bytes', rule: 'list' },
    { number: 5, name: 'revocation_list', jsonName: 'revocationList', kind: 'bytes', rule: 'list' },
    { number: 6, name: 'signing_identity', jsonName: 'signingIdentity', kind: 'message', rule: '', type: () => MspSigningIdentityInfo },
    { number: 7, name: 'organizational_unit_identifiers', jsonName: 'organizationalUnitIdentifiers', kind: 'message', rule: 'list', type: () => MspFabricOUIdentifier },
    { number: 8, name: 'crypto_config', jsonName: 'cryptoConfig', kind: 'message', rule: '', type: () => MspFabricCryptoConfig },
    { number: 9, name: 'tls_root_certs', jsonName: 'tlsRootCerts', kind: 'bytes', rule: 'list' },
    { number: 10, name: 'tls_intermediate_certs', jsonName: 'tlsIntermediateCerts', kind: 'bytes', rule: 'list' },
    { number: 11, name: 'fabric_node_ous', jsonName: 'fabricNodeOus', kind: 'message', rule: '', type: () => MspFabricNodeOUs },
  ],
  empty: () => ({ name: '', rootCerts: [], intermediateCerts: [], admins: [], revocationList: [], signingIdentity: undefined, organizationalUnitIdentifiers: [], cryptoConfig: undefined, tlsRootCerts: [], tlsIntermediateCerts: [], fabricNodeOus: undefined }),
});

/** `msp.MSPConfig` */
export type MspMSPConfig = {
  readonly type: number;
  readonly config: Uint8Array;
};
export const MspMSPConfig: MessageType<MspMSPConfig> = /* @__PURE__ */ messageType({
  name: 'msp.MSPConfig',
  fields: [
    { number: 1, name: 'type', kind: 'int32', rule: '' },
    { number: 2, name: 'config', kind: 'bytes', rule: '' },
  ],
  empty: () => ({ type: 0, config: NO_BYTES }),
});

/** `msp.SerializedIdentity` */
export type MspSerializedIdentity = {
  readonly mspid: string;
  readonly idBytes: Uint8Array;
};
export const MspSerializedIdentity: MessageType<MspSerializedIdentity> = /* @__PURE__ */ messageType({
  name: 'msp.SerializedIdentity',
  fields: [
    { number: 1, name: 'mspid', kind: 'string', rule: '' },
    { number: 2, name: 'id_bytes', jsonName: 'idBytes', kind: 'bytes', rule: '' },
  ],
  empty: () => ({ mspid: '', idBytes: NO_BYTES }),
});

/** `orderer.BatchSize` */
export type OrdererBatchSize = {
  readonly maxMessageCount: number;
  readonly absoluteMaxBytes: number;
  readonly preferredMaxBytes: number;
};
export const OrdererBatchSize: MessageType<OrdererBatchSize> = /* @__PURE__ */ messageType({
  name: 'orderer.BatchSize',
  fields: [
    { number: 1, name: 'max_message_count', jsonName: 'maxMessageCount', kind: 'uint32', rule: '' },
    { number: 2, name: 'absolute_max_bytes', jsonName: 'absoluteMaxBytes', kind: 'uint32', rule: '' },
    { number: 3, name: 'preferred_max_bytes', jsonName: 'preferredMaxBytes', kind: 'uint32', rule: '' },
  ],
  empty: () => ({ maxMessageCount: 0, absoluteMaxBytes: 0, preferredMaxBytes: 0 }),
});

/** `orderer.BatchTimeout` */
export type OrdererBatchTimeout = {
  readonly timeout: string;
};
export const OrdererBatchTimeout: MessageType<OrdererBatchTimeout> = /* @__PURE__ */ messageType({
  name: 'orderer.BatchTimeout',
  fields: [
    { number: 1, name: 'timeout', kind: 'string', rule: '' },
  ],
  empty: () => ({ timeout: '' }),
});

/** `orderer.BroadcastResponse` */
export type OrdererBroadcastResponse = {
  readonly status: number;
  readonly info: string;
};
export const OrdererBroadcastResponse: MessageType<OrdererBroadcastResponse> = /* @__PURE__ */ messageType({
  name: 'orderer.BroadcastResponse',
  fields: [
    { number: 1, name: 'status', kind: 'enum', rule: '' },
    { number: 2, name: 'info', kind: 'string', rule: '' },
  ],
  empty: () => ({ status: 0, info: '' }),
});

/** `orderer.ChannelRestrictions` */
export type OrdererChannelRestrictions = {
  readonly maxCount: bigint;
};
export const OrdererChannelRestrictions: MessageType<OrdererChannelRestrictions> = /* @__PURE__ */ messageType({
  name: 'orderer.ChannelRestrictions',
  fields: [
    { number: 1, name: 'max_count', jsonName: 'maxCount', kind: 'uint64', rule: '' },
  ],
  empty: () => ({ maxCount: 0n }),
});

/** `orderer.ConsensusType` */
export type OrdererConsensusType = {
  readonly type: string;
  readonly metadata: Uint8Array;
  readonly state: number;
};
export const OrdererConsensusType: MessageType<OrdererConsensusType> = /* @__PURE__ */ messageType({
  name: 'orderer.ConsensusType',
  fields: [
    { number: 1, name: 'type', kind: 'string', rule: '' },
    { number: 2, name: 'metadata', kind: 'bytes', rule: '' },
    { number: 3, name: 'state', kind: 'enum', rule: '' },
  ],
  empty: () => ({ type: '', metadata: NO_BYTES, state: 0 }),
});

/** `orderer.DeliverResponse` */
export type OrdererDeliverResponse = {
  readonly status: number | undefined;
  readonly block: CommonBlock | undefined;
};
export const OrdererDeliverResponse: MessageType<OrdererDeliverResponse> = /* @__PURE__ */ messageType({
  name: 'orderer.DeliverResponse',
  fields: [
    { number: 1, name: 'status', kind: 'enum', rule: 'oneof', oneof: 'Type' },
    { number: 2, name: 'block', kind: 'message', rule: 'oneof', oneof: 'Type', type: () => CommonBlock },
  ],
  empty: () => ({ status: undefined, block: undefined }),
});

/** `orderer.KafkaBrokers` */
export type OrdererKafkaBrokers = {
  readonly brokers: readonly string[];
};
export const OrdererKafkaBrokers: MessageType<OrdererKafkaBrokers> = /* @__PURE__ */ messageType({
  name: 'orderer.KafkaBrokers',
  fields: [
    { number: 1, name: 'brokers', kind: 'string', rule: 'list' },
  ],
  empty: () => ({ brokers: [] }),
});

/** `orderer.SeekInfo` */
export type OrdererSeekInfo = {
  readonly start: OrdererSeekPosition | undefined;
  readonly stop: OrdererSeekPosition | undefined;
  readonly behavior: number;
  readonly errorResponse: number;
  readonly contentType: number;
};
export const OrdererSeekInfo: MessageType<OrdererSeekInfo> = /* @__PURE__ */ messageType({
  name: 'orderer.SeekInfo',
  fields: [
    { number: 1, name: 'start', kind: 'message', rule: '', type: () => OrdererSeekPosition },
    { number: 2, name: 'stop', kind: 'message', rule: '', type: () => OrdererSeekPosition },
    { number: 3, name: 'behavior', kind: 'enum', rule: '' },
    { number: 4, name: 'error_response', jsonName: 'errorResponse', kind: 'enum', rule: '' },
    { number: 5, name: 'content_type', jsonName: 'contentType', kind: 'enum', rule: '' },
  ],
  empty: () => ({ start: undefined, stop: undefined, behavior: 0, errorResponse: 0, contentType: 0 }),
});

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
export const OrdererSmartbftOptions: MessageType<OrdererSmartbftOptions> = /* @__PURE__ */ messageType({
  name: 'orderer.smartbft.Options',
  fields: [
    { number: 1, name: 'request_batch_max_count', jsonName: 'requestBatchMaxCount', kind: 'uint64', rule: '' },
    { number: 2, name: 'request_batch_max_bytes', jsonName: 'requestBatchMaxBytes', kind: 'uint64', rule: '' },
    { number: 3, name: 'request_batch_max_interval', jsonName: 'requestBatchMaxInterval', kind: 'string', rule: '' },
    { number: 4, name: 'incoming_message_buffer_size', jsonName: 'incomingMessageBufferSize', kind: 'uint64', rule: '' },
    { number: 5, name: 'request_pool_size', jsonName: 'requestPoolSize', kind: 'uint64', rule: '' },
    { number: 6, name: 'request_forward_timeout', jsonName: 'requestForwardTimeout', kind: 'string', rule: '' },
    { number: 7, name: 'request_complain_timeout', jsonName: 'requestComplainTimeout', kind: 'string', rule: '' },
    { number: 8, name: 'request_auto_remove_timeout', jsonName: 'requestAutoRemoveTimeout', kind: 'string', rule: '' },
    { number: 9, name: 'request_max_bytes', jsonName: 'requestMaxBytes', kind: 'uint64', rule: '' },
    { number: 10, name: 'view_change_resend_interval', jsonName: 'viewChangeResendInterval', kind: 'string', rule: '' },
    { number: 11, name: 'view_change_timeout', jsonName: 'viewChangeTimeout', kind: 'string', rule: '' },
    { number: 12, name: 'leader_heartbeat_timeout', jsonName: 'leaderHeartbeatTimeout', kind: 'string', rule: '' },
    { number: 13, name: 'leader_heartbeat_count', jsonName: 'leaderHeartbeatCount', kind: 'uint64', rule: '' },
    { number: 14, name: 'collect_timeout', jsonName: 'collectTimeout', kind: 'string', rule: '' },
    { number: 15, name: 'sync_on_start', jsonName: 'syncOnStart', kind: 'bool', rule: '' },
    { number: 16, name: 'speed_up_view_change', jsonName: 'speedUpViewChange', kind: 'bool', rule: '' },
    { number: 17, name: 'leader_rotation', jsonName: 'leaderRotation', kind: 'enum', rule: '' },
    { number: 18, name: 'decisions_per_leader', jsonName: 'decisionsPerLeader', kind: 'uint64', rule: '' },
  ],
  empty: () => ({ requestBatchMaxCount: 0n, requestBatchMaxBytes: 0n, requestBatchMaxInterval: '', incomingMessageBufferSize: 0n, requestPoolSize: 0n, requestForwardTimeout: '', requestComplainTimeout: '', requestAutoRemoveTimeout: '', requestMaxBytes: 0n, viewChangeResendInterval: '', viewChangeTimeout: '', leaderHeartbeatTimeout: '', leaderHeartbeatCount: 0n, collectTimeout: '', syncOnStart: false, speedUpViewChange: false, leaderRotation: 0, decisionsPerLeader: 0n }),
});

/** `protos.ACLs` */
export type ProtosACLs = {
  readonly acls: ReadonlyMap<string, ProtosAPIResource>;
};
export const ProtosACLs: MessageType<ProtosACLs> = /* @__PURE__ */ messageType({
  name: 'protos.ACLs',
  fields: [
    { number: 1, name: 'acls', kind: 'message', rule: 'map', type: () => ProtosAPIResource },
  ],
  empty: () => ({ acls: new Map() }),
});

/** `protos.AnchorPeers` */
export type ProtosAnchorPeers = {
  readonly anchorPeers: readonly ProtosAnchorPeer[];
};
export const ProtosAnchorPeers: MessageType<ProtosAnchorPeers> = /* @__PURE__ */ messageType({
  name: 'protos.AnchorPeers',
  fields: [
    { number: 1, name: 'anchor_peers', jsonName: 'anchorPeers', kind: 'message', rule: 'list', type: () => ProtosAnchorPeer },
  ],
  empty: () => ({ anchorPeers: [] }),
});

/** `common.BlockHeader` */
export type CommonBlockHeader = {
  readonly number: bigint;
  readonly previousHash: Uint8Array;
  readonly dataHash: Uint8Array;
};
export const CommonBlockHeader: MessageType<CommonBlockHeader> = /* @__PURE__ */ messageType({
  name: 'common.BlockHeader',
  fields: [
    { number: 1, name: 'number', kind: 'uint64', rule: '' },
    { number: 2, name: 'previous_hash', jsonName: 'previousHash', kind: 'bytes', rule: '' },
    { number: 3, name: 'data_hash', jsonName: 'dataHash', kind: 'bytes', rule: '' },
  ],
  empty: () => ({ number: 0n, previousHash: NO_BYTES, dataHash: NO_BYTES }),
});

/** `common.BlockData` */
export type CommonBlockData = {
  readonly data: readonly Uint8Array[];
};
export const CommonBlockData: MessageType<CommonBlockData> = /* @__PURE__ */ messageType({
  name: 'common.BlockData',
  fields: [
    { number: 1, name: 'data', kind: 'bytes', rule: 'list' },
  ],
  empty: () => ({ data: [] }),
});

/** `common.BlockMetadata` */
export type CommonBlockMetadata = {
  readonly metadata: readonly Uint8Array[];
};
export const CommonBlockMetadata: MessageType<CommonBlockMetadata> = /* @__PURE__ */ messageType({
  name: 'common.BlockMetadata',
  fields: [
    { number: 1, name: 'metadata', kind: 'bytes', rule: 'list' },
  ],
  empty: () => ({ metadata: [] }),
});

/** `common.Capability` */
export type CommonCapability = {
};
export const CommonCapability: MessageType<CommonCapability> = /* @__PURE__ */ messageType({
  name: 'common.Capability',
  fields: [
  ],
  empty: () => ({  }),
});

/** `google.protobuf.Timestamp` */
export type GoogleProtobufTimestamp = {
  readonly seconds: bigint;
  readonly nanos: number;
};
export const GoogleProtobufTimestamp: MessageType<GoogleProtobufTimestamp> = /* @__PURE__ */ messageType({
  name: 'google.protobuf.Timestamp',
  fields: [
    { number: 1, name: 'seconds', kind: 'int64', rule: '' },
    { number: 2, name: 'nanos', kind: 'int32', rule: '' },
  ],
  empty: () => ({ seconds: 0n, nanos: 0 }),
});

/** `common.MSPPrincipal` */
export type CommonMSPPrincipal = {
  readonly principalClassification: number;
  readonly principal: Uint8Array;
};
export const CommonMSPPrincipal: MessageType<CommonMSPPrincipal> = /* @__PURE__ */ messageType({
  name: 'common.MSPPrincipal',
  fields: [
    { number: 1, name: 'principal_classification', jsonName: 'principalClassification', kind: 'enum', rule: '' },
    { number: 2, name: 'principal', kind: 'bytes', rule: '' },
  ],
  empty: () => ({ principalClassification: 0, principal: NO_BYTES }),
});

/** `common.Config` */
export type CommonConfig = {
  readonly sequence: bigint;
  readonly channelGroup: CommonConfigGroup | undefined;
};
export const CommonConfig: MessageType<CommonConfig> = /* @__PURE__ */ messageType({
  name: 'common.Config',
  fields: [
    { number: 1, name: 'sequence', kind: 'uint64', rule: '' },
    { number: 2, name: 'channel_group', jsonName: 'channelGroup', kind: 'message', rule: '', type: () => CommonConfigGroup },
  ],
  empty: () => ({ sequence: 0n, channelGroup: undefined }),
});

/** `common.Envelope` */
export type CommonEnvelope = {
  readonly payload: Uint8Array;
  readonly signature: Uint8Array;
};
export const CommonEnvelope: MessageType<CommonEnvelope> = /* @__PURE__ */ messageType({
  name: 'common.Envelope',
  fields: [
    { number: 1, name: 'payload', kind: 'bytes', rule: '' },
    { number: 2, name: 'signature', kind: 'bytes', rule: '' },
  ],
  empty: () => ({ payload: NO_BYTES, signature: NO_BYTES }),
});

/** `common.ConfigGroup` */
export type CommonConfigGroup = {
  readonly version: bigint;
  readonly groups: ReadonlyMap<string, CommonConfigGroup>;
  readonly values: ReadonlyMap<string, CommonConfigValue>;
  readonly policies: ReadonlyMap<string, CommonConfigPolicy>;
  readonly modPolicy: string;
};
export const CommonConfigGroup: MessageType<CommonConfigGroup> = /* @__PURE__ */ messageType({
  name: 'common.ConfigGroup',
  fields: [
    { number: 1, name: 'version', kind: 'uint64', rule: '' },
    { number: 2, name: 'groups', kind: 'message', rule: 'map', type: () => CommonConfigGroup },
    { number: 3, name: 'values', kind: 'message', rule: 'map', type: () => CommonConfigValue },
    { number: 4, name: 'policies', kind: 'message', rule: 'map', type: () => CommonConfigPolicy },
    { number: 5, name: 'mod_policy', jsonName: 'modPolicy', kind: 'string', rule: '' },
  ],
  empty: () => ({ version: 0n, groups: new Map(), values: new Map(), policies: new Map(), modPolicy: '' }),
});

/** `common.ConfigSignature` */
export type CommonConfigSignature = {
  readonly signatureHeader: Uint8Array;
  readonly signature: Uint8Array;
};
export const CommonConfigSignature: MessageType<CommonConfigSignature> = /* @__PURE__ */ messageType({
  name: 'common.ConfigSignature',
  fields: [
    { number: 1, name: 'signature_header', jsonName: 'signatureHeader', kind: 'bytes', rule: '' },
    { number: 2, name: 'signature', kind: 'bytes', rule: '' },
  ],
  empty: () => ({ signatureHeader: NO_BYTES, signature: NO_BYTES }),
});

/** `common.MetadataSignature` */
export type CommonMetadataSignature = {
  readonly signatureHeader: Uint8Array;
  readonly signature: Uint8Array;
  readonly identifierHeader: Uint8Array;
};
export const CommonMetadataSignature: MessageType<CommonMetadataSignature> = /* @__PURE__ */ messageType({
  name: 'common.MetadataSignature',
  fields: [
    { number: 1, name: 'signature_header', jsonName: 'signatureHeader', kind: 'bytes', rule: '' },
    { number: 2, name: 'signature', kind: 'bytes', rule: '' },
    { number: 3, name: 'identifier_header', jsonName: 'identifierHeader', kind: 'bytes', rule: '' },
  ],
  empty: () => ({ signatureHeader: NO_BYTES, signature: NO_BYTES, identifierHeader: NO_BYTES }),
});

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
export const CommonConsenter: MessageType<CommonConsenter> = /* @__PURE__ */ messageType({
  name: 'common.Consenter',
  fields: [
    { number: 1, name: 'id', kind: 'uint32', rule: '' },
    { number: 2, name: 'host', kind: 'string', rule: '' },
    { number: 3, name: 'port', kind: 'uint32', rule: '' },
    { number: 4, name: 'msp_id', jsonName: 'mspId', kind: 'string', rule: '' },
    { number: 5, name: 'identity', kind: 'bytes', rule: '' },
    { number: 6, name: 'client_tls_cert', jsonName: 'clientTlsCert', kind: 'bytes', rule: '' },
    { number: 7, name: 'server_tls_cert', jsonName: 'serverTlsCert', kind: 'bytes', rule: '' },
  ],
  empty: () => ({ id: 0, host: '', port: 0, mspId: '', identity: NO_BYTES, clientTlsCert: NO_BYTES, serverTlsCert: NO_BYTES }),
});

/** `common.Header` */
export type CommonHeader = {
  readonly channelHeader: Uint8Array;
  readonly signatureHeader: Uint8Array;
};
export const CommonHeader: MessageType<CommonHeader> = /* @__PURE__ */ messageType({
  name: 'common.Header',
  fields: [
    { number: 1, name: 'channel_header', jsonName: 'channelHeader', kind: 'bytes', rule: '' },
    { number: 2, name: 'signature_header', jsonName: 'signatureHeader', kind: 'bytes', rule: '' },
  ],
  empty: () => ({ channelHeader: NO_BYTES, signatureHeader: NO_BYTES }),
});

/** `common.SignaturePolicy` */
export type CommonSignaturePolicy = {
  readonly signedBy: number | undefined;
  readonly nOutOf: CommonSignaturePolicyNOutOf | undefined;
};
export const CommonSignaturePolicy: MessageType<CommonSignaturePolicy> = /* @__PURE__ */ messageType({
  name: 'common.SignaturePolicy',
  fields: [
    { number: 1, name: 'signed_by', jsonName: 'signedBy', kind: 'int32', rule: 'oneof', oneof: 'Type' },
    { number: 2, name: 'n_out_of', jsonName: 'nOutOf', kind: 'message', rule: 'oneof', oneof: 'Type', type: () => CommonSignaturePolicyNOutOf },
  ],
  empty: () => ({ signedBy: undefined, nOutOf: undefined }),
});

/** `etcdraft.Consenter` */
export type EtcdraftConsenter = {
  readonly host: string;
  readonly port: number;
  readonly clientTlsCert: Uint8Array;
  readonly serverTlsCert: Uint8Array;
};
export const EtcdraftConsenter: MessageType<EtcdraftConsenter> = /* @__PURE__ */ messageType({
  name: 'etcdraft.Consenter',
  fields: [
    { number: 1, name: 'host', kind: 'string', rule: '' },
    { number: 2, name: 'port', kind: 'uint32', rule: '' },
    { number: 3, name: 'client_tls_cert', jsonName: 'clientTlsCert', kind: 'bytes', rule: '' },
    { number: 4, name: 'server_tls_cert', jsonName: 'serverTlsCert', kind: 'bytes', rule: '' },
  ],
  empty: () => ({ host: '', port: 0, clientTlsCert: NO_BYTES, serverTlsCert: NO_BYTES }),
});

/** `etcdraft.Options` */
export type EtcdraftOptions = {
  readonly tickInterval: string;
  readonly electionTick: number;
  readonly heartbeatTick: number;
  readonly maxInflightBlocks: number;
  readonly snapshotIntervalSize: number;
};
export const EtcdraftOptions: MessageType<EtcdraftOptions> = /* @__PURE__ */ messageType({
  name: 'etcdraft.Options',
  fields: [
    { number: 1, name: 'tick_interval', jsonName: 'tickInterval', kind: 'string', rule: '' },
    { number: 2, name: 'election_tick', jsonName: 'electionTick', kind: 'uint32', rule: '' },
    { number: 3, name: 'heartbeat_tick', jsonName: 'heartbeatTick', kind: 'uint32', rule: '' },
    { number: 4, name: 'max_inflight_blocks', jsonName: 'maxInflightBlocks', kind: 'uint32', rule: '' },
    { number: 5, name: 'snapshot_interval_size', jsonName: 'snapshotIntervalSize', kind: 'uint32', rule: '' },
  ],
  empty: () => ({ tickInterval: '', electionTick: 0, heartbeatTick: 0, maxInflightBlocks: 0, snapshotIntervalSize: 0 }),
});

/** `msp.SigningIdentityInfo` */
export type MspSigningIdentityInfo = {
  readonly publicSigner: Uint8Array;
  readonly privateSigner: MspKeyInfo | undefined;
};
export const MspSigningIdentityInfo: MessageType<MspSigningIdentityInfo> = /* @__PURE__ */ messageType({
  name: 'msp.SigningIdentityInfo',
  fields: [
    { number: 1, name: 'public_signer', jsonName: 'publicSigner', kind: 'bytes', rule: '' },
    { number: 2, name: 'private_signer', jsonName: 'privateSigner', kind: 'message', rule: '', type: () => MspKeyInfo },
  ],
  empty: () => ({ publicSigner: NO_BYTES, privateSigner: undefined }),
});

/** `msp.FabricOUIdentifier` */
export type MspFabricOUIdentifier = {
  readonly certificate: Uint8Array;
  readonly organizationalUnitIdentifier: string;
};
export const MspFabricOUIdentifier: MessageType<MspFabricOUIdentifier> = /* @__PURE__ */ messageType({
  name: 'msp.FabricOUIdentifier',
  fields: [
    { number: 1, name: 'certificate', kind: 'bytes', rule: '' },
    { number: 2, name: 'organizational_unit_identifier', jsonName: 'organizationalUnitIdentifier', kind: 'string', rule: '' },
  ],
  empty: () => ({ certificate: NO_BYTES, organizationalUnitIdentifier: '' }),
});

/** `msp.FabricCryptoConfig` */
export type MspFabricCryptoConfig = {
  readonly signatureHashFamily: string;
  readonly identityIdentifierHashFunction: string;
};
export const MspFabricCryptoConfig: MessageType<MspFabricCryptoConfig> = /* @__PURE__ */ messageType({
  name: 'msp.FabricCryptoConfig',
  fields: [
    { number: 1, name: 'signature_hash_family', jsonName: 'signatureHashFamily', kind: 'string', rule: '' },
    { number: 2, name: 'identity_identifier_hash_function', jsonName: 'identityIdentifierHashFunction', kind: 'string', rule: '' },
  ],
  empty: () => ({ signatureHashFamily: '', identityIdentifierHashFunction: '' }),
});

/** `msp.FabricNodeOUs` */
export type MspFabricNodeOUs = {
  readonly enable: boolean;
  readonly clientOuIdentifier: MspFabricOUIdentifier | undefined;
  readonly peerOuIdentifier: MspFabricOUIdentifier | undefined;
  readonly adminOuIdentifier: MspFabricOUIdentifier | undefined;
  readonly ordererOuIdentifier: MspFabricOUIdentifier | undefined;
};
export const MspFabricNodeOUs: MessageType<MspFabricNodeOUs> = /* @__PURE__ */ messageType({
  name: 'msp.FabricNodeOUs',
  fields: [
    { number: 1, name: 'enable', kind: 'bool', rule: '' },
    { number: 2, name: 'client_ou_identifier', jsonName: 'clientOuIdentifier', kind: 'message', rule: '', type: () => MspFabricOUIdentifier },
    { number: 3, name: 'peer_ou_identifier', jsonName: 'peerOuIdentifier', kind: 'message', rule: '', type: () => MspFabricOUIdentifier },
    { number: 4, name: 'admin_ou_identifier', jsonName: 'adminOuIdentifier', kind: 'message', rule: '', type: () => MspFabricOUIdentifier },
    { number: 5, name: 'orderer_ou_identifier', jsonName: 'ordererOuIdentifier', kind: 'message', rule: '', type: () => MspFabricOUIdentifier },
  ],
  empty: () => ({ enable: false, clientOuIdentifier: undefined, peerOuIdentifier: undefined, adminOuIdentifier: undefined, ordererOuIdentifier: undefined }),
});

/** `orderer.SeekPosition` */
export type OrdererSeekPosition = {
  readonly newest: OrdererSeekNewest | undefined;
  readonly oldest: OrdererSeekOldest | undefined;
  readonly specified: OrdererSeekSpecified | undefined;
  readonly nextCommit: OrdererSeekNextCommit | undefined;
};
export const OrdererSeekPosition: MessageType<OrdererSeekPosition> = /* @__PURE__ */ messageType({
  name: 'orderer.SeekPosition',
  fields: [
    { number: 1, name: 'newest', kind: 'message', rule: 'oneof', oneof: 'Type', type: () => OrdererSeekNewest },
    { number: 2, name: 'oldest', kind: 'message', rule: 'oneof', oneof: 'Type', type: () => OrdererSeekOldest },
    { number: 3, name: 'specified', kind: 'message', rule: 'oneof', oneof: 'Type', type: () => OrdererSeekSpecified },
    { number: 4, name: 'next_commit', jsonName: 'nextCommit', kind: 'message', rule: 'oneof', oneof: 'Type', type: () => OrdererSeekNextCommit },
  ],
  empty: () => ({ newest: undefined, oldest: undefined, specified: undefined, nextCommit: undefined }),
});

/** `protos.APIResource` */
export type ProtosAPIResource = {
  readonly policyRef: string;
};
export const ProtosAPIResource: MessageType<ProtosAPIResource> = /* @__PURE__ */ messageType({
  name: 'protos.APIResource',
  fields: [
    { number: 1, name: 'policy_ref', jsonName: 'policyRef', kind: 'string', rule: '' },
  ],
  empty: () => ({ policyRef: '' }),
});

/** `protos.AnchorPeer` */
export type ProtosAnchorPeer = {
  readonly host: string;
  readonly port: number;
};
export const ProtosAnchorPeer: MessageType<ProtosAnchorPeer> = /* @__PURE__ */ messageType({
  name: 'protos.AnchorPeer',
  fields: [
    { number: 1, name: 'host', kind: 'string', rule: '' },
    { number: 2, name: 'port', kind: 'int32', rule: '' },
  ],
  empty: () => ({ host: '', port: 0 }),
});

/** `common.ConfigValue` */
export type CommonConfigValue = {
  readonly version: bigint;
  readonly value: Uint8Array;
  readonly modPolicy: string;
};
export const CommonConfigValue: MessageType<CommonConfigValue> = /* @__PURE__ */ messageType({
  name: 'common.ConfigValue',
  fields: [
    { number: 1, name: 'version', kind: 'uint64', rule: '' },
    { number: 2, name: 'value', kind: 'bytes', rule: '' },
    { number: 3, name: 'mod_policy', jsonName: 'modPolicy', kind: 'string', rule: '' },
  ],
  empty: () => ({ version: 0n, value: NO_BYTES, modPolicy: '' }),
});

/** `common.ConfigPolicy` */
export type CommonConfigPolicy = {
  readonly version: bigint;
  readonly policy: CommonPolicy | undefined;
  readonly modPolicy: string;
};
export const CommonConfigPolicy: MessageType<CommonConfigPolicy> = /* @__PURE__ */ messageType({
  name: 'common.ConfigPolicy',
  fields: [
    { number: 1, name: 'version', kind: 'uint64', rule: '' },
    { number: 2, name: 'policy', kind: 'message', rule: '', type: () => CommonPolicy },
    { number: 3, name: 'mod_policy', jsonName: 'modPolicy', kind: 'string', rule: '' },
  ],
  empty: () => ({ version: 0n, policy: undefined, modPolicy: '' }),
});

/** `common.SignaturePolicy.NOutOf` */
export type CommonSignaturePolicyNOutOf = {
  readonly n: number;
  readonly rules: readonly CommonSignaturePolicy[];
};
export const CommonSignaturePolicyNOutOf: MessageType<CommonSignaturePolicyNOutOf> = /* @__PURE__ */ messageType({
  name: 'common.SignaturePolicy.NOutOf',
  fields: [
    { number: 1, name: 'n', kind: 'int32', rule: '' },
    { number: 2, name: 'rules', kind: 'message', rule: 'list', type: () => CommonSignaturePolicy },
  ],
  empty: () => ({ n: 0, rules: [] }),
});

/** `msp.KeyInfo` */
export type MspKeyInfo = {
  readonly keyIdentifier: string;
  readonly keyMaterial: Uint8Array;
};
export const MspKeyInfo: MessageType<MspKeyInfo> = /* @__PURE__ */ messageType({
  name: 'msp.KeyInfo',
  fields: [
    { number: 1, name: 'key_identifier', jsonName: 'keyIdentifier', kind: 'string', rule: '' },
    { number: 2, name: 'key_material', jsonName: 'keyMaterial', kind: 'bytes', rule: '' },
  ],
  empty: () => ({ keyIdentifier: '', keyMaterial: NO_BYTES }),
});

/** `orderer.SeekNewest` */
export type OrdererSeekNewest = {
};
export const OrdererSeekNewest: MessageType<OrdererSeekNewest> = /* @__PURE__ */ messageType({
  name: 'orderer.SeekNewest',
  fields: [
  ],
  empty: () => ({  }),
});

/** `orderer.SeekOldest` */
export type OrdererSeekOldest = {
};
export const OrdererSeekOldest: MessageType<OrdererSeekOldest> = /* @__PURE__ */ messageType({
  name: 'orderer.SeekOldest',
  fields: [
  ],
  empty: () => ({  }),
});

/** `orderer.SeekSpecified` */
export type OrdererSeekSpecified = {
  readonly number: bigint;
};
export const OrdererSeekSpecified: MessageType<OrdererSeekSpecified> = /* @__PURE__ */ messageType({
  name: 'orderer.SeekSpecified',
  fields: [
    { number: 1, name: 'number', kind: 'uint64', rule: '' },
  ],
  empty: () => ({ number: 0n }),
});

/** `orderer.SeekNextCommit` */
export type OrdererSeekNextCommit = {
};
export const OrdererSeekNextCommit: MessageType<OrdererSeekNextCommit> = /* @__PURE__ */ messageType({
  name: 'orderer.SeekNextCommit',
  fields: [
  ],
  empty: () => ({  }),
});

/** `common.Policy` */
export type CommonPolicy = {
  readonly type: number;
  readonly value: Uint8Array;
};
export const CommonPolicy: MessageType<CommonPolicy> = /* @__PURE__ */ messageType({
  name: 'common.Policy',
  fields: [
    { number: 1, name: 'type', kind: 'int32', rule: '' },
    { number: 2, name: 'value', kind: 'bytes', rule: '' },
  ],
  empty: () => ({ type: 0, value: NO_BYTES }),
});
