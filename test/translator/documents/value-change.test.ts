// Changes of values in words.

import test from 'ava';
import {
  changeText,
  fieldChanges,
  listChanges,
  type Fields,
  type ValueChange,
} from '../../../translator/documents/value-change.js';

const CHANGES: readonly (readonly [change: ValueChange, text: string])[] = [
  [{ change: 'changed', label: 'timeout', before: '2s', after: '1s' }, 'timeout 2s → 1s'],
  [{ change: 'changed', before: 'ANY A', after: 'ALL A' }, 'ANY A → ALL A'],
  [{ change: 'added', label: 'a:1', after: 'CN=a' }, 'a:1 added (CN=a)'],
  [{ change: 'added', label: 'a:1' }, 'a:1 added'],
  [{ change: 'removed', label: 'a:1', before: 'CN=a' }, 'a:1 removed (CN=a)'],
  [{ change: 'removed', label: 'a:1' }, 'a:1 removed'],
  [{ change: 'replaced', label: 'a:1', before: 'CN=a', after: 'CN=b' }, 'a:1 replaced (CN=a → CN=b)'],
  [{ change: 'moved', label: 'consenter', before: 'a:1', after: 'b:1' }, 'consenter a:1 moves to b:1'],
  [{ change: 'reordered' }, 'reordered'],
  [{ change: 'reordered', label: 'consenters' }, 'consenters: reordered'],
  [{ change: 'acl-added', label: 'peer/Propose', after: 'Writers' }, 'peer/Propose needs Writers'],
  [
    { change: 'acl-removed', label: 'peer/Propose', before: 'Writers' },
    'peer/Propose removed, the default applies',
  ],
  [{ change: 'content', label: 'MSP id', after: 'Org1MSP' }, 'MSP id Org1MSP'],
  [{ change: 'content', before: 'ANY A' }, 'ANY A'],
  [{ change: 'hidden', label: 'metadata' }, 'metadata changed in a way that is not shown'],
  [{ change: 'hidden' }, 'changed in a way that is not shown'],
];

for (const [change, text] of CHANGES)
  test(`the change ${JSON.stringify(change)} is: ${text}`, (t) => {
    t.is(changeText(change), text);
  });

const LISTS: readonly (readonly [before: string, after: string, texts: readonly string[]])[] = [
  ['a b', 'a b', []],
  ['a', 'a b', ['b added']],
  ['a b', 'b', ['a removed']],
  ['a b', 'b c', ['a removed', 'c added']],
  ['a b', 'b a', ['reordered']],
  // An entry that is there twice is two entries.
  ['a a', 'a', ['a removed']],
  ['a', 'a a a', ['a added', 'a added']],
  ['a a b', 'b a a', ['reordered']],
];

for (const [before, after, texts] of LISTS)
  test(`the list "${before}" becomes "${after}": ${texts.join(', ') || 'nothing'}`, (t) => {
    t.deepEqual(listChanges(before.split(' '), after.split(' ')).map(changeText), texts);
  });

test('the entries of a list cannot break its line', (t) => {
  t.deepEqual(listChanges(['a\n'], ['b\n']).map(changeText), [
    String.raw`a\n removed`,
    String.raw`b\n added`,
  ]);
});

const FIELDS: readonly (readonly [
  before: Fields | undefined,
  after: Fields | undefined,
  texts: readonly string[],
])[] = [
  [{ a: 1 }, { a: 1 }, []],
  [{ a: 1, b: 2 }, { a: 2, b: 2 }, ['a 1 → 2']],
  [{ a: 1 }, { b: 'x\n' }, ['a 1 → none', String.raw`b none → x\n`]],
  [undefined, { a: false }, ['a none → false']],
  [{ a: 5n }, undefined, ['a 5 → none']],
];

for (const [index, [before, after, texts]] of FIELDS.entries())
  test(`fields change, case ${index + 1}: ${texts.join(', ') || 'nothing'}`, (t) => {
    t.deepEqual(fieldChanges(before, after).map(changeText), texts);
  });
