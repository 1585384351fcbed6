// Content of a value that programs skip: unknown fields, and fields that a later one replaces.

import { TranslateError } from '../../proto/errors.js';
import { canonicalFault, type MessageType, readMessage } from '../../proto/typed.js';
import {
  EtcdraftConfigMetadata,
  MspFabricMSPConfig,
  MspMSPConfig,
  OrdererConsensusType,
  OrdererSmartbftOptions,
} from '../../proto/messages.js';
import { VALUES, type GroupKind } from './values.js';

/** Kinds of groups by the number of names around a value, below the channel. */
const KINDS: Readonly<Record<string, readonly (GroupKind | undefined)[]>> = {
  Orderer: [undefined, 'orderer', 'ordererOrganization'],
  Application: [undefined, 'application', 'applicationOrganization'],
  Consortiums: [undefined, 'consortiums', 'consortium', 'consortiumOrganization'],
};

/** The message of a value; undefined for a value that Fabric does not know. */
function typeAt(path: string): MessageType<object> | undefined {
  const names = path.split('/').slice(2);
  const [section = ''] = names;
  const kind =
    names.length === 1
      ? 'channel'
      : Object.hasOwn(KINDS, section)
        ? KINDS[section]![names.length - 1]
        : undefined;
  const types: Readonly<Record<string, MessageType<object>>> = kind === undefined ? {} : VALUES[kind];
  const name = names.at(-1) ?? '';
  return Object.hasOwn(types, name) ? types[name] : undefined;
}

/** Why a value has content that programs skip; undefined if it has none, or if it does not parse. */
export function unknownContent(path: string, value: Uint8Array): string | undefined {
  const type = typeAt(path);
  if (type === undefined) return undefined;
  return canonicalFault(type, value) ?? unknownInside(type, value);
}

function unknownInside(type: MessageType<object>, value: Uint8Array): string | undefined {
  try {
    if (type === MspMSPConfig) {
      const { type: kind, config } = readMessage(MspMSPConfig, value);
      return kind === 0 ? canonicalFault(MspFabricMSPConfig, config) : undefined;
    }
    if (type !== OrdererConsensusType) return undefined;
    const { type: consensus, metadata } = readMessage(OrdererConsensusType, value);
    if (consensus === 'etcdraft') return canonicalFault(EtcdraftConfigMetadata, metadata);
    return consensus === 'BFT' ? canonicalFault(OrdererSmartbftOptions, metadata) : undefined;
  } catch (error) {
    if (error instanceof TranslateError) return undefined;
    throw error;
  }
}
