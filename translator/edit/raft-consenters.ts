// The consenters of a Raft channel: a list in the metadata of the consensus type.

import type { ConfigGroup } from '../config/element.js';
import { readRaftMetadata, valueOrEmpty } from '../config/values.js';
import { concatBytes } from '../config/bytes.js';
import type { Address } from './addresses.js';
import type { ConsenterEntry } from './consenters.js';
import { bytesField, contentsOf, listField, numberField, replaceField, textField } from './fields.js';
import { withValue } from './tree.js';

const METADATA = 2;
const CONSENTERS = 1;
const CLIENT_CERTIFICATE = 3;
const SERVER_CERTIFICATE = 4;

/** The consenters of the group Orderer. */
export function raftConsenters(orderer: ConfigGroup): ConsenterEntry[] {
  const { metadata } = valueOrEmpty(orderer, 'orderer', 'ConsensusType');
  const { consenters } = readRaftMetadata(metadata);
  return contentsOf(metadata, CONSENTERS).map((bytes, index) => ({ ...consenters[index]!, bytes }));
}

/** Replaces the consenters. */
export function withRaftConsenters(
  orderer: ConfigGroup,
  entries: readonly { readonly bytes: Uint8Array }[],
): ConfigGroup {
  const value = orderer.values.get('ConsensusType')!.value;
  const { metadata } = valueOrEmpty(orderer, 'orderer', 'ConsensusType');
  const list = listField(
    CONSENTERS,
    entries.map(({ bytes }) => bytes),
  );
  const changed = bytesField(METADATA, replaceField(metadata, CONSENTERS, list));
  return withValue(orderer, 'ConsensusType', replaceField(value, METADATA, changed));
}

/** A serialized `etcdraft.Consenter`. */
export const raftConsenter = (address: Address, client: Uint8Array, server: Uint8Array): Uint8Array =>
  concatBytes(
    textField(1, address.host),
    numberField(2, address.port),
    bytesField(CLIENT_CERTIFICATE, client),
    bytesField(SERVER_CERTIFICATE, server),
  );

/** A consenter with other certificates. */
export function rotatedRaftConsenter(
  consenter: Uint8Array,
  client: Uint8Array,
  server: Uint8Array,
): Uint8Array {
  const withClient = replaceField(consenter, CLIENT_CERTIFICATE, bytesField(CLIENT_CERTIFICATE, client));
  return replaceField(withClient, SERVER_CERTIFICATE, bytesField(SERVER_CERTIFICATE, server));
}
