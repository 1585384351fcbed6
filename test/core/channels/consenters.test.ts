// The consenters of a channel from what the monitored nodes report: counts of leaders and others, relations, and leaders.

import test from 'ava';
import { consentersOf, type ObservedFacts } from '../../../core/channels/consenters.js';
import { newObservation, withoutLate, type Observation } from '../../../core/channels/observation.js';
import type { ChannelConsenters } from '../../../core/contract/internal/index.js';
import type { NodeChannel } from '../../../core/status/index.js';

const config = (own: string | undefined, size: number, type = 'etcdraft', block = 0): ChannelConsenters => ({
  channel: 'ch1',
  block,
  consensus: type,
  consenters: Array.from({ length: size }, (_, index) => ({ address: `o${index + 1}:1`, id: index + 1 })),
  own,
});

/** An orderer; the second argument changes what it reports about the channel (null: nothing), the third one what the agent knows. */
const orderer = (
  name: string,
  channel: Partial<NodeChannel> | null,
  known: Partial<Observation> = {},
): Observation => ({
  ...newObservation(name, 'orderer'),
  isUp: true,
  isStarting: false,
  ...(channel !== null && {
    channels: new Map([['ch1', { name: 'ch1', relation: 'consenter', status: 'active', ...channel }]]),
  }),
  ...known,
});

type Consensus = NonNullable<NodeChannel['consensus']>;
const raft = (size: number, active: number, leads = false): Consensus => ({
  type: 'etcdraft',
  cluster_size: size,
  active_nodes: active,
  is_leader: leads,
});
const DOWN = { isUp: false };

/** The facts of orderers `o1`, `o2` and so on with this consensus. */
const factsOf = (
  ...each: readonly (Consensus | readonly [Consensus, Partial<Observation>])[]
): ObservedFacts =>
  consentersOf(
    'ch1',
    each.map((given, index) => {
      const [consensus, known] = Array.isArray(given)
        ? (given as [Consensus, Partial<Observation>])
        : [given as Consensus, {}];
      return orderer(`o${index + 1}`, { consensus }, known);
    }),
  );

for (const [what, each, reached] of [
  ['the leader, whatever the others report', [raft(3, 2, true), raft(3, 3)], 2],
  ['the greatest of two that lead', [raft(3, 2, true), raft(3, 3, true), raft(3, 1)], 3],
  ['the greatest of two that do not lead', [raft(3, 2), raft(3, 3)], 3],
  ['the only one, which reaches itself', [raft(1, 1, true)], 1],
  ['a follower that knows one', [raft(3, 1)], 1],
  ['no one: it knows no leader', [raft(3, 0)], undefined],
  ['no one that is up', [[raft(3, 3, true), DOWN]], undefined],
  ['no one with BFT, whatever it reports', [{ ...raft(4, 4, true), type: 'BFT' }], undefined],
] as const)
  test(`how many consenters the leader reaches is known from ${what}: ${reached ?? 'unknown'}`, (t) => {
    t.is(factsOf(...each).reached, reached);
  });

for (const [what, each, size] of [
  ['the greatest of those that are up', [raft(3, 3), raft(4, 3), [raft(5, 3), DOWN]], 4],
  [
    'the greatest of the last numbers, if all are down',
    [
      [raft(3, 3), DOWN],
      [raft(4, 3), DOWN],
    ],
    4,
  ],
] as const)
  test(`the number of consenters is ${what}: ${size}`, (t) => {
    t.is(factsOf(...each).size, size);
  });

test('the number of consenters is that of the newest config, if all orderers are down', (t) => {
  const nodes = [
    orderer('o1', { consensus: raft(3, 3) }, { ...DOWN, consenters: new Map([['ch1', config('o1:1', 3)]]) }),
    orderer('o2', {}, { ...DOWN, consenters: new Map([['ch1', config('o2:1', 5, 'etcdraft', 7)]]) }),
  ];
  t.is(consentersOf('ch1', nodes).size, 5);
});

for (const [what, each, leader] of [
  ['the one that leads', [raft(3, 3), raft(3, 3, true)], 'o2'],
  ['unknown if two lead', [raft(3, 3, true), raft(3, 3, true)], undefined],
  ['unknown if none leads', [raft(3, 3)], undefined],
  ['unknown with BFT without a leader', [{ type: 'BFT', leader_id: 0 }], undefined],
  [
    'unknown with BFT if two views have different leaders',
    [
      { type: 'BFT', leader_id: 1 },
      { type: 'BFT', leader_id: 2 },
    ],
    undefined,
  ],
  ['the id of BFT without a config', [{ type: 'BFT', leader_id: 3 }], 'consenter 3'],
] as const)
  test(`the leader is ${what}: ${leader ?? 'unknown'}`, (t) => {
    t.is(factsOf(...each).leader?.name, leader);
  });

test('as many consenters may fail as are running and not needed, and never fewer than none', (t) => {
  t.is(factsOf(raft(3, 3, true), raft(3, 3), raft(3, 3)).quorum.mayFail, 1);
  t.is(factsOf([raft(3, 3), DOWN], [raft(3, 3), DOWN], raft(3, 1)).quorum.mayFail, 0);
});

const OWN = { consenters: new Map([['ch1', config('o1:1', 1)]]) };
const OTHER_KEY = 'only follows the channel, because its certificate has another key';
for (const [what, channel, known, outage] of [
  ['follower', { relation: 'follower' }, OWN, 'only follows the channel'],
  ['config-tracker', { relation: 'config-tracker' }, OWN, 'only follows the channel'],
  ['a removed channel', { removed: true }, OWN, 'does not have the channel'],
  ['no channel', null, OWN, 'does not have the channel'],
  ['nothing about its relation, while it is down', { relation: 'other' }, { ...OWN, ...DOWN }, 'is down'],
  [
    'follower, and the config has no key of the consenter',
    { relation: 'follower' },
    { ...OWN, key: 'k' },
    'only follows the channel',
  ],
  [
    'follower, and its key is not that of the consenter',
    { relation: 'follower' },
    {
      key: 'k',
      consenters: new Map([
        ['ch1', { ...config('o1:1', 1), consenters: [{ address: 'o1:1', key: 'other' }] }],
      ]),
    },
    OTHER_KEY,
  ],
] as const)
  test(`the consenter in the config that reports ${what} ${outage}`, (t) => {
    const { observed } = consentersOf('ch1', [orderer('o1', channel, known)]);
    t.deepEqual(
      observed.map((each) => [each.name, each.outage]),
      [['o1', outage]],
    );
  });

for (const [what, channel, known, isConsenter] of [
  ['a relation other', { relation: 'other' }, OWN, false],
  [
    'only consensus metrics, as before Fabric 2.3',
    { relation: undefined, consensus: raft(1, 1, true) },
    {},
    true,
  ],
  ['neither a relation nor consensus metrics', { relation: undefined }, {}, false],
  ['no channel yet, right after its start', null, { ...OWN, isStarting: true }, false],
] as const)
  test(`an orderer that reports ${what} is ${isConsenter ? 'a' : 'no'} consenter`, (t) => {
    t.is(consentersOf('ch1', [orderer('o1', channel, known)]).observed.length, isConsenter ? 1 : 0);
  });

test('a node that did not respond in time may be up, with all its channels', (t) => {
  const nodes = [orderer('o1', {}, { ...DOWN, isLate: true, missing: new Set(['ch1']) })];
  t.deepEqual(
    [nodes, withoutLate(nodes)].map((each) => consentersOf('ch1', each).observed.map(({ outage }) => outage)),
    [['is down'], [undefined]],
  );
});
