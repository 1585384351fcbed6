// The messages of a channel config as protobufjs reads and writes them, independent of the code under test.

import type { Message, Type } from 'protobufjs';
import { protobufRootOf, readSchemaTable } from '../../helpers/schema.js';

/** A message as plain data. */
export type Tree = { [field: string]: unknown };

const root = protobufRootOf(readSchemaTable());

/** A type by its full name. */
export const typeOf = (name: string): Type => root.lookupType(name);

/** Parses a message; fields that are not set are absent. */
export const parse = (name: string, bytes: Uint8Array): Tree => typeOf(name).decode(bytes);

/** Serializes a message. */
export const serialize = (name: string, tree: Tree): Buffer =>
  Buffer.from(
    typeOf(name)
      .encode(tree as unknown as Message)
      .finish(),
  );

/** The type of a value of a config by its key. */
const VALUES: Readonly<Record<string, string>> = {
  ACLs: 'protos.ACLs',
  AnchorPeers: 'protos.AnchorPeers',
  BatchSize: 'orderer.BatchSize',
  BatchTimeout: 'orderer.BatchTimeout',
  BlockDataHashingStructure: 'common.BlockDataHashingStructure',
  Capabilities: 'common.Capabilities',
  ChannelRestrictions: 'orderer.ChannelRestrictions',
  ConsensusType: 'orderer.ConsensusType',
  Consortium: 'common.Consortium',
  Endpoints: 'common.OrdererAddresses',
  HashingAlgorithm: 'common.HashingAlgorithm',
  MSP: 'msp.MSPConfig',
  OrdererAddresses: 'common.OrdererAddresses',
  Orderers: 'common.Orderers',
};
const POLICIES = new Map<unknown, string>([
  [1, 'common.SignaturePolicyEnvelope'],
  [3, 'common.ImplicitMetaPolicy'],
]);

/**
 * The type of the message inside a `bytes` field; undefined if it has none.
 *
 * @param name the type of the message with the field
 * @param key the name of a value in its map
 */
export function typeInside(name: string, field: string, message: Tree, key: string): string | undefined {
  const path = `${name}.${field}`;
  if (path === 'common.ConfigValue.value') return Object.hasOwn(VALUES, key) ? VALUES[key] : undefined;
  if (path === 'common.Policy.value') return POLICIES.get(message.type);
  if (path === 'msp.MSPConfig.config') return 'msp.FabricMSPConfig';
  if (path === 'orderer.ConsensusType.metadata')
    return message.type === 'BFT' ? 'orderer.smartbft.Options' : 'etcdraft.ConfigMetadata';
  if (path !== 'common.MSPPrincipal.principal') return undefined;
  return ['common.MSPRole', 'common.OrganizationUnit', 'common.MSPIdentityAnonymity'][
    Number(message.principal_classification ?? 0)
  ];
}
