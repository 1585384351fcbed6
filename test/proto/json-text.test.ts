// JSON text as Go writes it: escapes, line breaks; the order of keys.

import test from 'ava';
import { compareUtf8 } from '../../proto/utf8.js';
import { Line, newline, quote } from '../../proto/json-text.js';

const ESCAPES: readonly (readonly [string, string])[] = [
  ['', '""'],
  ['plain é \u{1f600} /', '"plain é \u{1f600} /"'],
  ['"', String.raw`"\""`],
  ['\\', String.raw`"\\"`],
  ['\b\f\n\r\t', String.raw`"\b\f\n\r\t"`],
  ['\u0000\u0001\u000b\u001f', String.raw`"\u0000\u0001\u000b\u001f"`],
  ['<a>&', String.raw`"\u003ca\u003e\u0026"`],
  ['\u2028\u2029', String.raw`"\u2028\u2029"`],
  ['\u007f\u0080\u00a0\u2027\u202a\ufeff\uffff', '"\u007f\u0080\u00a0\u2027\u202a\ufeff\uffff"'],
];
for (const [text, quoted] of ESCAPES) {
  test(`${JSON.stringify(text)} is quoted as ${quoted}`, (t) => {
    t.is(quote(text), quoted);
    t.is(JSON.parse(quote(text)), text);
  });
}

const ORDER: readonly (readonly [string, string])[] = [
  ['', 'a'],
  ['10', '9'],
  ['A', 'a'],
  ['Z', '_'],
  ['a', 'aa'],
  ['z', 'é'],
  ['\ud7ff', '\u{10000}'],
  ['\ue000', '\u{10000}'],
  ['\uffff', '\u{10000}'],
  ['\uffff', '\u{1f600}'],
  ['\u{1f600}', '\u{1f601}'],
  ['x\uffffb', 'x\u{1f600}a'],
];
for (const [first, second] of ORDER) {
  test(`${JSON.stringify(first)} sorts before ${JSON.stringify(second)}, like their UTF-8 bytes`, (t) => {
    t.true(compareUtf8(first, second) < 0);
    t.true(compareUtf8(second, first) > 0);
    t.is(compareUtf8(first, first), 0);
    t.is(Buffer.compare(Buffer.from(first), Buffer.from(second)), -1);
  });
}

for (const depth of [0, 1, 2, 99, 100, 101, 1000]) {
  test(`a line at depth ${String(depth)} is indented by ${String(depth)} tabs`, (t) => {
    t.is(newline(depth), `\n${'\t'.repeat(depth)}`);
    const line = new Line('"a": ');
    // The second result is cached.
    for (let time = 0; time < 2; time++) {
      t.is(line.at(depth, '{'), `{\n${'\t'.repeat(depth)}"a": `);
      t.is(line.at(depth, ','), `,\n${'\t'.repeat(depth)}"a": `);
    }
  });
}

for (const depths of [
  [3, 0, 1, 2, 3],
  [0, 2, 1],
  [99, 100, 101, 98, 100],
])
  test(`a line has its line break and indent at the depths ${depths.join(', ')}, in this order`, (t) => {
    const line = new Line('"a": ');
    for (const depth of depths)
      for (const opening of ['{', ','] as const)
        t.is(line.at(depth, opening), `${opening}\n${'\t'.repeat(depth)}"a": `);
  });
