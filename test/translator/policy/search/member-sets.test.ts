// Sets of principals that must sign: of one policy, where each signature counts once, and of several.

import test from 'ava';
import {
  compareSets,
  includes,
  sum,
  union,
  type MemberSet,
} from '../../../../translator/policy/search/member-sets.js';
import type { Principal } from '../../../../translator/msp/index.js';

/** A sorted set: `A.admin A.member`. `A.unit` is a unit. */
const setOf = (names: string): MemberSet =>
  names
    .split(' ')
    .filter((name) => name !== '')
    .toSorted()
    .map((name) => {
      const [mspid = '', role = ''] = name.split('.');
      const principal =
        role === 'unit'
          ? { kind: 'ou', mspid, unit: 'u', certifiersIdentifier: Buffer.of(1) }
          : { kind: 'role', mspid, role };
      return { principal: principal as Principal, key: name };
    });
const textOf = (set: MemberSet): string => set.map(({ key }) => key).join(' ');

for (const [left, right, ofOne, ofSeveral] of [
  ['', '', '', ''],
  ['A.admin', '', 'A.admin', 'A.admin'],
  ['A.admin', 'B.admin', 'A.admin B.admin', 'A.admin B.admin'],
  ['A.admin', 'A.admin', 'A.admin A.admin', 'A.admin'],
  ['A.admin A.admin', 'A.admin', 'A.admin A.admin A.admin', 'A.admin A.admin'],
  ['A.admin C.admin', 'B.admin C.admin', 'A.admin B.admin C.admin C.admin', 'A.admin B.admin C.admin'],
  // An admin is also a member of its MSP, if the other policy needs one.
  ['A.admin', 'A.member', 'A.admin A.member', 'A.admin'],
  ['A.peer', 'A.member', 'A.member A.peer', 'A.peer'],
  ['A.admin', 'B.member', 'A.admin B.member', 'A.admin B.member'],
  ['A.admin A.peer', 'A.member A.member', 'A.admin A.member A.member A.peer', 'A.admin A.peer'],
  ['A.admin', 'A.member A.member', 'A.admin A.member A.member', 'A.admin A.member'],
  ['A.admin', 'A.admin A.member', 'A.admin A.admin A.member', 'A.admin A.member'],
  ['A.admin A.member', '', 'A.admin A.member', 'A.admin A.member'],
  ['A.member', 'A.member', 'A.member A.member', 'A.member'],
  ['A.admin', 'A.peer', 'A.admin A.peer', 'A.admin A.peer'],
  ['A.unit', 'A.member', 'A.member A.unit', 'A.member A.unit'],
  ['A.admin B.member', 'A.member B.admin', 'A.admin A.member B.admin B.member', 'A.admin B.admin'],
] as const)
  test(`the signers of [${left}] and [${right}] are [${ofOne}] in one policy, [${ofSeveral}] in two`, (t) => {
    for (const [one, other] of [
      [setOf(left), setOf(right)],
      [setOf(right), setOf(left)],
    ] as const) {
      t.is(textOf(sum(one, other)), ofOne);
      t.is(textOf(union(one, other)), ofSeveral);
    }
  });

test('sets are sorted by their size, then by their principals', (t) => {
  const sets = ['B.admin C.admin', 'A.admin D.admin', 'C.admin', '', 'A.admin C.admin', 'B.admin'];
  t.deepEqual(sets.map(setOf).toSorted(compareSets).map(textOf), [
    '',
    'B.admin',
    'C.admin',
    'A.admin C.admin',
    'A.admin D.admin',
    'B.admin C.admin',
  ]);
  t.is(compareSets(setOf('A.admin B.admin'), setOf('A.admin B.admin')), 0);
});

for (const [set, smaller, is] of [
  ['A.admin', '', true],
  ['', 'A.admin', false],
  ['A.admin B.admin C.admin', 'B.admin', true],
  ['A.admin B.admin C.admin', 'A.admin C.admin', true],
  ['A.admin C.admin', 'B.admin', false],
  ['A.admin C.admin', 'D.admin', false],
  ['A.admin C.admin', 'A.admin A.admin', false],
  ['A.admin A.admin C.admin', 'A.admin A.admin', true],
] as const)
  test(`the set [${set}] ${is ? 'includes' : 'does not include'} the set [${smaller}]`, (t) => {
    t.is(includes(setOf(set), setOf(smaller)), is);
  });
