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
  /** The levels of its groups by name; a function where every name is allowed. */
  readonly groups: ReadonlyMap<string, Treatment> | (() => Treatment);
}

/** Groups where the tree has no place for them: no value is known in them. */
const STRAY: Treatment = {};

const NO_GROUPS: ReadonlyMap<string, Treatment> = new Map();

function level({ go: [group, value], values, unknownValue, groups }: Level): Treatment {
  const known = new Map(
    Object.entries(values).map(([key, message]): [string, Treatment] => [
      key,
      { go: value, opens: { value: message } },
    ]),
  );
  const unknown: Treatment = { go: value, opens: { value: (message) => new Refusal(unknownValue(message.key)) } };
  return {
    go: group,
    within: {
      values: (key) => known.get(key) ?? unknown,
      groups: typeof groups === 'function' ? groups : (key) => groups.get(key) ?? STRAY,
    },
  };
}

const consortiumOrg = level({
  go: ['*commonext.DynamicConsortiumOrgGroup', '*commonext.DynamicConsortiumOrgConfigValue'],
  values: { MSP: 'msp.MSPConfig' },
  unknownValue: (key) => `unknown Consortium Org ConfigValue name: ${key}`,
  groups: NO_GROUPS,
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
  groups: NO_GROUPS,
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
  groups: NO_GROUPS,
});

const application = level({
  go: ['*peerext.DynamicApplicationGroup', '*peerext.DynamicApplicationConfigValue'],
  values: applicationValues,
  unknownValue: (key) => `Unknown Application ConfigValue name: ${key}`,
  groups: () => applicationOrg,
});

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
  groups: new Map([
    ['Consortiums', consortiums],
    ['Orderer', orderer],
    ['Application', application],
  ]),
});
