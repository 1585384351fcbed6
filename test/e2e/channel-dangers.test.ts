// Updates that real orderers accept and that break something: `review` names the danger before, and it happens afterwards.

import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { check, eventually } from './daemon.js';
import {
  changeChannel,
  fetchBlock,
  signUpdate,
  submit,
  submitRefused,
  translate,
  type ConfigGroupJson,
} from './fabric/channel-edits.js';
import {
  bftOptions,
  cannotFetch,
  changeWith,
  dangersOf,
  heightOf,
  logged,
  orderer,
  ordererMsp,
  peerMsp,
  raftOptions,
  reaches,
  refusesNext,
  revocationList,
  type Edit,
} from './fabric/harmful-updates.js';
import { startNetwork, type FabricNetwork } from './fabric/network.js';
import { createCertificates, ordererIdentity, signingCertificate } from './fabric/network-files.js';

test.serial(
  'a BFT consenter gets the id 0: three of four orderers panic, and again at each start',
  async (t) => {
    const network = await startNetwork(t, { orderers: 4, consensus: 'BFT' });
    const { orderers } = network;
    const edit: Edit = (channel) => (orderer(channel).values.Orderers.value.consenter_mapping[3].id = 0);
    await changeWith(t, network, edit, orderers[0], ['bft-id-zero']);
    const panic = 'node id 0 which is not permitted';
    await logged(orderers, 3, panic);
    const stopped = orderers.find((node) => node.log().includes(panic))!;
    await t.throwsAsync(async () => stopped.start(), { message: new RegExp(panic) });
  },
);

for (const [name, value] of [
  ['leader_heartbeat_count', '0'],
  ['request_pool_size', '0'],
  ['request_complain_timeout', '1s'],
] as const)
  // Orderers of 3.1 refuse these updates.
  test.serial(
    `the BFT option ${name} becomes ${value}: orderers of 3.0 take no further update`,
    async (t) => {
      const network = await startNetwork(t, { version: 'v3.0.0', orderers: 4, consensus: 'BFT' });
      const edit: Edit = (channel) => (bftOptions(channel)[name] = value);
      await changeWith(t, network, edit, network.orderers[0], ['bft-option']);
      await eventually(async () => check((await fetchBlock(network)) > 0n, 'no config block'));
      await refusesNext(network, 'pool closed');
    },
  );

for (const [name, value, danger] of [
  ['tick_interval', '1h', 'raft-election-timeout'],
  ['election_tick', 2 ** 31, 'raft-election-timeout'],
] as const)
  test.serial(`the Raft option ${name} becomes ${value}: there is no leader after a restart`, async (t) => {
    const network = await startNetwork(t);
    const [first] = network.orderers;
    const edit: Edit = (channel) => (raftOptions(channel)[name] = value);
    await changeWith(t, network, edit, first, [danger]);
    await eventually(async () => check((await fetchBlock(network)) > 0n, 'no config block'));
    await first.stop();
    await first.start();
    await refusesNext(network, 'no Raft leader');
  });

for (const [policy, reason, ...weakened] of [
  ["OR('Org1MSP.member')", 'signature set did not satisfy policy', 'policy-weakened'],
  ['ANY Admins', 'implicit policy evaluation failed'],
] as const)
  test.serial(
    `BlockValidation becomes ${policy}: orderers go on, peers take no block after it`,
    async (t) => {
      const network = await startNetwork(t);
      const {
        directory,
        orderers: [first],
        peers: [peer],
      } = network;
      await fetchBlock(network);
      translate(directory, [
        'policy',
        'set',
        'block.pb',
        'Orderer/BlockValidation',
        policy,
        '-o',
        'update.pb',
      ]);
      signUpdate(network, first.identity);
      t.deepEqual(dangersOf(network, first), [4, 'block-validation', ...weakened]);
      await submit(network, first.identity);
      await eventually(async () => check((await fetchBlock(network)) > 0n, 'no config block'));
      translate(directory, ['edit', 'block.pb', '--set', 'batchTimeout=300ms', '-o', 'update.pb']);
      signUpdate(network, first.identity);
      await submit(network, first.identity);
      await eventually(async () => check((await fetchBlock(network)) > 1n, 'no config block'));
      await logged([peer], 1, `could not be verified: ${reason}`);
      t.is(await heightOf(peer), 2);
    },
  );

test.serial('BlockValidation is removed: peers go on, the orderer panics at its next start', async (t) => {
  const network = await startNetwork(t);
  const {
    orderers: [first],
    peers: [peer],
  } = network;
  await changeWith(t, network, (channel) => delete orderer(channel).policies.BlockValidation, first, [
    'policy-missing',
  ]);
  await reaches(peer, 2);
  await first.stop();
  await t.throwsAsync(async () => first.start(), { message: /no policies in config block/ });
});

/** An edit that replaces the root CA of an MSP by one of the same name, but with another key. */
function replacedRoot(
  { tools, directory }: FabricNetwork,
  organisation: string,
  msp: (channel: ConfigGroupJson) => object,
): Edit {
  const other = join(directory, 'other');
  mkdirSync(other);
  createCertificates(tools, other, { orderers: 1, organisations: 1 });
  const root = (parent: string): string => {
    const place = join(parent, 'crypto', organisation, 'msp/cacerts');
    return readFileSync(join(place, readdirSync(place)[0]!)).toString('base64');
  };
  return (channel) => {
    const found = msp(channel);
    Object.assign(found, JSON.parse(JSON.stringify(found).replaceAll(root(directory), root(other))));
  };
}

