// The levels of a configuration tree: which groups and which values stand at each (specification section 6.3).

import { Refusal, type Treatment } from '../treatment.js';
import { applicationOrgValues, applicationValues } from './application.js';
import { ordererOrgValues, ordererValues } from './orderer.js';

/** A level of the tree. */
interface Level {
  /** Names in the Go types of its groups and values. */
  readonly go: readonly [group: string, value: string];
  /** Value name -> message. */
  readonly values: Readonly<Record<string, string>>;
  /** Why another value cannot be opened. */
  readonly unknownValue: (key: string) => string;
  /** The levels of its groups by name. */
  readonly groups: (key: string) => Treatment;
}

/** A group where the tree has no place for it: its values stay bytes, and those below it too. */
function stray(reason: (key: string) => string): Treatment {
  const value: Treatment = { opens: { value: (message) => new Refusal(reason(message.parent!.key)) } };
  const group: Treatment = { within: { values: () => value, groups: () => group } };
  return group;
}

/** A level that has no groups. */
function noGroups(reason: string): Level['groups'] {
  const group = stray(() => reason);
  return () => group;
}

function level({ go: [group, value], values, unknownValue, groups }: Level): Treatment {
  const known = new Map(
    Object.entries(values).map(([key, message]): [string, Treatment] => [
      key,
      { go: value, opens: { value: message } },
    ]),
  );
  const unknown: Treatment = {
    go: value,
    opens: { value: (message) => new Refusal(unknownValue(message.key)) },
  };
  return {
    go: group,
    within: {
      values: (key) => known.get(key) ?? unknown,
      groups,
    },
  };
}

const consortiumOrg = level({
  go: ['*commonext.DynamicConsortiumOrgGroup', '*commonext.DynamicConsortiumOrgConfigValue'],
  values: { MSP: 'msp.MSPConfig' },
  unknownValue: (key) => `unknown Consortium Org ConfigValue name: ${key}`,
  groups: noGroups('ConsortiumOrg groups do not support sub groups'),
});

const consortium = level({
  go: ['*commonext.DynamicConsortiumGroup', '*commonext.DynamicConsortiumConfigValue'],
  values: { ChannelCreationPolicy: 'common.Policy' },
  unknownValue: (key) => `unknown Consortium ConfigValue name: ${key}`,
  groups: () => consortiumOrg,
});

const consortiums = level({
  go: ['*commonext.DynamicConsortiumsGroup', '*common.ConfigValue'],
  values: {},
  unknownValue: () => 'Consortiums currently support no config values',
  groups: () => consortium,
});

const ordererOrg = level({
  go: ['*ordererext.DynamicOrdererOrgGroup', '*ordererext.DynamicOrdererOrgConfigValue'],
  values: ordererOrgValues,
  unknownValue: (key) => `unknown Orderer Org ConfigValue name: ${key}`,
  groups: noGroups('the orderer orgs do not support sub-groups'),
});

const orderer = level({
  go: ['*ordererext.DynamicOrdererGroup', '*ordererext.DynamicOrdererConfigValue'],
  values: ordererValues,
  unknownValue: (key) => `unknown Orderer ConfigValue name: ${key}`,
  groups: () => ordererOrg,
});

const applicationOrg = level({
  go: ['*peerext.DynamicApplicationOrgGroup', '*peerext.DynamicApplicationOrgConfigValue'],
  values: applicationOrgValues,
  unknownValue: (key) => `Unknown Application Org ConfigValue name: ${key}`,
  groups: noGroups('The application orgs do not support sub-groups'),
});

const application = level({
  go: ['*peerext.DynamicApplicationGroup', '*peerext.DynamicApplicationConfigValue'],
  values: applicationValues,
  unknownValue: (key) => `Unknown Application ConfigValue name: ${key}`,
  groups: () => applicationOrg,
});

const CHANNEL_GROUPS: ReadonlyMap<string, Treatment> = new Map([
  ['Consortiums', consortiums],
  ['Orderer', orderer],
  ['Application', application],
]);

const strayInChannel = stray((key) => `unknown channel group sub-group '${key}'`);

/** The root of a configuration tree. */
export const channel = level({
  go: ['*commonext.DynamicChannelGroup', '*commonext.DynamicChannelConfigValue'],
  values: {
    HashingAlgorithm: 'common.HashingAlgorithm',
    BlockDataHashingStructure: 'common.BlockDataHashingStructure',
    OrdererAddresses: 'common.OrdererAddresses',
    Consortium: 'common.Consortium',
    Capabilities: 'common.Capabilities',
  },
  unknownValue: (key) => `unknown Channel ConfigValue name: ${key}`,
  groups: (key) => CHANNEL_GROUPS.get(key) ?? strayInChannel,
});
