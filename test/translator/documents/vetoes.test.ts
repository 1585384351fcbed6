// Lost vetoes in words.

import test from 'ava';
import { lostVetoText } from '../../../translator/documents/index.js';

for (const [lost, text] of [
  [[], undefined],
  [[['/Channel/Application', ['Org1']]], 'Org1 loses its veto over the application'],
  [
    [
      ['/Channel', ['Org1', 'Org2']],
      ['/Channel/Application', ['Org1', 'Org2']],
    ],
    'Org1 and Org2 lose their veto over the channel and the application',
  ],
  [
    [
      ['/Channel', ['Org1']],
      ['/Channel/Orderer', ['O\n']],
    ],
    'Org1 loses its veto over the channel; O\\n loses its veto over the ordering',
  ],
] as const)
  test(`lost vetoes, ${lost.map(([path]) => path).join(' and ') || 'none'}: ${text ?? 'no text'}`, (t) => {
    t.is(lostVetoText(lost.map(([path, organizations]) => ({ path, organizations }))), text);
  });
