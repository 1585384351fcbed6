// Capabilities that a channel loses, with what stops, and those that it gets.

import test from 'ava';
import {
  application,
  harmOf,
  orderer,
  reviewOf,
  setCapabilities,
  type Group,
} from '../../helpers/changed-config.js';

const GROUPS = { channel: (channel: Group) => channel, orderer, application };

const ACLS = 'ACLs do not count any more';
const KEYS = 'endorsement policies of single keys do not count any more';
const LIFECYCLE =
  'every call of the chaincode lifecycle fails, and chaincodes that were defined with it cannot be called any more';
const PURGE = 'private data cannot be purged any more';

const CASES: readonly (readonly [
  group: keyof typeof GROUPS,
  config: string,
  names: readonly string[],
  found: string,
])[] = [
  [
    'application',
    'app3',
    ['V1_1'],
    `danger capability-lowered: the capability of the application group falls from V2_5 to V1_1: ${ACLS}; ${KEYS}; ${LIFECYCLE}; ${PURGE}`,
  ],
  [
    'application',
    'app3',
    ['V1_4_2'],
    `danger capability-lowered: the capability of the application group falls from V2_5 to V1_4_2: ${LIFECYCLE}; ${PURGE}`,
  ],
  [
    'application',
    'app3',
    [],
    `danger capability-lowered: the capability of the application group falls from V2_5 to none: ${ACLS}; ${KEYS}; ${LIFECYCLE}; ${PURGE}`,
  ],
  [
    'application',
    'app3',
    ['V2_0'],
    `warning capability-lowered: the capability of the application group falls from V2_5 to V2_0: ${PURGE}`,
  ],
  ['application', 'app3', ['V1_2', 'V2_5'], ''],
  [
    'channel',
    'app3',
    ['V3_0'],
    'warning capability-raised: the capability V3_0 of the channel: peers and orderers of Fabric below 3.0 stop at this block',
  ],
  [
    'channel',
    'v3',
    ['V2_0'],
    'warning capability-lowered: the capability of the channel falls from V3_0 to V2_0: signatures with Ed25519 do not count any more',
  ],
  [
    'channel',
    'app3',
    ['V1_4_3'],
    'warning capability-lowered: the capability of the channel falls from V2_0 to V1_4_3',
  ],
  [
    'channel',
    'app3',
    ['V1_4_2'],
    'danger capability-lowered: the capability of the channel falls from V2_0 to V1_4_2: admins and orderers that have their role by an OU lose it',
  ],
  [
    'channel',
    'bft4',
    ['V2_0'],
    'danger bft-without-v3: the channel is BFT and has no capability V3_0: orderers and peers do not verify its blocks as BFT blocks',
  ],
  [
    'orderer',
    'app3',
    ['V1_4_2'],
    'warning capability-lowered: the capability of the orderer group falls from V2_0 to V1_4_2',
  ],
  [
    'orderer',
    'app3',
    ['V1_1'],
    'warning capability-lowered: the capability of the orderer group falls from V2_0 to V1_1: the channel cannot go into maintenance or change its consensus type',
  ],
];

for (const [group, config, names, found] of CASES)
  test(`the ${group} of ${config} gets the capabilities [${names.join(', ')}]`, async (t) => {
    const harm = await harmOf(config, (channel) => setCapabilities(GROUPS[group](channel), ...names));
    t.deepEqual(
      harm.filter((each) => /capabilit|v3/.test(each)),
      found === '' ? [] : [found],
    );
  });

for (const [group, config, capability, todo] of [
  [
    'channel',
    'raft2',
    'V3_0',
    'check that the consenters o1.ord.example.com:7050, o2.ord.example.com:7050 and the peers of Org1 have Fabric 3.0 or later',
  ],
  [
    'orderer',
    'raft2',
    'V2_0',
    'check that the consenters o1.ord.example.com:7050, o2.ord.example.com:7050 have Fabric 2.0 or later',
  ],
  ['application', 'v3', 'V2_5', 'check that the peers of Org1, Org2 have Fabric 2.5 or later'],
] as const)
  test(`the capability ${capability} of the group ${group} of ${config}: the nodes that need it are named`, async (t) => {
    const { findings } = await reviewOf(
      config,
      (channel) => setCapabilities(GROUPS[group](channel), capability),
      (channel) => setCapabilities(GROUPS[group](channel), 'V1_1'),
    );
    t.deepEqual(
      findings.flatMap(({ id, todo: found }) => (id === 'capability-raised' ? [found] : [])),
      [todo],
    );
  });