const requireUnit = (msp: any): void => {
  msp.organizational_unit_identifiers = [
    { certificate: msp.root_certs[0], organizational_unit_identifier: 'ops' },
  ];
};

const OF_ORDERERS: readonly (readonly [
  what: string,
  danger: string,
  edit: (network: FabricNetwork) => Edit,
])[] = [
  [
    'has another root CA',
    'msp-ca-removed',
    (network) => replacedRoot(network, 'ordererOrganizations/example.com', ordererMsp),
  ],
  [
    'has another unit of admins',
    'msp-node-ou-changed',
    () => (channel) =>
      (ordererMsp(channel).fabric_node_ous.admin_ou_identifier.organizational_unit_identifier = 'boss'),
  ],
  ['requires a unit', 'msp-unit-required', () => (channel) => requireUnit(ordererMsp(channel))],
  [
    'has a revocation list without authorityKeyIdentifier that revokes a node',
    'msp-revocation-list',
    ({ directory }) =>
      (channel) =>
        (ordererMsp(channel).revocation_list = [revocationList(directory, [])]),
  ],
];

for (const [what, danger, edit] of OF_ORDERERS)
  test.serial(`the orderer organisation ${what}: its admin can read and change nothing`, async (t) => {
    const network = await startNetwork(t);
    const [first] = network.orderers;
    await changeWith(t, network, edit(network), first, [danger]);
    await cannotFetch(network, first);
  });

test.serial(
  'organisations get another root CA, a required unit, no unit of peers: their peers stop at the block before',
  async (t) => {
    const network = await startNetwork(t, { organisations: 4 });
    const { peers } = network;
    const changes: readonly (readonly [dangers: readonly string[], edit: Edit])[] = [
      [
        ['msp-ca-removed'],
        replacedRoot(network, 'peerOrganizations/org1.example.com', (channel) => peerMsp(channel, 1)),
      ],
      [['msp-unit-required'], (channel) => requireUnit(peerMsp(channel, 2))],
      [['msp-node-ou-changed'], (channel) => delete peerMsp(channel, 3).fabric_node_ous.peer_ou_identifier],
    ];
    for (const [index, [dangers, edit]] of changes.entries()) {
      const peer = peers[index]!;
      await changeWith(t, network, edit, peer, dangers);
      await reaches(peers[3]!, index + 2);
      t.is(await heightOf(peer), index + 1);
    }
  },
);

test.serial(
  'BFT without a fitting BlockValidation: the channel cannot leave maintenance until the policy fits',
  async (t) => {
    const network = await startNetwork(t, { orderers: 4 });
    const { directory, orderers, peers } = network;
    const [first] = orderers;
    await changeChannel(
      network,
      ['capabilities set', 'channel', 'V3_0'],
      [first.identity, peers[0].identity],
    );
    await changeChannel(
      network,
      ['edit', '--set', 'consensusType.state=STATE_MAINTENANCE'],
      [first.identity],
    );
    const toBft: Edit = (channel) => {
      const { values } = orderer(channel);
      const { consenters } = values.ConsensusType.value.metadata;
      values.ConsensusType.value = { metadata: BFT_OPTIONS, state: 'STATE_MAINTENANCE', type: 'BFT' };
      values.Orderers = {
        mod_policy: 'Admins',
        value: {
          consenter_mapping: consenters.map((consenter: object, index: number) => ({
            ...consenter,
            id: index + 1,
            msp_id: 'OrdererMSP',
            identity: readFileSync(signingCertificate(ordererIdentity(directory, index + 1))).toString(
              'base64',
            ),
          })),
        },
      };
    };
    await changeWith(t, network, toBft, first, ['bft-switch-policy']);
    await eventually(async () => check((await fetchBlock(network)) > 2n, 'no config block'));
    for (const node of orderers) await node.stop();
    await Promise.all(orderers.map((node) => node.start()));
    translate(directory, [
      'edit',
      'block.pb',
      '--set',
      'consensusType.state=STATE_NORMAL',
      '-o',
      'update.pb',
    ]);
    signUpdate(network, first.identity);
    await eventually(async () => {
      const printed = submitRefused(network, first.identity);
      check(printed.includes('block validation policy should be a signature policy'), printed);
    });
  },
);

const BFT_OPTIONS = {
  collect_timeout: '1s',
  decisions_per_leader: '3',
  incoming_message_buffer_size: '200',
  leader_heartbeat_count: '10',
  leader_heartbeat_timeout: '1m0s',
  leader_rotation: 'ROTATION_OFF',
  request_auto_remove_timeout: '3m0s',
  request_batch_max_bytes: '10485760',
  request_batch_max_count: '100',
  request_batch_max_interval: '50ms',
  request_complain_timeout: '20s',
  request_forward_timeout: '2s',
  request_max_bytes: '10485760',
  request_pool_size: '400',
  speed_up_view_change: false,
  sync_on_start: true,
  view_change_resend_interval: '5s',
  view_change_timeout: '20s',
};
