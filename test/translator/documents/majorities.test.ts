// Changed majorities in words.

import test from 'ava';
import { majorityLines } from '../../../translator/documents/majorities.js';
import type { MajorityChange } from '../../../translator/state/index.js';

const change = (
  before: readonly [number, number],
  after: readonly [number, number],
  fields: Partial<MajorityChange> = {},
): MajorityChange => ({
  path: '/Channel/Application/Admins',
  rule: 'MAJORITY Admins',
  before: { need: before[0], of: before[1] },
  after: { need: after[0], of: after[1] },
  newVeto: false,
  ...fields,
});

for (const [what, changes, lines] of [
  ['nothing', [], []],
  ['one policy', [change([2, 2], [2, 3])], ['Application/Admins: 2 of 2 becomes 2 of 3']],
  [
    'two policies alike',
    [change([2, 2], [2, 3]), change([2, 2], [2, 3], { path: '/Channel/Application/Endorsement' })],
    ['Application/Admins, Application/Endorsement: 2 of 2 becomes 2 of 3'],
  ],
  [
    'a policy and the quorum',
    [change([2, 3], [3, 4]), change([2, 3], [2, 2], { rule: 'quorum' })],
    ['Application/Admins: 2 of 3 becomes 3 of 4', 'quorum of the consenters: 2 of 3 becomes 2 of 2'],
  ],
  [
    'a new veto',
    [change([2, 3], [2, 2], { newVeto: true })],
    ['Application/Admins: 2 of 3 becomes 2 of 2; each of the 2 can refuse alone'],
  ],
  [
    'one that stays',
    [change([2, 2], [1, 1])],
    ['Application/Admins: 2 of 2 becomes 1 of 1; the one that stays decides alone'],
  ],
  ['the first one', [change([0, 0], [1, 1])], ['Application/Admins: 0 of 0 becomes 1 of 1']],
  ['one that was alone', [change([0, 1], [1, 1])], ['Application/Admins: 0 of 1 becomes 1 of 1']],
] as const)
  test(`changed majorities, ${what}: ${lines.join('; ') || 'no line'}`, (t) => {
    t.deepEqual(majorityLines(changes), [...lines]);
  });
