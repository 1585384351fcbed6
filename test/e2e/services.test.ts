// The services of powers/README.md on real networks: a client or a node uses a service; an update takes it away, `review` names who loses it,
// and an orderer accepts it; afterwards Fabric refuses the service. Blocks that peers do not take are in channel-dangers.test.ts.

import { join } from 'node:path';
import test from 'ava';
import { check, eventually } from './daemon.js';
import {
  fetchBlock,
  fetchRefused,
  signUpdate,
  submit,
  submitRefused,
  translate,
} from './fabric/channel-edits.js';
import { heightOf, reaches, refusesNext, signNext } from './fabric/harmful-updates.js';
import { startNetwork, type FabricNetwork, type NetworkOptions } from './fabric/network.js';
import { CHANNEL } from './fabric/network-files.js';
import type { FabricNode } from './fabric/node.js';
import {
  aclLoss,
  DENIED,
  invoke,
  lifecycle,
  ordererOf,
  peerFails,
  query,
  seen,
  take,
  type Loss,
  type Use,
} from './fabric/services.js';

interface ServiceCase extends Loss {
  readonly use: Use;
  /** What a user sees before. @default nothing */
  readonly works?: RegExp;
  readonly error: RegExp;
  readonly options?: NetworkOptions;
}

/** Fetches the newest block: of the orderer, or of the peer. */
const fetchNewest =
  (who: 'admin' | 'client', from: (network: FabricNetwork) => readonly string[]): Use =>
  (network) =>
    peerFails(network, who, [
      'channel',
      'fetch',
      'newest',
      join(network.directory, 'fetched.pb'),
      '-c',
      CHANNEL,
      ...from(network),
    ]);

/** Fetches the newest config block of the orderer as the administrator of the first peer. */
const fetchConfig: Use = (network) =>
  peerFails(network, 'admin', [
    'channel',
    'fetch',
    'config',
    join(network.directory, 'block.pb'),
    '-c',
    CHANNEL,
    ...ordererOf(network),
  ]);

/** Counts what each use must do in another way. */
let uses = 0;

const approve: Use = (network) => lifecycle(network, 'approveformyorg', `cc${(uses += 1)}`);

const commit: Use = async (network) => {
  const name = `cc${(uses += 1)}`;
  const printed = await lifecycle(network, 'approveformyorg', name);
  return printed === '' || printed.includes('status (VALID)')
    ? lifecycle(network, 'commit', name)
    : `not approved: ${printed}`;
};

/** Submits an update that is signed by an administrator as the administrator of the first peer. */
function submitEdit(network: FabricNetwork, by: FabricNode, ...edit: readonly string[]): string {
  translate(network.directory, [...edit, '-o', 'update.pb']);
  signUpdate(network, by.identity);
  return submitRefused(network, network.peers[0].identity);
}

const submitUpdate: Use = (network) => {
  const size = `orderer.batchSize.maxMessageCount=${100 + (uses += 1)}`;
  return submitEdit(network, network.orderers[0], 'edit', 'block.pb', '--set', size);
};

/** Changes a policy of the organisation as its administrator. */
const administer: Use = (network) => {
  const rule = `OR('Org1MSP.peer','Org1MSP.${(uses += 1) % 2 === 0 ? 'admin' : 'client'}')`;
  const [first] = network.peers;
  return submitEdit(network, first, 'policy', 'set', 'block.pb', 'Application/Org1MSP/Endorsement', rule);
};

const TWO_ORDERERS = "AND('OrdererMSP.admin','OrdererMSP.orderer')";
const acl = (
  service: string,
  resource: string,
  use: Use,
  more: Partial<ServiceCase> = {},
): readonly [title: string, ServiceCase] => [
  `${service}: the ACL of ${resource} names admins of orderers`,
  { ...aclLoss(service, resource), use, error: DENIED, ...more },
];

