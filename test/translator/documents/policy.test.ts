// Policies and the signatures that they need, in words.

import test from 'ava';
import { describeNeed, describePolicy, describeSet } from '../../../translator/documents/policy.js';
import {
  createPolicies,
  findPolicy,
  minimalSignerSets,
  needOf,
  writeImplicitMeta,
} from '../../../translator/policy/index.js';
import { groupOf, type GroupSketch } from '../../helpers/policy-groups.js';

const orgs = (count: number, without = 0): GroupSketch['groups'] =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `Org${index + 1}`,
      { policies: index < count - without ? { Admins: `OR('Org${index + 1}MSP.admin')` } : {} },
    ]),
  );
const nodeOf = (policy: string | readonly [number, Uint8Array], groups: GroupSketch['groups'] = {}) =>
  findPolicy(createPolicies(groupOf({ policies: { P: policy }, groups })).root, 'P')!;

/** The rule 9 over Admins. */
const UNKNOWN_RULE = [3, writeImplicitMeta({ rule: 9, subPolicy: 'Admins' })] as const;

for (const [what, policy, groups, text] of [
  ['ANY', 'ANY Admins', orgs(2), 'ANY Admins (1 of Org1, Org2)'],
  ['MAJORITY', 'MAJORITY Admins', orgs(3), 'MAJORITY Admins (2 of Org1, Org2, Org3)'],
  ['ALL', 'ALL Admins', orgs(2), 'ALL Admins (2 of Org1, Org2)'],
  ['MAJORITY without groups', 'MAJORITY Admins', {}, 'MAJORITY Admins (no groups: no signature required)'],
  ['an unknown rule', UNKNOWN_RULE, orgs(2), 'rule 9 of Admins (unknown rule)'],
  [
    'MAJORITY with one group that lacks it',
    'MAJORITY Admins',
    orgs(3, 1),
    'MAJORITY Admins (2 of Org1, Org2; not in Org3)',
  ],
  [
    'MAJORITY with two groups that lack it',
    'MAJORITY Admins',
    orgs(3, 2),
    'MAJORITY Admins (2 of 3; not in Org2, Org3: nobody can)',
  ],
  [
    'names in another order than their numbers',
    'ANY Admins',
    { Org10: { policies: { Admins: "OR('A.admin')" } }, Org9: { policies: { Admins: "OR('B.admin')" } } },
    'ANY Admins (1 of Org9, Org10)',
  ],
  ['a signature policy', "AND('A.admin', 'B.member')", {}, "AND('A.admin', 'B.member')"],
] as const)
  test(`the policy ${what} in words: ${text}`, (t) => {
    t.is(describePolicy(nodeOf(policy, groups)), text);
  });

const names = (count: number): string =>
  Array.from({ length: count }, (_, index) => `'M${index + 1}.admin'`).join(', ');
const shown = (count: number, separator: string): string =>
  Array.from({ length: count }, (_, index) => `M${index + 1}.admin`).join(separator);

for (const [policy, text] of [
  ["OutOf(0, 'A.admin')", 'no signature required'],
  ["OutOf(3, 'A.admin', 'B.admin')", 'nobody can'],
  ["OR('A.admin')", 'A.admin'],
  ["OR('A.admin', 'B.admin', 'A.admin')", 'A.admin or B.admin'],
  ["AND('A.admin', 'B.admin')", 'A.admin and B.admin'],
  // Within a signature policy each signature counts once.
  ["AND('A.admin', 'A.admin', 'B.admin')", '2 × A.admin and B.admin'],
  ["OutOf(2, 'A.admin', 'B.admin', 'C.admin')", 'any 2 of A.admin, B.admin, C.admin'],
  ["OutOf(2, 'A.admin', 'A.admin', 'C.admin')", 'any 2 of A.admin, A.admin, C.admin'],
  ["AND('A.admin', OR('B.admin', 'C.admin'))", 'A.admin and (B.admin or C.admin)'],
  [
    "AND('A.admin', OR('B.admin', AND('C.admin', OR('D.admin', 'E.admin'))))",
    'A.admin and (B.admin or (C.admin and (1 of 2 further rules)))',
  ],
  [`OR(${names(12)})`, shown(12, ' or ')],
  [`OR(${names(13)})`, shown(13, ' or ')],
  [`OR(${names(14)})`, `${shown(12, ' or ')} or 2 more`],
  [`AND(${names(13)})`, shown(13, ' and ')],
  [`AND(${names(14)})`, `${shown(12, ' and ')} and 2 more`],
  [`OutOf(2, ${names(13)})`, `any 2 of ${shown(13, ', ')}`],
  [`OutOf(2, ${names(14)})`, `any 2 of ${shown(12, ', ')} and 2 more`],
] as const)
  test(`the signatures of ${policy.slice(0, 60)} (${policy.length} characters): ${text.slice(0, 60)}`, (t) => {
    t.is(describeNeed(needOf(nodeOf(policy), () => true)), text);
  });

test('one signature of a person counts for all policies of an ALL policy that name this person', (t) => {
  const groups = Object.fromEntries(
    ['One', 'Two'].map((name) => [name, { policies: { Admins: "OR('A.admin')" } }]),
  );
  t.is(describeNeed(needOf(nodeOf('ALL Admins', groups), () => true)), 'A.admin');
});

test('a set of signers in words', (t) => {
  const node = nodeOf("AND('A.admin', 'B.peer', 'B.peer')");
  const [set] = minimalSignerSets(needOf(node, () => true))!;
  t.is(describeSet(set!), 'A.admin and 2 × B.peer');
  t.is(describeSet([]), 'no signature required');
});
