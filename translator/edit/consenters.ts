// How a channel stores its consenters: Raft in the metadata of the consensus type, BFT in the value Orderers, with the policy
// BlockValidation that must fit it byte by byte.

import type { Address } from '../channel/address.js';
import { replaceFields, readMessage, writeMessage } from '../../proto/typed.js';
import {
  CommonConsenter,
  CommonOrderers,
  EtcdraftConfigMetadata,
  EtcdraftConsenter,
  OrdererConsensusType,
} from '../../proto/messages.js';
import type { ConfigGroup } from '../channel/element.js';
import { type BftConsenter, readRaftMetadata, valueOrEmpty } from '../channel/values.js';
import { withPolicy, withValue } from './tree.js';
import { blockValidationPolicy } from '../channel/block-validation.js';

/** A consenter of a channel with its bytes. */
export interface ConsenterEntry extends Address {
  /** The serialized consenter. */
  readonly bytes: Uint8Array;
  readonly clientTlsCert: Uint8Array;
  readonly serverTlsCert: Uint8Array;
}

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

/** A consenter with its bytes. */
export type BftEntry = ConsenterEntry & BftConsenter;

/** The consenters of the group Orderer. */
export function bftConsenters(orderer: ConfigGroup): BftEntry[] {
  const { consenterMapping } = valueOrEmpty(orderer, 'orderer', 'Orderers');
  const value = orderer.values.get('Orderers')?.value ?? new Uint8Array();
  const { consenterMapping: bytes } = readMessage(CommonOrderers, value, ['consenterMapping']);
  return consenterMapping.map((consenter, index) => ({ ...consenter, bytes: bytes[index]! }));
}

/** Replaces the consenters, and the policy BlockValidation. */
export function withBftConsenters(
  orderer: ConfigGroup,
  entries: readonly { readonly bytes: Uint8Array }[],
): ConfigGroup {
  const value = orderer.values.get('Orderers')?.value ?? new Uint8Array();
  const consenters = { consenterMapping: entries.map(({ bytes }) => bytes) };
  const changed = withValue(orderer, 'Orderers', replaceFields(CommonOrderers, value, consenters));
  const { consenterMapping } = valueOrEmpty(changed, 'orderer', 'Orderers');
  return withPolicy(changed, 'BlockValidation', blockValidationPolicy(consenterMapping));
}

/** A serialized `common.Consenter`. */
export const bftConsenter = (consenter: BftConsenter): Uint8Array => writeMessage(CommonConsenter, consenter);

/** A consenter with other certificates. */
export const rotatedBftConsenter = (
  consenter: Uint8Array,
  { identity, client, server }: Readonly<Record<'identity' | 'client' | 'server', Uint8Array>>,
): Uint8Array =>
  replaceFields(CommonConsenter, consenter, { identity, clientTlsCert: client, serverTlsCert: server });
