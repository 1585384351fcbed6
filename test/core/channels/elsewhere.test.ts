// Consenters that agents of other hosts monitor.

import test from 'ava';
import { consentersOf } from '../../../core/channels/consenters.js';
import type { Observation } from '../../../core/channels/observation.js';
import { judge } from '../../../core/channels/verdict.js';
import type { ConsenterStatus } from '../../../core/status/index.js';

/** An orderer of this agent, whose ledger has the config with three consenters. @param address its own; undefined: unknown */
const orderer = (address: string | undefined, isLeader?: boolean): Observation => ({
  name: 'orderer',
  kind: 'orderer',
  isUp: isLeader !== undefined,
  isLate: false,
  upSince: 0,
  isStarting: false,
  listed: new Set(),
  channels: new Map([
    [
      'ch1',
      {
        name: 'ch1',
        relation: 'consenter',
        status: 'active',
        consensus: { type: 'BFT', cluster_size: 4, leader_id: 2, view_change: undefined },
      },
    ],
  ]),
  missing: new Set(),
  consenters: new Map([
    [
      'ch1',
      {
        channel: 'ch1',
        block: 0,
        consensus: 'BFT',
        consenters: ['a:1', 'b:1', 'c:1', 'd:1'].map((each, index) => ({
          address: each,
          key: each,
          id: index + 1,
        })),
        ...(address !== undefined && { own: address }),
      },
    ],
  ]),
  waiting: new Map(),
  transactions: new Map(),
  key: undefined,
  addresses: new Map(),
  responses: new Map(),
});

const elsewhere = (address: string, name: string, facts: Partial<ConsenterStatus> = {}): ConsenterStatus => ({
  name,
  node: name,
  address,
  state: 'active',
  leader: false,
  ...facts,
});

const DOWN = { state: 'down', outage: 'is down' };

/** The verdict, and the names of the consenters with their states. */
function judged(nodes: readonly Observation[], others: readonly ConsenterStatus[]): string[] {
  const { quorum, leader, ...facts } = consentersOf('ch1', nodes, others);
  const { verdict, reason } = judge({ ...facts, stalledFor: 0, electingFor: 0, hasOrdered: false });
  return [
    `${verdict}: ${reason}`,
    quorum.consenters
      .map(({ name, state }) => `${name} ${state}${name === quorum.leader ? ' leader' : ''}`)
      .join(', '),
    leader?.name ?? 'no leader',
  ];
}

test('consenters that other agents monitor count as observed', (t) => {
  t.deepEqual(
    judged([orderer('a:1', false)], [elsewhere('b:1', 'o2'), elsewhere('c:1', 'o3'), elsewhere('d:1', 'o4')]),
    ['working: 4 of 4 consenters are active', 'orderer active, o2 active leader, o3 active, o4 active', 'o2'],
  );
});

test('a consenter that is down on another host has the name of its node there', (t) => {
  t.deepEqual(
    judged(
      [orderer('a:1', false)],
      [elsewhere('b:1', 'o2'), elsewhere('c:1', 'o3'), elsewhere('d:1', 'o4', DOWN)],
    )[0],
    'at-risk: 3 of 4 consenters are active, one more failure stops it; o4 is down',
  );
});

test('the lost leader of a BFT channel is found on another host', (t) => {
  t.regex(
    judged(
      [orderer('a:1', false)],
      [elsewhere('b:1', 'o2', DOWN), elsewhere('c:1', 'o3'), elsewhere('d:1', 'o4')],
    )[0] ?? '',
    /^at-risk: orders nothing: its leader o2 is down; /,
  );
});

test('a node with a name that this or another agent uses, too, has its address as name', (t) => {
  const others = [
    elsewhere('b:1', 'orderer', DOWN),
    elsewhere('c:1', 'same', DOWN),
    elsewhere('d:1', 'same'),
  ];
  t.deepEqual(
    judged([orderer('a:1', false)], others)[0],
    'stopped: 2 of 4 consenters are down (b:1, c:1), 3 must be active',
  );
});

test('another agent cannot change the state of a node of this agent, nor add a consenter', (t) => {
  const others = [elsewhere('a:1', 'x', DOWN), elsewhere('e:1', 'y'), elsewhere('b:1', 'o2')];
  t.deepEqual(judged([orderer('a:1', false)], others).slice(0, 2), [
    'unknown: 2 of 4 consenters are active; c:1, d:1 are not monitored by this agent',
    'orderer active, o2 active leader, c:1 unknown, d:1 unknown',
  ]);
});

test('if the address of a node of this agent is unknown, other agents do not count: a consenter might count twice', (t) => {
  t.regex(judged([orderer(undefined, false)], [elsewhere('b:1', 'o2')])[0] ?? '', /^unknown: 1 of 4 /);
});

test('of two agents that monitor a consenter, the one that finds it active counts', (t) => {
  const others = ['b:1', 'c:1', 'd:1'].flatMap((each) => [
    elsewhere(each, each, DOWN),
    elsewhere(each, each),
  ]);
  t.is(judged([orderer('a:1', false)], others)[0], 'working: 4 of 4 consenters are active');
});

/** An orderer of this agent that leads the channel, with Raft. @param reached how many of 4 consenters it reaches */
function raftLeader(reached: number): Observation {
  const channel = { name: 'ch1', relation: 'consenter', status: 'active' } as const;
  const consensus = { type: 'etcdraft', is_leader: true, cluster_size: 4, active_nodes: reached } as const;
  const { consenters, ...node } = orderer('a:1', true);
  return {
    ...node,
    consenters: new Map([...consenters].map(([name, each]) => [name, { ...each, consensus: 'etcdraft' }])),
    channels: new Map([['ch1', { ...channel, consensus }]]),
  };
}

test('a Raft leader that reaches fewer consenters: for 8 s the agent waits until another agent names the consenter', (t) => {
  const leader = raftLeader(3);
  const verdict = (d: Partial<ConsenterStatus>, unreachedFor: number): string => {
    const others = [elsewhere('b:1', 'o2'), elsewhere('c:1', 'o3'), elsewhere('d:1', 'o4', d)];
    const { type, ...facts } = consentersOf('ch1', [leader], others);
    const times = { stalledFor: 0, electingFor: 0, hasOrdered: false, unreachedFor };
    const judgement = judge({ ...facts, type, ...times });
    return `${judgement.verdict}: ${judgement.reason}`;
  };
  t.is(verdict({}, 0), 'working: 4 of 4 consenters are active');
  t.is(verdict(DOWN, 0), 'at-risk: 3 of 4 consenters are active, one more failure stops it; o4 is down');
  t.is(
    verdict({}, 8_000),
    'at-risk: 3 of 4 consenters are active, one more failure stops it; one of o2, o3, o4 is not active',
  );
});

for (const [unreachedFor, names] of [
  [19_999, 'one of d:1, o2, o3 is not active'],
  [20_000, 'd:1 is not active'],
] as const)
  test(`a Raft leader reaches one consenter less for ${unreachedFor} ms, and the agent of one host cannot be read: ${names}`, (t) => {
    const leader = raftLeader(3);
    const { type, ...facts } = consentersOf(
      'ch1',
      [leader],
      [elsewhere('b:1', 'o2'), elsewhere('c:1', 'o3')],
    );
    const times = { stalledFor: 0, electingFor: 0, hasOrdered: false, unreachedFor };
    t.is(
      judge({ ...facts, type, ...times }).reason,
      `3 of 4 consenters are active, one more failure stops it; ${names}`,
    );
  });
