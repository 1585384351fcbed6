// The messages in the values of a config, as typed objects. The names of the fields are those of Fabric's protobuf files.

import type { ConfigGroup } from './element.js';
import {
  bool,
  bytes,
  emptyMessage,
  int32,
  message,
  messages,
  named,
  readAs,
  text,
  texts,
  uint32,
  uint64,
  type MessageOf,
} from './message.js';

const hashingAlgorithm = { name: text(1) };
const blockDataHashingStructure = { width: uint32(1) };
const addresses = { addresses: texts(1) };
const consortium = { name: text(1) };
const capabilities = { capabilities: named(1, {}) };
const consensusType = { type: text(1), metadata: bytes(2), state: int32(3) };
const batchSize = { maxMessageCount: uint32(1), absoluteMaxBytes: uint32(2), preferredMaxBytes: uint32(3) };
const batchTimeout = { timeout: text(1) };
const kafkaBrokers = { brokers: texts(1) };
const channelRestrictions = { maxCount: uint64(1) };
const bftConsenter = {
  id: uint32(1),
  host: text(2),
  port: uint32(3),
  mspId: text(4),
  identity: bytes(5),
  clientTlsCert: bytes(6),
  serverTlsCert: bytes(7),
};
const orderers = { consenterMapping: messages(1, bftConsenter) };
const acls = { acls: named(1, { policyRef: text(1) }) };
const anchorPeers = { anchorPeers: messages(1, { host: text(1), port: int32(2) }) };
const mspConfig = { type: int32(1), config: bytes(2) };
const creationPolicy = { type: int32(1), value: bytes(2) };

const raftConsenter = { host: text(1), port: uint32(2), clientTlsCert: bytes(3), serverTlsCert: bytes(4) };
const raftOptions = {
  tickInterval: text(1),
  electionTick: uint32(2),
  heartbeatTick: uint32(3),
  maxInflightBlocks: uint32(4),
  snapshotIntervalSize: uint32(5),
};
const raftMetadata = { consenters: messages(1, raftConsenter), options: message(2, raftOptions) };
const bftOptions = {
  requestBatchMaxCount: uint64(1),
  requestBatchMaxBytes: uint64(2),
  requestBatchMaxInterval: text(3),
  incomingMessageBufferSize: uint64(4),
  requestPoolSize: uint64(5),
  requestForwardTimeout: text(6),
  requestComplainTimeout: text(7),
  requestAutoRemoveTimeout: text(8),
  requestMaxBytes: uint64(9),
  viewChangeResendInterval: text(10),
  viewChangeTimeout: text(11),
  leaderHeartbeatTimeout: text(12),
  leaderHeartbeatCount: uint64(13),
  collectTimeout: text(14),
  syncOnStart: bool(15),
  speedUpViewChange: bool(16),
  leaderRotation: int32(17),
  decisionsPerLeader: uint64(18),
};

/** The values that Fabric knows, by the kind of their group. Each group refuses other names. */
export const VALUES = {
  channel: {
    HashingAlgorithm: hashingAlgorithm,
    BlockDataHashingStructure: blockDataHashingStructure,
    OrdererAddresses: addresses,
    Consortium: consortium,
    Capabilities: capabilities,
  },
  orderer: {
    ConsensusType: consensusType,
    BatchSize: batchSize,
    BatchTimeout: batchTimeout,
    KafkaBrokers: kafkaBrokers,
    ChannelRestrictions: channelRestrictions,
    Capabilities: capabilities,
    Orderers: orderers,
  },
  ordererOrganization: { MSP: mspConfig, Endpoints: addresses },
  application: { ACLs: acls, Capabilities: capabilities },
  applicationOrganization: { MSP: mspConfig, AnchorPeers: anchorPeers },
  consortiums: {},
  consortium: { ChannelCreationPolicy: creationPolicy },
  consortiumOrganization: { MSP: mspConfig },
} as const;

/** The kind of a group: which values it may have. */
export type GroupKind = keyof typeof VALUES;

type Shapes<K extends GroupKind> = (typeof VALUES)[K];
type ValueOf<K extends GroupKind, N extends keyof Shapes<K>> =
  Shapes<K>[N] extends Parameters<typeof readAs>[0] ? MessageOf<Shapes<K>[N]> : never;

export type RaftMetadata = MessageOf<typeof raftMetadata>;
export type RaftConsenter = MessageOf<typeof raftConsenter>;
export type BftOptions = MessageOf<typeof bftOptions>;
export type BftConsenter = MessageOf<typeof bftConsenter>;
export type ConsensusType = MessageOf<typeof consensusType>;

/** `ConsensusType.State`. */
export const STATE_NORMAL = 0;
export const STATE_MAINTENANCE = 1;
/** `Options.Rotation` of smartbft. */
export const ROTATION_OFF = 1;

/**
 * Reads a value of a group: `valueOf(group, 'orderer', 'BatchSize')`.
 *
 * @returns undefined if the group does not have the value
 * @throws TranslateError BAD_BYTES
 */
export function valueOf<K extends GroupKind, N extends keyof Shapes<K> & string>(
  group: ConfigGroup | undefined,
  kind: K,
  name: N,
): ValueOf<K, N> | undefined {
  const value = group?.values.get(name);
  if (value === undefined) return undefined;
  return readAs(VALUES[kind][name] as Parameters<typeof readAs>[0], value.value) as ValueOf<K, N>;
}

/** As {@link valueOf}, but an absent value is an empty message, as in Fabric. */
export function valueOrEmpty<K extends GroupKind, N extends keyof Shapes<K> & string>(
  group: ConfigGroup | undefined,
  kind: K,
  name: N,
): ValueOf<K, N> {
  return (
    valueOf(group, kind, name) ??
    (emptyMessage(VALUES[kind][name] as Parameters<typeof readAs>[0]) as ValueOf<K, N>)
  );
}

/** Reads the metadata of the consensus type `etcdraft`. @throws TranslateError BAD_BYTES */
export const readRaftMetadata = (metadata: Uint8Array): RaftMetadata => readAs(raftMetadata, metadata);

/** Reads the metadata of the consensus type `BFT`. @throws TranslateError BAD_BYTES */
export const readBftOptions = (metadata: Uint8Array): BftOptions => readAs(bftOptions, metadata);
