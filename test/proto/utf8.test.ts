// Bytes that are not UTF-8, decoded as Go does.

import test from 'ava';
import * as fc from 'fast-check';
import { byteAt, goUtf8 } from '../../proto/utf8.js';
import { hex } from '../helpers/codec.js';
import { anyString } from '../helpers/messages/keys.js';
import { cpuTimeOf } from '../helpers/stopwatch.js';

/** Bytes, and their text after invalid bytes are replaced by U+FFFD. */
const CASES: readonly (readonly [string, string, string])[] = [
  ['no bytes', '', ''],
  ['ASCII', '61 00 7f', 'a\u0000\u007f'],
  ['all lengths', 'c3a9 e282ac f09f9880', 'é€\u{1f600}'],
  ['a byte order mark is preserved', 'efbbbf 7b', '\ufeff{'],
  ['a continuation byte without a start', '61 80 62', 'a\ufffdb'],
  ['a truncated character: each byte', 'e282', '\ufffd\ufffd'],
  ['a character truncated by another', 'f09f98 61', '\ufffd\ufffd\ufffda'],
  ['overlong forms: each byte', 'c0af e080af f08080af', '\ufffd'.repeat(9)],
  ['a surrogate: each byte', 'eda080 edb080', '\ufffd'.repeat(6)],
  ['above U+10FFFF: each byte', 'f4908080 f5808080', '\ufffd'.repeat(8)],
  ['bytes that are never UTF-8', 'fe ff c1', '\ufffd\ufffd\ufffd'],
  [
    'the limits',
    'c280 dfbf e0a080 ed9fbf ee8080 efbfbf f0908080 f48fbfbf',
    '\u0080\u07ff\u0800\ud7ff\ue000\uffff\u{10000}\u{10ffff}',
  ],
];
for (const [title, digits, text] of CASES) {
  test(`${title}: ${digits}`, (t) => {
    t.is(goUtf8(hex(digits)).toWellFormed(), text);
  });
}

test('byteAt returns the invalid byte', (t) => {
  const text = goUtf8(hex('61 ff 80'));
  t.deepEqual([byteAt(text, 0), byteAt(text, 1), byteAt(text, 2)], [0x61, 0xff, 0x80]);
});

for (const [character, byte] of [
  ['é', 0xc3],
  ['\ufeff', 0xef],
  ['\u{1f600}', 0xf0],
] as const) {
  test(`byteAt returns the first byte of ${JSON.stringify(character)}`, (t) => {
    t.is(byteAt(`x${character}`, 1), byte);
  });
}

test('valid UTF-8 is decoded unchanged', (t) => {
  const property = fc.property(anyString(), (text) => goUtf8(Buffer.from(text)) === text);
  t.notThrows(() => fc.assert(property, { numRuns: 300 }));
});

test.serial('decoding invalid bytes takes about as long as decoding text', (t) => {
  const SIZE = 1_000_000;
  const invalid = Buffer.alloc(SIZE, 0xff);
  const text = Buffer.alloc(SIZE, 'aé€');
  text[0] = 0xff;
  t.is(goUtf8(invalid).length, SIZE);
  // It took twenty times as long when each byte was decoded separately.
  t.true(shortest(() => goUtf8(invalid)) < 8 * shortest(() => goUtf8(text)));
});

function shortest(work: () => void): number {
  return Math.min(...Array.from({ length: 5 }, () => cpuTimeOf(work)));
}
