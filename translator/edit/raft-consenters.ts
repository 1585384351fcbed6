// The consenters of a Raft channel: a list in the metadata of the consensus type.

import { EtcdraftConfigMetadata, EtcdraftConsenter, OrdererConsensusType } from '../../proto/messages.js';
import { readMessage, replaceFields, writeMessage } from '../../proto/typed.js';
import type { ConfigGroup } from '../config/element.js';
import { readRaftMetadata, valueOrEmpty } from '../config/values.js';
import type { Address } from '../config/address.js';
import type { ConsenterEntry } from './consenters.js';
import { withValue } from './tree.js';

/** The consenters of the group Orderer. */
export function raftConsenters(orderer: ConfigGroup): ConsenterEntry[] {
  const { metadata } = valueOrEmpty(orderer, 'orderer', 'ConsensusType');
  const { consenters } = readRaftMetadata(metadata);
  const { consenters: raw } = readMessage(EtcdraftConfigMetadata, metadata, ['consenters']);
  return raw.map((bytes, index) => ({ ...consenters[index]!, bytes }));
}

/** Replaces the consenters. */
export function withRaftConsenters(
  orderer: ConfigGroup,
  entries: readonly { readonly bytes: Uint8Array }[],
): ConfigGroup {
  const value = orderer.values.get('ConsensusType')!.value;
  const { metadata } = valueOrEmpty(orderer, 'orderer', 'ConsensusType');
  const consenters = entries.map(({ bytes }) => bytes);
  const changed = { metadata: replaceFields(EtcdraftConfigMetadata, metadata, { consenters }) };
  return withValue(orderer, 'ConsensusType', replaceFields(OrdererConsensusType, value, changed));
}

/** A serialized `etcdraft.Consenter`. */
export const raftConsenter = ({ host, port }: Address, client: Uint8Array, server: Uint8Array): Uint8Array =>
  writeMessage(EtcdraftConsenter, { host, port, clientTlsCert: client, serverTlsCert: server });

/** A consenter with other certificates. */
export const rotatedRaftConsenter = (
  consenter: Uint8Array,
  client: Uint8Array,
  server: Uint8Array,
): Uint8Array =>
  replaceFields(EtcdraftConsenter, consenter, { clientTlsCert: client, serverTlsCert: server });
