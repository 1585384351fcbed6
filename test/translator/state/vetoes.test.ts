// The vetoes that organisations lose by an update.

import test from 'ava';
import { lostVetoes } from '../../../translator/state/index.js';
import { organization, smallState, usualChannel, type SmallGroup } from '../../helpers/small-channel.js';

/** A channel of some organisations, with another rule for the application. */
function channel(rule: string, ...msps: readonly string[]): SmallGroup {
  const usual = usualChannel(...msps);
  const application = usual.groups!.Application!;
  const policies = { ...application.policies, Admins: rule };
  return { ...usual, groups: { ...usual.groups, Application: { ...application, policies } } };
}

const MAJORITY = 'MAJORITY Admins';
const both = (...organizations: readonly string[]) => [
  { path: '/Channel', organizations },
  { path: '/Channel/Application', organizations },
];

for (const [what, before, after, lost] of [
  [
    'a third organisation: the first two lose it, also over the channel',
    channel(MAJORITY, 'A', 'B'),
    channel(MAJORITY, 'A', 'B', 'C'),
    both('A', 'B'),
  ],
  [
    'a fourth organisation: nobody had one',
    channel(MAJORITY, 'A', 'B', 'C'),
    channel(MAJORITY, 'A', 'B', 'C', 'D'),
    [],
  ],
  ['a second organisation: the first one keeps it', channel(MAJORITY, 'A'), channel(MAJORITY, 'A', 'B'), []],
  [
    'two more organisations: the only one loses it',
    channel(MAJORITY, 'A'),
    channel(MAJORITY, 'A', 'B', 'C'),
    both('A'),
  ],
  [
    'an organisation that goes: no veto, but its place',
    channel('ALL Admins', 'A', 'B'),
    channel(MAJORITY, 'B', 'C', 'D'),
    both('B'),
  ],
  [
    'any one of two: both lose it',
    channel(MAJORITY, 'A', 'B'),
    channel('ANY Admins', 'A', 'B'),
    both('A', 'B'),
  ],
  [
    'signatures of both in other words: nobody loses one',
    channel(MAJORITY, 'A', 'B'),
    channel("AND('A.admin', 'B.admin')", 'A', 'B', 'C'),
    [],
  ],
  [
    'a signature policy without one of them: it loses its veto',
    channel("AND('A.admin', 'B.admin')", 'A', 'B'),
    channel("AND('A.admin', OR('B.admin', 'A.member'))", 'A', 'B'),
    both('B'),
  ],
  [
    'a policy that nobody could satisfy, because X is not in the channel: there was no veto',
    channel("AND('A.admin', 'X.admin')", 'A'),
    channel("OR('A.admin', 'X.admin')", 'A'),
    [],
  ],
  ['a rule of no organisations', channel(MAJORITY), channel(MAJORITY, 'A'), []],
] as const)
  test(`from one policy of a channel to another, ${what}`, (t) => {
    t.deepEqual(lostVetoes(smallState(before), smallState(after)), [...lost]);
  });

test('an orderer organisation loses its veto over the channel and the ordering', (t) => {
  const usual = usualChannel('A');
  const orderer = usual.groups!.Orderer!;
  const groups = { ...orderer.groups, P: organization('P'), Q: organization('Q') };
  const after = { ...usual, groups: { ...usual.groups, Orderer: { ...orderer, groups } } };
  t.deepEqual(lostVetoes(smallState(usual), smallState(after)), [
    { path: '/Channel', organizations: ['O'] },
    { path: '/Channel/Orderer', organizations: ['O'] },
  ]);
});
