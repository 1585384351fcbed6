// The organisations that can refuse or make changes alone, before and after an update.

import test from 'ava';
import { findGains, type DecisionChange } from '../../../translator/control/index.js';
import { organization, smallState, usualChannel, type SmallGroup } from '../../helpers/small-channel.js';

/** A channel of some organisations, with another rule for the application. */
function channel(rule: string, ...msps: readonly string[]): SmallGroup {
  const usual = usualChannel(...msps);
  const application = usual.groups!.Application!;
  const policies = { ...application.policies, Admins: rule };
  return { ...usual, groups: { ...usual.groups, Application: { ...application, policies } } };
}

const MAJORITY = 'MAJORITY Admins';
const of =
  (kind: DecisionChange['kind'], ...paths: readonly string[]) =>
  (...organizations: readonly string[]): readonly DecisionChange[] =>
    paths.map((path) => ({ kind, path, organizations }));
const both = of('veto-lost', '/Channel', '/Channel/Application');
const noLonger = of('alone-lost', '/Channel/Application');
const nowAlone = of('alone-gained', '/Channel/Application');

/** The changes of decisions by an update. */
const changesOf = async (before: SmallGroup, after: SmallGroup): Promise<readonly DecisionChange[]> =>
  (await findGains(smallState(before), smallState(after), new Set())).decisions;

/** In the order of the parts. */
const sorted = (changes: readonly DecisionChange[]): readonly DecisionChange[] =>
  changes.toSorted((one, other) => one.path.length - other.path.length);

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
  [
    'a second organisation: the first one keeps its veto, and does not decide alone any more',
    channel(MAJORITY, 'A'),
    channel(MAJORITY, 'A', 'B'),
    noLonger('A'),
  ],
  [
    'two more organisations: the only one loses it',
    channel(MAJORITY, 'A'),
    channel(MAJORITY, 'A', 'B', 'C'),
    [...both('A'), ...noLonger('A')],
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
    [...both('A', 'B'), ...nowAlone('A', 'B')],
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
    [...both('B'), ...nowAlone('A')],
  ],
  [
    'a policy that names X, which O can add to the channel: A and O have no veto any more',
    channel("AND('A.admin', 'X.admin')", 'A'),
    channel("OR('A.admin', 'X.admin')", 'A'),
    [
      ...of('veto-lost', '/Channel')('A'),
      ...of('alone-gained', '/Channel')('O'),
      ...of('veto-lost', '/Channel/Application')('A', 'O'),
      ...of('alone-gained', '/Channel/Application')('A', 'O'),
    ],
  ],
  [
    'one of two goes: the other one decides alone',
    channel(MAJORITY, 'A', 'B'),
    channel(MAJORITY, 'A'),
    nowAlone('A'),
  ],
  [
    'a rule of no organisations, which anybody satisfies: O alone changed the channel',
    channel(MAJORITY),
    channel(MAJORITY, 'A'),
    of('alone-lost', '/Channel')('O'),
  ],
] as const)
  test(`from one policy of a channel to another, ${what}`, async (t) => {
    t.deepEqual(await changesOf(before, after), [...sorted(lost)]);
  });

test('an orderer organisation loses its veto over the channel and the ordering, which it changed alone', async (t) => {
  const usual = usualChannel('A');
  const orderer = usual.groups!.Orderer!;
  const groups = { ...orderer.groups, P: organization('P'), Q: organization('Q') };
  const after = { ...usual, groups: { ...usual.groups, Orderer: { ...orderer, groups } } };
  t.deepEqual(await changesOf(usual, after), [
    { kind: 'veto-lost', path: '/Channel', organizations: ['O'] },
    { kind: 'veto-lost', path: '/Channel/Orderer', organizations: ['O'] },
    { kind: 'alone-lost', path: '/Channel/Orderer', organizations: ['O'] },
  ]);
});