const CASES: readonly (readonly [title: string, ServiceCase])[] = [
  [
    'read-blocks: Readers of the organisation names its clients alone',
    {
      lost: ['read-blocks: peer of Org1MSP', 'read-blocks: admin of Org1MSP'],
      dangers: ['service-lost'],
      edit: ['policy set', 'Application/Org1MSP/Readers', "OR('Org1MSP.client')"],
      use: fetchNewest('admin', ordererOf),
      error: /FORBIDDEN/,
    },
  ],
  [
    'submit-transactions: Writers of the organisation names its admins alone',
    {
      lost: ['submit-transactions: client of Org1MSP'],
      dangers: ['service-lost'],
      edit: ['policy set', 'Application/Org1MSP/Writers', "OR('Org1MSP.admin')"],
      // It writes nothing.
      use: invoke([], 'qscc', 'GetChainInfo', CHANNEL),
      error: /FORBIDDEN/,
    },
  ],
  [
    'submit-config-updates: Writers of the organisation names its clients alone',
    {
      lost: ['submit-config-updates: admin of Org1MSP'],
      dangers: ['service-lost'],
      edit: ['policy set', 'Application/Org1MSP/Writers', "OR('Org1MSP.client')"],
      use: submitUpdate,
      error: /permission denied/,
    },
  ],
  [
    'administer: Admins of the organisation names its peers',
    {
      lost: ['administer: admin of Org1MSP'],
      dangers: ['policy-weakened', 'service-lost'],
      edit: ['policy set', 'Application/Org1MSP/Admins', "OR('Org1MSP.peer')"],
      use: administer,
      error: /\/Channel\/Application\/Org1MSP\/Endorsement not satisfied/,
    },
  ],
  acl('propose', 'peer/Propose', query('none', 'read'), {
    works: /chaincode none not found/,
  }),
  acl(
    'read-events',
    'event/Block',
    fetchNewest('client', () => []),
    { error: /FORBIDDEN/ },
  ),
  acl('read-events', 'event/FilteredBlock', approve, {
    lost: ['read-events: admin of Org1MSP', 'read-events event/FilteredBlock'],
    error: /FORBIDDEN/,
  }),
  acl('query-ledger', 'qscc/GetChainInfo', query('qscc', 'GetChainInfo', CHANNEL), {
    error: /access denied/,
  }),
  acl('query-config', 'cscc/GetChannelConfig', query('cscc', 'GetChannelConfig', CHANNEL)),
  acl('query-chaincode', '_lifecycle/QueryChaincodeDefinitions', (network) =>
    peerFails(network, 'client', ['lifecycle', 'chaincode', 'querycommitted', '-C', CHANNEL]),
  ),
  acl('query-previous-chaincode', 'lscc/GetInstantiatedChaincodes', query('lscc', 'GetChaincodes'), {
    options: { version: 'v2.5.16' },
  }),
  acl('commit-chaincode', '_lifecycle/CommitChaincodeDefinition', commit),
  [
    'define-chaincode: LifecycleEndorsement names admins instead of peers',
    {
      lost: ['define-chaincode: peer of Org1MSP'],
      dangers: ['service-lost'],
      edit: ['policy set', 'Application/LifecycleEndorsement', "OR('Org1MSP.admin')"],
      use: commit,
      error: /ENDORSEMENT_POLICY_FAILURE/,
    },
  ],
];

for (const [title, given] of CASES)
  test.serial(title, async (t) => {
    const network = await startNetwork(t, given.options);
    await fetchBlock(network);
    await seen(network, given.use, given.works ?? /^$/);
    await take(t, network, given);
    await seen(network, given.use, given.error);
  });

test.serial('read-blocks: the peer takes no block after that', async (t) => {
  const network = await startNetwork(t, { organisations: 2 });
  const [first, second] = network.peers;
  await take(t, network, CASES[0]![1]);
  await reaches(second!, 2);
  signNext(network);
  await fetchBlock(network);
  signNext(network);
  await submit(network, network.orderers[0].identity);
  await reaches(second!, 3);
  t.true((await heightOf(first)) < 3);
});

test.serial('read-blocks-in-maintenance: Readers of the orderers needs two signatures', async (t) => {
  const network = await startNetwork(t);
  const {
    orderers: [first],
    peers: [peer],
  } = network;
  await take(t, network, {
    lost: [
      'read-blocks-in-maintenance: admin of OrdererOrg',
      'read-blocks-in-maintenance: orderer of OrdererOrg',
    ],
    dangers: ['service-lost'],
    edit: ['policy set', 'Orderer/Readers', TWO_ORDERERS],
    by: () => first,
  });
  await reaches(peer, 2);
  // The administrator of the peers reads the block, and submits what that of the orderers has signed.
  t.is(await fetchConfig(network), '');
  const maintenance = ['edit', 'block.pb', '--set', 'consensusType.state=STATE_MAINTENANCE'];
  await eventually(async () => {
    const printed = submitEdit(network, first, ...maintenance);
    check(printed.includes('Successfully submitted channel update') || printed === '', printed);
  });
  await eventually(async () => {
    const printed = fetchRefused(network, first.identity);
    check(printed.includes('FORBIDDEN'), printed);
  });
});

for (const [rule, services, role, error] of [
  [TWO_ORDERERS, ['submit-config-updates', 'submit-config-updates-in-maintenance'], 'admin', 'initial'],
  [
    "OR('OrdererMSP.admin')",
    ['accept-config-updates', 'accept-config-updates-in-maintenance'],
    'orderer',
    'final',
  ],
] as const)
  test.serial(`${services.join(' and ')}: Writers of the orderers becomes ${rule}`, async (t) => {
    const network = await startNetwork(t);
    const [first] = network.orderers;
    await take(t, network, {
      lost: services.map((each) => `${each}: ${role} of OrdererOrg`),
      dangers: ['service-lost'],
      edit: ['policy set', 'Orderer/Writers', rule],
      by: () => first,
    });
    await fetchBlock(network);
    await refusesNext(network, `did not pass ${error} checks: implicit policy evaluation failed`);
  });
