// The Orderer group: its values, those of its organisations, and the consensus metadata (specification section 6).

import type { Treatments } from '../treatment.js';

/** Values of the Orderer group. */
export const ordererValues = {
  ConsensusType: 'orderer.ConsensusType',
  BatchSize: 'orderer.BatchSize',
  BatchTimeout: 'orderer.BatchTimeout',
  KafkaBrokers: 'orderer.KafkaBrokers',
  ChannelRestrictions: 'orderer.ChannelRestrictions',
  Capabilities: 'common.Capabilities',
  Orderers: 'common.Orderers',
} as const;

/** Values of an organisation in it. */
export const ordererOrgValues = { MSP: 'msp.MSPConfig', Endpoints: 'common.OrdererAddresses' } as const;

const METADATA: ReadonlyMap<unknown, string> = new Map([
  ['etcdraft', 'etcdraft.ConfigMetadata'],
  ['BFT', 'orderer.smartbft.Options'],
]);

export const orderer: Treatments = {
  'orderer.ConsensusType': {
    go: '*ordererext.ConsensusType',
    // Fabric 3.0 reads the metadata of every other type as a message without fields.
    opens: { metadata: (type) => METADATA.get(type.get('type')) ?? 'google.protobuf.Empty' },
  },
};
