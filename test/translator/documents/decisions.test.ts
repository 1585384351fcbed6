// Changes of who decides, in words.

import test from 'ava';
import { decisionText, decisionsOf } from '../../../translator/documents/index.js';

for (const [changes, text] of [
  [[], ''],
  [[['veto-lost', '/Channel/Application', ['Org1']]], 'Org1 loses its veto over the group Application'],
  [
    [
      ['veto-lost', '/Channel', ['Org1', 'Org2']],
      ['veto-lost', '/Channel/Application', ['Org1', 'Org2']],
    ],
    'Org1 and Org2 lose their veto over the channel and the group Application',
  ],
  [
    [
      ['veto-lost', '/Channel', ['Org1']],
      ['veto-lost', '/Channel/Orderer', ['O\n']],
    ],
    'Org1 loses its veto over the channel; O\\n loses its veto over the group Orderer',
  ],
  [
    [
      ['alone-lost', '/Channel/Orderer', ['O']],
      ['alone-gained', '/Channel/Application', ['Org1', 'Org2']],
    ],
    'O no longer decides alone about the group Orderer; each of Org1 and Org2 decides alone about the group Application',
  ],
] as const)
  test(`changes of who decides, ${changes.map((each) => each.join(' ')).join(', ') || 'none'}: ${text || 'no text'}`, (t) => {
    const found = decisionsOf(
      changes.map(([kind, path, organizations]) => ({ kind, path, organizations: [...organizations] })),
    );
    t.is(found.map(decisionText).join('; '), text);
  });
