// A config as typed values: what people look at, without protobuf.

import type { Config, ConfigGroup } from './element.js';
import { mspIdOf } from './msp-id.js';
import {
  readBftOptions,
  readRaftMetadata,
  STATE_MAINTENANCE,
  valueOf,
  valueOrEmpty,
  type BftConsenter,
  type BftOptions,
  type GroupKind,
  type RaftMetadata,
} from './values.js';

/** An organisation of any group. */
export interface OrganizationView {
  /** The name of the group. */
  readonly name: string;
  /** Undefined if the organisation has no MSP. */
  readonly mspId: string | undefined;
  /** The serialized `msp.MSPConfig`. */
  readonly msp: Uint8Array | undefined;
  readonly anchorPeers: readonly { readonly host: string; readonly port: number }[];
  /** `host:port` of its orderers. */
  readonly endpoints: readonly string[];
  readonly group: ConfigGroup;
}

/** The Orderer group. */
export interface OrdererView {
  /** `etcdraft`, `BFT`, `kafka` or `solo`. */
  readonly consensusType: string;
  readonly maintenance: boolean;
  /** With consensus type etcdraft. */
  readonly raft: RaftMetadata | undefined;
  /** With consensus type BFT. */
  readonly bft: { readonly options: BftOptions; readonly consenters: readonly BftConsenter[] } | undefined;
  readonly kafkaBrokers: readonly string[];
  /** Transactions and bytes of a block. */
  readonly batchSize: {
    readonly maxMessageCount: number;
    readonly absoluteMaxBytes: number;
    readonly preferredMaxBytes: number;
  };
  /** A duration, for example `2s`. */
  readonly batchTimeout: string;
  /** 0: no limit. */
  readonly maxChannels: bigint;
  readonly capabilities: readonly string[];
  readonly organizations: readonly OrganizationView[];
}

/** The Application group. */
export interface ApplicationView {
  readonly capabilities: readonly string[];
  /** Paths of policies by the name of the resource. */
  readonly acls: ReadonlyMap<string, string>;
  readonly organizations: readonly OrganizationView[];
}

/** A consortium of a system channel. */
export interface ConsortiumView {
  readonly name: string;
  readonly organizations: readonly OrganizationView[];
}

/** A channel. */
export interface ChannelView {
  readonly hashingAlgorithm: string;
  readonly hashingWidth: number;
  /** Addresses for the whole channel, before V3_0. */
  readonly ordererAddresses: readonly string[];
  /** Undefined in a system channel. */
  readonly consortium: string | undefined;
  readonly capabilities: readonly string[];
  readonly orderer: OrdererView | undefined;
  readonly application: ApplicationView | undefined;
  /** Undefined unless it is a system channel. */
  readonly consortiums: readonly ConsortiumView[] | undefined;
}

/** Reads all values of a config. @throws TranslateError BAD_BYTES for a value that does not parse */
export function channelView({ channelGroup: root }: Config): ChannelView {
  const consortiums = root.groups.get('Consortiums');
  return {
    hashingAlgorithm: valueOrEmpty(root, 'channel', 'HashingAlgorithm').name,
    hashingWidth: valueOrEmpty(root, 'channel', 'BlockDataHashingStructure').width,
    ordererAddresses: valueOrEmpty(root, 'channel', 'OrdererAddresses').addresses,
    consortium: valueOf(root, 'channel', 'Consortium')?.name,
    capabilities: [...valueOrEmpty(root, 'channel', 'Capabilities').capabilities.keys()],
    orderer: ordererView(root.groups.get('Orderer')),
    application: applicationView(root.groups.get('Application')),
    consortiums:
      consortiums &&
      [...consortiums.groups].map(([name, group]) => ({
        name,
        organizations: organizations(group, 'consortiumOrganization'),
      })),
  };
}

function ordererView(group: ConfigGroup | undefined): OrdererView | undefined {
  if (group === undefined) return undefined;
  const { type, metadata, state } = valueOrEmpty(group, 'orderer', 'ConsensusType');
  return {
    consensusType: type,
    maintenance: state === STATE_MAINTENANCE,
    raft: type === 'etcdraft' ? readRaftMetadata(metadata) : undefined,
    bft:
      type === 'BFT'
        ? {
            options: readBftOptions(metadata),
            consenters: valueOrEmpty(group, 'orderer', 'Orderers').consenterMapping,
          }
        : undefined,
    kafkaBrokers: valueOrEmpty(group, 'orderer', 'KafkaBrokers').brokers,
    batchSize: valueOrEmpty(group, 'orderer', 'BatchSize'),
    batchTimeout: valueOrEmpty(group, 'orderer', 'BatchTimeout').timeout,
    maxChannels: valueOrEmpty(group, 'orderer', 'ChannelRestrictions').maxCount,
    capabilities: [...valueOrEmpty(group, 'orderer', 'Capabilities').capabilities.keys()],
    organizations: organizations(group, 'ordererOrganization'),
  };
}

function applicationView(group: ConfigGroup | undefined): ApplicationView | undefined {
  if (group === undefined) return undefined;
  const { acls } = valueOrEmpty(group, 'application', 'ACLs');
  return {
    capabilities: [...valueOrEmpty(group, 'application', 'Capabilities').capabilities.keys()],
    acls: new Map([...acls].map(([name, { policyRef }]) => [name, policyRef])),
    organizations: organizations(group, 'applicationOrganization'),
  };
}

type OrganizationKind = Extract<GroupKind, `${string}Organization`>;

function organizations(parent: ConfigGroup, kind: OrganizationKind): OrganizationView[] {
  return [...parent.groups].map(([name, group]) => ({
    name,
    mspId: mspIdOf(group),
    msp: group.values.get('MSP')?.value,
    anchorPeers:
      kind === 'applicationOrganization' ? valueOrEmpty(group, kind, 'AnchorPeers').anchorPeers : [],
    endpoints: kind === 'ordererOrganization' ? valueOrEmpty(group, kind, 'Endpoints').addresses : [],
    group,
  }));
}
