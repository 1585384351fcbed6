// The messages in the values of a config, as typed objects. The names of the fields are those of Fabric's protobuf files.

import { type MessageType, readMessage } from '../../proto/typed.js';
import {
  CommonBlockDataHashingStructure,
  CommonCapabilities,
  CommonConsortium,
  CommonHashingAlgorithm,
  CommonOrdererAddresses,
  CommonOrderers,
  CommonPolicy,
  EtcdraftConfigMetadata,
  MspMSPConfig,
  OrdererBatchSize,
  OrdererBatchTimeout,
  OrdererChannelRestrictions,
  OrdererConsensusType,
  OrdererKafkaBrokers,
  OrdererSmartbftOptions,
  ProtosACLs,
  ProtosAnchorPeers,
  type CommonConsenter,
  type EtcdraftConsenter,
} from '../../proto/messages.js';
import type { ConfigGroup } from './element.js';

/** The values that Fabric knows, by the kind of their group. Each group refuses other names. */
export const VALUES = {
  channel: {
    HashingAlgorithm: CommonHashingAlgorithm,
    BlockDataHashingStructure: CommonBlockDataHashingStructure,
    OrdererAddresses: CommonOrdererAddresses,
    Consortium: CommonConsortium,
    Capabilities: CommonCapabilities,
  },
  orderer: {
    ConsensusType: OrdererConsensusType,
    BatchSize: OrdererBatchSize,
    BatchTimeout: OrdererBatchTimeout,
    KafkaBrokers: OrdererKafkaBrokers,
    ChannelRestrictions: OrdererChannelRestrictions,
    Capabilities: CommonCapabilities,
    Orderers: CommonOrderers,
  },
  ordererOrganization: { MSP: MspMSPConfig, Endpoints: CommonOrdererAddresses },
  application: { ACLs: ProtosACLs, Capabilities: CommonCapabilities },
  applicationOrganization: { MSP: MspMSPConfig, AnchorPeers: ProtosAnchorPeers },
  consortiums: {},
  consortium: { ChannelCreationPolicy: CommonPolicy },
  consortiumOrganization: { MSP: MspMSPConfig },
} as const;

/** The kind of a group: which values it may have. */
export type GroupKind = keyof typeof VALUES;

type Types<K extends GroupKind> = (typeof VALUES)[K];
type ValueOf<K extends GroupKind, N extends keyof Types<K>> =
  Types<K>[N] extends MessageType<infer T> ? T : never;

export type RaftMetadata = EtcdraftConfigMetadata;
export type RaftConsenter = EtcdraftConsenter;
export type BftOptions = OrdererSmartbftOptions;
export type BftConsenter = CommonConsenter;
export type ConsensusType = OrdererConsensusType;

/** `ConsensusType.State`. */
export const STATE_NORMAL = 0;
export const STATE_MAINTENANCE = 1;
/** `Options.Rotation` of smartbft. */
export const ROTATION_OFF = 1;
export const ROTATION_ON = 2;

/**
 * Reads a value of a group: `valueOf(group, 'orderer', 'BatchSize')`.
 *
 * @returns undefined if the group does not have the value
 * @throws TranslateError BAD_BYTES
 */
export function valueOf<K extends GroupKind, N extends keyof Types<K> & string>(
  group: ConfigGroup | undefined,
  kind: K,
  name: N,
): ValueOf<K, N> | undefined {
  const value = group?.values.get(name);
  if (value === undefined) return undefined;
  return readMessage(VALUES[kind][name] as MessageType<object>, value.value) as ValueOf<K, N>;
}

/** As {@link valueOf}, but an absent value is an empty message, as in Fabric. */
export function valueOrEmpty<K extends GroupKind, N extends keyof Types<K> & string>(
  group: ConfigGroup | undefined,
  kind: K,
  name: N,
): ValueOf<K, N> {
  return valueOf(group, kind, name) ?? (VALUES[kind][name] as MessageType<ValueOf<K, N>>).empty();
}

/** Reads the metadata of the consensus type `etcdraft`. @throws TranslateError BAD_BYTES */
export const readRaftMetadata = (metadata: Uint8Array): RaftMetadata =>
  readMessage(EtcdraftConfigMetadata, metadata);

/** Reads the metadata of the consensus type `BFT`. @throws TranslateError BAD_BYTES */
export const readBftOptions = (metadata: Uint8Array): BftOptions =>
  readMessage(OrdererSmartbftOptions, metadata);
