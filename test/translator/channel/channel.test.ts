// The channels of recorded configs, and the arithmetic of their consenters.

import test from 'ava';
import {
  blockValidationPolicy,
  membershipChange,
  quorumLoss,
  type BftEntry,
  type MembershipChange,
} from '../../../translator/channel/consenters.js';
import type { RaftConsenter } from '../../../translator/channel/values.js';
import { bftQuorum, channelOf, readConfig, type Channel } from '../../../translator/channel/index.js';
import { readChannelCases } from '../../helpers/channel-cases.js';

const { configs } = readChannelCases();
const channelIn = (name: string): Channel => channelOf(readConfig(configs.get(name)!));

test('a Raft channel has its organisations, consenters and batch', (t) => {
  const { orderer, application, hashingAlgorithm, consortiums } = channelIn('app3');
  t.is(hashingAlgorithm, 'SHA256');
  t.is(consortiums, undefined);
  t.is(orderer.consensus.type, 'etcdraft');
  t.false(orderer.isInMaintenance);
  t.is(orderer.consenters[0]?.port, 7050);
  t.true(orderer.batchSize.maxMessageCount > 0);
  t.deepEqual(
    application.organizations
      .map(({ name, mspId }) => `${name} ${mspId}`)
      .toSorted((a, b) => a.localeCompare(b)),
    ['Org1 Org1MSP', 'Org2 Org2MSP', 'Org3 Org3MSP'],
  );
});

test('a BFT channel has consenters with identities, and its BlockValidation matches them', (t) => {
  const config = readConfig(configs.get('bft4')!);
  const { orderer, capabilities } = channelOf(config);
  t.deepEqual([...capabilities], ['V3_0']);
  const consenters = orderer.consenters as readonly BftEntry[];
  t.is(consenters.length, 4);
  const policy = config.channelGroup.groups.get('Orderer')!.policies.get('BlockValidation')!.policy!;
  t.deepEqual(Buffer.from(blockValidationPolicy(consenters).value), Buffer.from(policy.value));
});

test('a system channel has consortiums', (t) => {
  t.true(channelIn('consortium').consortiums!.length > 0);
});

for (const [n, faulty, quorum] of [
  [1, 0, 1],
  [4, 1, 3],
  [5, 1, 4],
  [7, 2, 5],
  [10, 3, 7],
] as const) {
  test(`of ${n} BFT consenters ${faulty} may be faulty and ${quorum} sign a block`, (t) => {
    t.deepEqual(bftQuorum(n), { faulty, quorum });
  });
}

const LOSSES: readonly (readonly [
  MembershipChange['kind'],
  number,
  number,
  number,
  ReturnType<typeof quorumLoss>,
])[] = [
  ['added', 1, 2, 1, 'no'],
  ['added', 3, 4, 2, 'yes'],
  ['removed', 3, 2, 3, 'no'],
  ['removed', 3, 2, 2, 'if-alive'],
  ['removed', 2, 1, 1, 'if-alive'],
  ['removed', 5, 4, 2, 'yes'],
  ['rotated', 3, 3, 2, 'if-alive'],
  ['rotated', 2, 2, 1, 'no'],
  ['none', 3, 3, 1, 'no'],
  ['unsupported', 3, 5, 1, 'no'],
  ['added', 2, 3, 1, 'yes'],
  ['added', 2, 3, 2, 'no'],
  ['removed', 3, 2, 1, 'yes'],
  ['removed', 4, 3, 3, 'no'],
  ['removed', 1, 0, 1, 'yes'],
  ['rotated', 3, 3, 1, 'yes'],
  ['rotated', 3, 3, 3, 'no'],
];

for (const [kind, before, after, active, loss] of LOSSES) {
  test(`${kind}, ${before} to ${after} consenters with ${active} alive: loss of the quorum ${loss}`, (t) => {
    const change = { kind, before, after, added: [], removed: [] };
    t.is(quorumLoss(change, active, undefined), loss);
    if (loss === 'if-alive')
      t.deepEqual(
        [true, false].map((isAlive) => quorumLoss(change, active, isAlive)),
        ['yes', 'no'],
      );
  });
}

const consenter = (name: string): RaftConsenter => ({
  host: name,
  port: 1,
  clientTlsCert: Buffer.from(name),
  serverTlsCert: Buffer.from(name),
});

for (const [before, after, kind, added, removed] of [
  ['a b', 'b a', 'none', '', ''],
  ['a', 'a b', 'added', 'b', ''],
  ['a b', 'b', 'removed', '', 'a'],
  ['a b', 'a c', 'rotated', 'c', 'b'],
  ['a', 'a b c', 'unsupported', 'b c', ''],
  ['a b c', 'a', 'unsupported', '', 'b c'],
  ['a b c', 'a d', 'unsupported', 'd', 'b c'],
] as const)
  test(`from the consenters ${before} to ${after} the change is ${kind}`, (t) => {
    const [old, now] = [before, after].map((names) => names.split(' ').map(consenter));
    const change = membershipChange(old!, now!);
    t.deepEqual(
      [change.kind, change.added, change.removed].map((each) =>
        typeof each === 'string' ? each : each.map(({ host }) => host).join(' '),
      ),
      [kind, added, removed],
    );
    t.deepEqual([change.before, change.after], [old!.length, now!.length]);
  });

test('a consenter is the same one with another address and server certificate', (t) => {
  const moved = { ...consenter('a'), host: 'b', port: 2, serverTlsCert: Buffer.from('c') };
  t.is(membershipChange([consenter('a')], [moved]).kind, 'none');
});
