// What the verdict about a channel says besides its text: whether it is electing, who is not active, and how many the leader does not reach.

import test from 'ava';
import { DOWN, judge, quorumOf, unreachedIn, type VerdictFacts } from '../../../core/channels/verdict.js';
import type { Consenter } from '../../../core/fabric/channel.js';

type State = 'up' | 'down' | 'electing';
interface Case extends Partial<Omit<VerdictFacts, 'observed' | 'type'>> {
  readonly type?: 'etcdraft' | 'BFT';
  readonly nodes: readonly State[];
}

const factsOf = ({ nodes, type = 'etcdraft', ...more }: Case): VerdictFacts => ({
  type,
  size: nodes.length,
  observed: nodes.map((state, index) => ({
    name: `o${index + 1}`,
    node: `o${index + 1}`,
    state: state === 'up' ? 'active' : state,
    outage: state === 'down' ? DOWN : undefined,
  })),
  others: [],
  electingFor: 0,
  stalledFor: 0,
  hasOrdered: false,
  ...more,
});

const LOST: Consenter = { name: 'o1', state: 'down', outage: DOWN };

const ELECTING: readonly (readonly [isElecting: boolean, Case])[] = [
  [false, { nodes: ['up', 'up', 'up'], reached: 3 }],
  [false, { nodes: ['up', 'up', 'electing'], reached: 2 }],
  [true, { nodes: ['electing', 'electing', 'electing'] }],
  [true, { nodes: ['up', 'electing', 'electing'], reached: 3 }],
  [true, { nodes: ['up', 'up', 'up'], reached: 1 }],
  [true, { nodes: ['down', 'electing', 'electing'], electingFor: 30_000 }],
  [true, { nodes: ['electing'], size: 3 }],
  [false, { nodes: ['down', 'down', 'electing'] }],
  [false, { nodes: ['up', 'up', 'up'], reached: 3, stalledFor: 30_000 }],
  [false, { nodes: [], size: 3 }],
  [false, { nodes: [], size: 1 }],
  [false, { nodes: ['down'], size: 3 }],
  [false, { nodes: ['up'], size: 3, reached: 1 }],
  [false, { type: 'BFT', nodes: ['up', 'up', 'up', 'up'] }],
  [false, { type: 'BFT', nodes: ['up'], size: 4 }],
  [true, { type: 'BFT', nodes: ['down', 'up', 'up', 'up'], lostLeader: LOST }],
  [true, { type: 'BFT', nodes: ['down', 'up', 'up', 'up'], lostLeader: LOST, hasOrdered: true }],
  [true, { type: 'BFT', nodes: ['up', 'up', 'electing', 'electing'], hasOrdered: true }],
  [true, { type: 'BFT', nodes: ['up', 'up', 'up', 'up'], isAwaited: true, electingFor: 1 }],
  [false, { type: 'BFT', nodes: ['up', 'up', 'up', 'up'], isAwaited: true, electingFor: 0 }],
  [false, { type: 'BFT', nodes: ['up', 'up', 'up', 'up'], electingFor: 1 }],
  [true, { type: 'BFT', nodes: ['up', 'up', 'up', 'up'], isAwaited: true, electingFor: 60_000 }],
  [false, { type: 'BFT', nodes: ['up', 'up', 'up', 'up'], stalledFor: 60_000 }],
];
for (const [isElecting, facts] of ELECTING)
  test(`${isElecting ? 'electing' : 'not electing'}: ${JSON.stringify(facts)}`, (t) => {
    t.is(judge(factsOf(facts)).isElecting, isElecting);
  });

test('consenters that are down, know no leader, or do not respond to peers are not active', (t) => {
  const observed = factsOf({ nodes: ['up', 'down', 'electing'] }).observed;
  const out: Consenter = { name: 'd:1', state: 'silent', outage: 'does not respond' };
  const { inactive } = judge({ ...factsOf({ nodes: [], size: 4 }), observed, others: ['d:1'], out: [out] });
  t.deepEqual(inactive, [observed[1]!, observed[2]!, out]);
});

for (const [count, facts] of [
  [0, { nodes: ['up', 'up', 'up'] }],
  [0, { nodes: ['up', 'up', 'up'], reached: 3 }],
  [1, { nodes: ['up', 'up', 'up'], reached: 2 }],
  [0, { nodes: ['up', 'up', 'down'], reached: 2 }],
  [1, { nodes: ['up', 'up', 'down'], reached: 1 }],
  [2, { nodes: ['up', 'up'], size: 3, reached: 1 }],
] as const satisfies readonly (readonly [number, Case])[])
  test(`the leader does not reach ${count} consenters that may participate: ${JSON.stringify(facts)}`, (t) => {
    t.is(unreachedIn(factsOf(facts)), count);
  });

for (const [unreachedFor, reason] of [
  [7_999, '3 of 3 consenters are active'],
  [8_000, '2 of 3 consenters are active, one more failure stops it'],
] as const)
  test(`a consenter that the leader has not reached for ${unreachedFor} ms: ${reason}`, (t) => {
    t.is(judge(factsOf({ nodes: ['up', 'up', 'up'], reached: 2, unreachedFor })).reason, reason);
  });

for (const [type, size, quorum] of [
  ['etcdraft', 1, 1],
  ['etcdraft', 2, 2],
  ['etcdraft', 3, 2],
  ['etcdraft', 4, 3],
  ['etcdraft', 5, 3],
  ['BFT', 1, 1],
  ['BFT', 4, 3],
  ['BFT', 5, 4],
  ['BFT', 7, 5],
  ['BFT', 10, 7],
] as const)
  test(`the quorum of ${size} consenters of ${type} is ${quorum}`, (t) => {
    t.is(quorumOf(type, size), quorum);
  });
