// Shares that must agree before and after an update: of organisations, and of consenters.

import test from 'ava';
import { readConfig } from '../../../translator/channel/index.js';
import { addConsenter } from '../../../translator/edit/index.js';
import { ChannelState, majorityChanges } from '../../../translator/state/index.js';
import { readChannelCases } from '../../helpers/channel-cases.js';
import { CONFIG, OTHER_PEM, PEM } from '../../helpers/edits.js';
import { smallState, usualChannel, type SmallGroup } from '../../helpers/small-channel.js';

const withRule = (rule: string, ...msps: readonly string[]): SmallGroup => {
  const usual = usualChannel(...msps);
  const application = { ...usual.groups!.Application!, policies: { Tested: rule } };
  return { ...usual, groups: { Application: application } };
};
const share = (need: number, of: number) => ({ need, of });

for (const [rules, from, to, expected] of [
  [
    ['ALL Admins', 'ALL Admins'],
    ['A', 'B', 'C'],
    ['A', 'B'],
    { before: share(3, 3), after: share(2, 2), newVeto: false },
  ],
  [
    ['ALL Admins', 'ALL Admins'],
    ['A', 'B'],
    ['A', 'B', 'C'],
    { before: share(2, 2), after: share(3, 3), newVeto: true },
  ],
  [
    ['ALL Admins', 'ALL Admins'],
    ['A', 'B'],
    ['A'],
    { before: share(2, 2), after: share(1, 1), newVeto: false },
  ],
  [
    ['MAJORITY Admins', 'ALL Admins'],
    ['A', 'B', 'C'],
    ['A', 'B', 'C'],
    { before: share(2, 3), after: share(3, 3), newVeto: true },
  ],
  [
    ['MAJORITY Admins', 'MAJORITY Admins'],
    ['A', 'B'],
    ['A', 'B', 'C'],
    { before: share(2, 2), after: share(2, 3), newVeto: false },
  ],
  [
    ['ALL Admins', 'MAJORITY Admins'],
    ['A', 'B'],
    ['B', 'C', 'D'],
    { before: share(2, 2), after: share(2, 3), newVeto: false },
  ],
  [['ALL Admins', 'ANY Admins'], ['A', 'B'], ['A', 'B'], undefined],
  [["OR('A.admin')", 'ALL Admins'], ['A', 'B'], ['A', 'B'], undefined],
] as const)
  test(`${rules[0]} of ${from.join(', ')} becomes ${rules[1]} of ${to.join(', ')}: ${expected === undefined ? 'no change of a majority' : `${expected.after.need} of ${expected.after.of}${expected.newVeto ? ', and each can refuse now' : ''}`}`, (t) => {
    const [before, after] = [withRule(rules[0], ...from), withRule(rules[1], ...to)].map(smallState);
    t.deepEqual(
      majorityChanges(before!, after!),
      expected === undefined ? [] : [{ path: '/Channel/Application/Tested', rule: rules[1], ...expected }],
    );
  });

const bft = readConfig(readChannelCases().configs.get('bft4')!);

for (const [what, before, after, change] of [
  [
    'a second Raft consenter',
    CONFIG,
    addConsenter(CONFIG, { address: 'p:2', tls: PEM }).config,
    {
      path: '/Channel/Orderer/ConsensusType',
      rule: 'quorum',
      before: share(1, 1),
      after: share(2, 2),
      newVeto: true,
    },
  ],
  [
    'a fifth BFT consenter',
    bft,
    addConsenter(bft, { address: 'p:2', tls: PEM, identity: OTHER_PEM, organization: 'OrdererMSP' }).config,
    {
      path: '/Channel/Orderer/Orderers',
      rule: 'quorum',
      before: share(3, 4),
      after: share(4, 5),
      newVeto: false,
    },
  ],
] as const)
  test(`the quorum after ${what} is ${change.after.need} of ${change.after.of}`, (t) => {
    const states = [before, after].map((config) => new ChannelState(config));
    t.deepEqual(majorityChanges(states[0]!, states[1]!), [change]);
    t.deepEqual(
      majorityChanges(states[1]!, states[0]!).map(({ before: was, after: is }) => [was, is]),
      [[change.after, change.before]],
    );
  });
