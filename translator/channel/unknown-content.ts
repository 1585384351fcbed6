// Content that programs skip or do not show: unknown fields of updates and values, fields that occur twice, and the metadata of unknown
// consensus types.

import { attempt } from '../../proto/errors.js';
import { canonicalFault, type MessageType, readMessage } from '../../proto/typed.js';
import {
  CommonConfigUpdate,
  EtcdraftConfigMetadata,
  MspFabricMSPConfig,
  MspMSPConfig,
  OrdererConsensusType,
  OrdererSmartbftOptions,
} from '../../proto/messages.js';
import { fieldsOnWire } from '../../proto/wire.js';
import { channelOf } from './channel.js';
import type { ConfigUpdate } from './element.js';
import { readChannelFile } from './file.js';
import type { GroupPath } from './names.js';
import { typeOfValue } from './values.js';

/** The number of `isolated_data`, which orderers ignore. */
const ISOLATED_DATA = 5;

/**
 * Describes content of an update that is unknown or never shown; undefined if there is none. Nobody should sign such content: the
 * signature could be valid for something else (Fabric's protoutil/signeddata.go does not separate the purposes of signatures).
 */
export function updateFault({ bytes }: ConfigUpdate): string | undefined {
  const fault = canonicalFault(CommonConfigUpdate, bytes);
  if (fault !== undefined) return fault;
  const isIsolated = Array.from(fieldsOnWire(bytes)).some(({ tag }) => tag >>> 3 === ISOLATED_DATA);
  return isIsolated ? 'common.ConfigUpdate has isolated_data, which no tool shows' : undefined;
}

/** Describes content of a value that programs skip; undefined if there is none, or if it does not parse. @param names below the channel */
export function unknownContent(names: GroupPath, value: Uint8Array): string | undefined {
  const type = typeOfValue(names.slice(0, -1), names.at(-1) ?? '');
  if (type === undefined) return undefined;
  return canonicalFault(type, value) ?? unknownInside(type, value);
}

function unknownInside(type: MessageType<object>, value: Uint8Array): string | undefined {
  if (type === MspMSPConfig) {
    const msp = readable(() => readMessage(MspMSPConfig, value));
    return msp?.type === 0 ? canonicalFault(MspFabricMSPConfig, msp.config) : undefined;
  }
  if (type !== OrdererConsensusType) return undefined;
  const consensus = readable(() => readMessage(OrdererConsensusType, value));
  if (consensus?.type === 'etcdraft') return canonicalFault(EtcdraftConfigMetadata, consensus.metadata);
  return consensus?.type === 'BFT' ? canonicalFault(OrdererSmartbftOptions, consensus.metadata) : undefined;
}

/** The result of a call; undefined if it throws. */
const readable = <Result>(call: () => Result): Result | undefined => attempt(call, () => undefined);

/** Consensus types with metadata that Fabric's JSON shows. */
const KNOWN: ReadonlySet<string> = new Set(['etcdraft', 'BFT']);

/**
 * The consensus type of a file and the size of its metadata in bytes; undefined without metadata or if Fabric's JSON shows the metadata
 * (Fabric's protoext/ordererext/configuration.go, `ConsensusTypeMetadataFactory`).
 */
export function unknownMetadata(
  bytes: Uint8Array,
): { readonly type: string; readonly size: number } | undefined {
  return readable(() => {
    const file = readChannelFile(bytes);
    const root = file.kind === 'config' ? file.config.channelGroup : file.update.writeSet;
    if (root === undefined) return undefined;
    const { type, metadata } = channelOf({ channelGroup: root }).orderer.consensus;
    return KNOWN.has(type) || metadata.length === 0 ? undefined : { type, size: metadata.length };
  });
}
