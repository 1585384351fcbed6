// The configuration tree: the groups and values at each level, as in Fabric's protoext/commonext, ordererext and peerext.

import type { OpaqueRules } from '../opaque-rules.js';
import { Refusal } from '../message.js';

/** A level of the tree. */
interface Level {
  /** The Go types of its groups and values. */
  readonly goTypes: readonly [group: string, value: string];
  /** Value name -> message. */
  readonly values: Readonly<Record<string, string>>;
  /** Why any other value cannot be opened. */
  readonly unknownValue: (key: string) => string;
  /** The rules of its groups by name. */
  readonly groups: (key: string) => OpaqueRules;
}

/** The rules of a group that is unknown at this level: the values in it and below it stay bytes. */
function unknownGroup(reason: (key: string) => string): OpaqueRules {
  const value: OpaqueRules = { opens: { value: (message) => new Refusal(reason(message.parent!.key)) } };
  const group: OpaqueRules = { nested: { values: () => value, groups: () => group } };
  return group;
}

/** The groups of a level without groups. */
function noGroups(reason: string): Level['groups'] {
  const group = unknownGroup(() => reason);
  return () => group;
}

function level({ goTypes: [group, value], values, unknownValue, groups }: Level): OpaqueRules {
  const known = new Map(
    Object.entries(values).map(([key, message]): [string, OpaqueRules] => [
      key,
      { goType: value, opens: { value: message } },
    ]),
  );
  const unknown: OpaqueRules = {
    goType: value,
    opens: { value: (message) => new Refusal(unknownValue(message.key)) },
  };
  return {
    goType: group,
    nested: {
      values: (key) => known.get(key) ?? unknown,
      groups,
    },
  };
}

const consortiumOrg = level({
  goTypes: ['*commonext.DynamicConsortiumOrgGroup', '*commonext.DynamicConsortiumOrgConfigValue'],
  values: { MSP: 'msp.MSPConfig' },
  unknownValue: (key) => `unknown Consortium Org ConfigValue name: ${key}`,
  groups: noGroups('ConsortiumOrg groups do not support sub groups'),
});

const consortium = level({
  goTypes: ['*commonext.DynamicConsortiumGroup', '*commonext.DynamicConsortiumConfigValue'],
  values: { ChannelCreationPolicy: 'common.Policy' },
  unknownValue: (key) => `unknown Consortium ConfigValue name: ${key}`,
  groups: () => consortiumOrg,
});

const consortiums = level({
  goTypes: ['*commonext.DynamicConsortiumsGroup', '*common.ConfigValue'],
  values: {},
  unknownValue: () => 'Consortiums currently support no config values',
  groups: () => consortium,
});

const ordererOrg = level({
  goTypes: ['*ordererext.DynamicOrdererOrgGroup', '*ordererext.DynamicOrdererOrgConfigValue'],
  values: { MSP: 'msp.MSPConfig', Endpoints: 'common.OrdererAddresses' },
  unknownValue: (key) => `unknown Orderer Org ConfigValue name: ${key}`,
  groups: noGroups('the orderer orgs do not support sub-groups'),
});

const orderer = level({
  goTypes: ['*ordererext.DynamicOrdererGroup', '*ordererext.DynamicOrdererConfigValue'],
  values: {
    ConsensusType: 'orderer.ConsensusType',
    BatchSize: 'orderer.BatchSize',
    BatchTimeout: 'orderer.BatchTimeout',
    KafkaBrokers: 'orderer.KafkaBrokers',
    ChannelRestrictions: 'orderer.ChannelRestrictions',
    Capabilities: 'common.Capabilities',
    Orderers: 'common.Orderers',
  },
  unknownValue: (key) => `unknown Orderer ConfigValue name: ${key}`,
  groups: () => ordererOrg,
});

const applicationOrg = level({
  goTypes: ['*peerext.DynamicApplicationOrgGroup', '*peerext.DynamicApplicationOrgConfigValue'],
  values: { MSP: 'msp.MSPConfig', AnchorPeers: 'protos.AnchorPeers' },
  unknownValue: (key) => `Unknown Application Org ConfigValue name: ${key}`,
  groups: noGroups('The application orgs do not support sub-groups'),
});

const application = level({
  goTypes: ['*peerext.DynamicApplicationGroup', '*peerext.DynamicApplicationConfigValue'],
  values: { Capabilities: 'common.Capabilities', ACLs: 'protos.ACLs' },
  unknownValue: (key) => `Unknown Application ConfigValue name: ${key}`,
  groups: () => applicationOrg,
});

const CHANNEL_GROUPS: ReadonlyMap<string, OpaqueRules> = new Map([
  ['Consortiums', consortiums],
  ['Orderer', orderer],
  ['Application', application],
]);

const unknownChannelGroup = unknownGroup((key) => `unknown channel group sub-group '${key}'`);

/** The rules of the root group of a configuration tree. */
export const channelGroup = level({
  goTypes: ['*commonext.DynamicChannelGroup', '*commonext.DynamicChannelConfigValue'],
  values: {
    HashingAlgorithm: 'common.HashingAlgorithm',
    BlockDataHashingStructure: 'common.BlockDataHashingStructure',
    OrdererAddresses: 'common.OrdererAddresses',
    Consortium: 'common.Consortium',
    Capabilities: 'common.Capabilities',
  },
  unknownValue: (key) => `unknown Channel ConfigValue name: ${key}`,
  groups: (key) => CHANNEL_GROUPS.get(key) ?? unknownChannelGroup,
});
