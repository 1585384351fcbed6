// The quorum of a channel in words.

import test from 'ava';
import { quorumOf, quorumText } from '../../../translator/documents/orderer.js';

for (const [type, consenters, text] of [
  ['etcdraft', 1, '1 consenter, quorum 1: none may fail'],
  ['etcdraft', 2, '2 consenters, quorum 2: none may fail'],
  ['etcdraft', 3, '3 consenters, quorum 2: 1 may fail'],
  ['etcdraft', 5, '5 consenters, quorum 3: 2 may fail'],
  ['BFT', 3, '3 consenters, quorum 2: none may fail'],
  ['BFT', 4, '4 consenters, quorum 3: 1 may fail'],
  ['BFT', 7, '7 consenters, quorum 5: 2 may fail'],
] as const)
  test(`the quorum of ${consenters} consenters of the type ${type}: ${text}`, (t) => {
    t.is(quorumText(quorumOf(type, consenters)), text);
  });
