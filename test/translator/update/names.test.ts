// Unusual names: names of object properties, empty and long names, and sorting by UTF-8 bytes.

import test from 'ava';
import { computeUpdate } from '../../../translator/update/index.js';
import { fails, NO_DIFFERENCES, NOT_UTF8 } from '../../helpers/update-error.js';
import { bytesOf, delimited, mapEntry } from '../../helpers/wire.js';

const LONG = 'x'.repeat(64 * 1024);
const NAMES = [
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  'valueOf',
  '',
  '0',
  '10',
  ' ',
  'a\u0000b',
  'groups',
  'Ünicode-組織',
  '\u{1f600}',
  LONG,
];
const KINDS = [
  ['group', 2, '2a0141'],
  ['value', 3, '120141'],
  ['policy', 4, '12020801'],
] as const;

const root = (...parts: readonly (string | Uint8Array)[]): Buffer => delimited(2, ...parts);
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const shown = (name: string): string => JSON.stringify(name.length > 40 ? `${name.slice(0, 5)}…` : name);

for (const [kind, number, content] of KINDS) {
  for (const name of NAMES) {
    test(`a ${kind} with the name ${shown(name)} is added, changed and removed like any other`, (t) => {
      const none = mapEntry(number, name);
      const same = mapEntry(number, name, '0807');
      const some = mapEntry(number, name, content);
      t.is(
        hex(computeUpdate(root(), root(some), 'c')),
        hex(bytesOf('0a0163', '1200', delimited(3, '0801', some))),
        'added',
      );
      t.is(
        hex(computeUpdate(root(none), root(some), 'c')),
        hex(
          bytesOf(
            '0a0163',
            kind === 'group' ? delimited(2, none) : '1200',
            delimited(3, mapEntry(number, name, '0801', content)),
          ),
        ),
        'changed',
      );
      t.is(hex(computeUpdate(root(same), root(), 'c')), '0a016312001a020801', 'removed');
      t.is(
        hex(computeUpdate(root(same), root(none, '2a0141'), 'c')),
        hex(bytesOf('0a0163', delimited(2, same), delimited(3, '0801', same, '2a0141'))),
        'kept',
      );
      fails(t, root(same), root(none), NO_DIFFERENCES);
    });
  }

  test(`the names of ${kind === 'policy' ? 'policies' : `${kind}s`} are sorted by their UTF-8 bytes`, (t) => {
    const ordered = [
      '',
      '\u0000',
      '10',
      '9',
      'A',
      'a',
      'aa',
      'b',
      'é',
      '\ud7ff',
      '\ue000',
      '\uffff',
      '\u{10000}',
      '\u{1f600}',
      '\u{1f601}',
    ];
    const entries = ordered.map((name) => mapEntry(number, name, content));
    const expected = hex(bytesOf('0a0163', '1200', delimited(3, '0801', ...entries)));
    for (const shuffled of [entries, entries.toReversed(), [...entries.slice(7), ...entries.slice(0, 7)]])
      t.is(hex(computeUpdate(root(), root(...shuffled), 'c')), expected);
  });
}

test('no name changes the prototype of objects', (t) => {
  computeUpdate(
    root(),
    root(...KINDS.map(([, number]) => mapEntry(number, '__proto__', '0801'))),
    '__proto__',
  );
  t.deepEqual(Object.keys(Object.prototype), []);
  t.is(Object.getPrototypeOf(Object.prototype), null);
});

for (const channel of ['mychannel', '__proto__', 'a b&c=d%20', '\u0001', 'Ünicode-組織', LONG]) {
  test(`the update contains the channel name ${shown(channel)}`, (t) => {
    t.is(
      hex(computeUpdate(root(), root('2a0141'), channel)),
      hex(bytesOf(delimited(1, Buffer.from(channel)), '1200', '1a0508012a0141')),
    );
  });
}

test('an empty channel name is omitted', (t) => {
  t.is(hex(computeUpdate(root(), root('2a0141'), '')), '12001a0508012a0141');
});

for (const channel of ['\ud800', 'a\udc00', '\ude00\ud83d']) {
  test(`an unpaired surrogate in the channel name ${JSON.stringify(channel)} is refused`, (t) => {
    fails(t, root(), root('2a0141'), ['BAD_BYTES', 'channel_id', NOT_UTF8], channel);
  });
}
