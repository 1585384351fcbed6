// The messages in the values of a config, as typed objects. Field names are from Fabric's protobuf files.

import { attempt } from '../../proto/errors.js';
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
  MspFabricMSPConfig,
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
import type { GroupPath } from './names.js';

/** The values that Fabric knows, by the kind of their group. Fabric refuses other names in a group. */
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

/** The kind of a group, which decides the allowed values. */
export type GroupKind = keyof typeof VALUES;

const KINDS: ReadonlyMap<string, readonly GroupKind[]> = new Map([
  ['Orderer', ['orderer', 'ordererOrganization']],
  ['Application', ['application', 'applicationOrganization']],
  ['Consortiums', ['consortiums', 'consortium', 'consortiumOrganization']],
]);

/** The kind of a group; undefined for a group that Fabric does not know. @param path the names of the groups below the channel group */
export function kindOfGroup(path: GroupPath): GroupKind | undefined {
  const [top] = path;
  return top === undefined ? 'channel' : KINDS.get(top)?.[path.length - 1];
}

/** The message type of a value by the path of its group and its name; undefined for a value that Fabric does not know. */
export function typeOfValue(path: GroupPath, name: string): MessageType<object> | undefined {
  const kind = kindOfGroup(path);
  const types: Readonly<Record<string, MessageType<object>>> = kind === undefined ? {} : VALUES[kind];
  return Object.hasOwn(types, name) ? types[name] : undefined;
}

type Types<K extends GroupKind> = (typeof VALUES)[K];

/** The names of the values in a kind of group. */
export type ValueName<K extends GroupKind> = keyof Types<K> & string;

/** The message type of a value. */
export type ValueOf<K extends GroupKind, N extends keyof Types<K>> =
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
export function valueOf<K extends GroupKind, N extends ValueName<K>>(
  group: ConfigGroup | undefined,
  kind: K,
  name: N,
): ValueOf<K, N> | undefined {
  const value = group?.values.get(name);
  if (value === undefined) return undefined;
  return readMessage(VALUES[kind][name] as MessageType<object>, value.value) as ValueOf<K, N>;
}

/** Like {@link valueOf}, but a missing value is an empty message, as in Fabric. */
export function valueOrEmpty<K extends GroupKind, N extends ValueName<K>>(
  group: ConfigGroup | undefined,
  kind: K,
  name: N,
): ValueOf<K, N> {
  return valueOf(group, kind, name) ?? (VALUES[kind][name] as MessageType<ValueOf<K, N>>).empty();
}

/** The MSP id of an organisation; undefined without an MSP or if it does not parse. It is the first field of an IdemixMSPConfig too. */
export const mspIdOf = (organization: ConfigGroup): string | undefined =>
  attempt(
    () => {
      const msp = valueOf(organization, 'applicationOrganization', 'MSP');
      return msp === undefined ? undefined : readMessage(MspFabricMSPConfig, msp.config).name;
    },
    () => undefined,
  );

/** Reads the metadata of the consensus type `etcdraft`. @throws TranslateError BAD_BYTES */
export const readRaftMetadata = (metadata: Uint8Array): RaftMetadata =>
  readMessage(EtcdraftConfigMetadata, metadata);

/** Reads the metadata of the consensus type `BFT`. @throws TranslateError BAD_BYTES */
export const readBftOptions = (metadata: Uint8Array): BftOptions =>
  readMessage(OrdererSmartbftOptions, metadata);
