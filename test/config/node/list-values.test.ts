// Lists of mappings in the file of a peer. The programs of Fabric read them in the same way: test/core/tools/preflight.

import test from 'ava';
import { addressOverridesIn } from '../../../config/node/address-overrides.js';
import { asList, listInText, listOf } from '../../../config/node/list-values.js';

const mapping = new Map([['a', 1]]);
for (const [value, list] of [
  [undefined, []],
  [null, []],
  ['', []],
  [new Map(), []],
  [mapping, [mapping]],
  [
    [mapping, 'b'],
    [mapping, 'b'],
  ],
  ['b', ['b']],
  [0, [0]],
  [false, [false]],
] as const)
  test(`the value ${value instanceof Map ? `with ${value.size} members` : JSON.stringify(value)} is a list of ${list.length}`, (t) => {
    t.deepEqual(asList(value), list);
  });

for (const [text, older, newer] of [
  ['', [], []],
  [' \n', [], { problem: 'EOF' }],
  ['null', [null], []],
  ['[]', [], []],
  ['{a: 1}', [mapping], [mapping]],
  ['[{a: 1}, b]', [mapping, 'b'], [mapping, 'b']],
  ['b', ['b'], ['b']],
  ['[', { problem: 'yaml: ' }, { problem: 'yaml: ' }],
] as const)
  test(`the text ${JSON.stringify(text)} is ${JSON.stringify(older)} before 3.1, and ${JSON.stringify(newer)} since`, (t) => {
    t.deepEqual(listInText('list', text, false), older);
    t.deepEqual(listInText('list', text, true), newer);
    t.deepEqual(listOf(text), 'problem' in newer ? [] : newer);
  });

for (const [what, entry, override] of [
  [
    'a mapping',
    { from: 'a:1', to: 'b:2', caCertsFile: 'ca.pem' },
    { from: 'a:1', to: 'b:2', caCertsFile: 'ca.pem' },
  ],
  [
    'a mapping of a file, with other capital letters',
    new Map<string, unknown>([
      ['From', 'a:1'],
      ['TO', 7050],
    ]),
    { from: 'a:1', to: '7050', caCertsFile: '' },
  ],
  [
    'members of other types',
    { from: ['a'], to: true, caCertsFile: null },
    { from: '', to: '', caCertsFile: '' },
  ],
] as const)
  test(`an address override from ${what}`, (t) => {
    t.deepEqual(addressOverridesIn([entry]), [override]);
  });

test('address overrides that are no mappings are skipped', (t) => {
  t.deepEqual(addressOverridesIn(['a', null, 5, { from: 'a:1', to: 'b:2' }]), [
    { from: 'a:1', to: 'b:2', caCertsFile: '' },
  ]);
});
