// Corrupts an input: changes bits and bytes, or removes, duplicates, moves or inserts pieces.

import type { Random } from './random.js';

type Change = (input: Buffer, random: Random, words: readonly Buffer[]) => Buffer;

/** Longest piece that is moved or inserted. */
const PIECE = 64;

/** Pieces with a meaning in the wire format. */
const WIRE_WORDS = 'ffffffffffffffffff01 ffffffff0f 80 0b 0c 1a00 0a00 12ffffffff07 c280 eda080 080112020800';

/** Pieces with a meaning in JSON, one per line. */
const JSON_WORDS = String.raw`null
{}
[]
"__proto__":
-0
1e999
18446744073709551616
\ud800
\u0000
"\
,
:
{
]
"a":1,"a":2,
"AA_-"`;

const FORM_WORDS = [
  '\r\n',
  '--',
  '--b0undary',
  '; name="original"',
  '; filename=""',
  '\r\n\r\n',
  "name*=utf-8''x",
];

const WORDS: readonly Buffer[] = [
  ...WIRE_WORDS.split(' ').map((hex) => Buffer.from(hex, 'hex')),
  ...[...JSON_WORDS.split('\n'), ...FORM_WORDS, '\ufeff', '\u0085'].map((text) => Buffer.from(text)),
];

/** Replaces `count` bytes at `at` by others. */
const splice = (input: Buffer, at: number, count: number, ...put: Buffer[]): Buffer =>
  Buffer.concat([input.subarray(0, at), ...put, input.subarray(at + count)]);

const changes: readonly Change[] = [
  function flipBit(input, random) {
    const at = random.below(input.length);
    return splice(input, at, 1, Buffer.from([(input[at] ?? 0) ^ (1 << random.below(8))]));
  },
  function setByte(input, random) {
    return splice(input, random.below(input.length), 1, random.bytes(1));
  },
  function cutEnd(input, random) {
    return input.subarray(0, random.below(input.length));
  },
  function cutPiece(input, random) {
    return splice(input, random.below(input.length), 1 + random.below(PIECE));
  },
  function duplicatePiece(input, random) {
    const at = random.below(input.length);
    return splice(input, at, 0, input.subarray(at, at + 1 + random.below(PIECE)));
  },
  function movePiece(input, random) {
    const at = random.below(input.length);
    const piece = input.subarray(at, at + 1 + random.below(PIECE));
    const rest = splice(input, at, piece.length);
    return splice(rest, random.below(rest.length + 1), 0, piece);
  },
  function insertWord(input, random, words) {
    return splice(input, random.below(input.length + 1), random.below(2) * 4, random.pick(words));
  },
  function insertRandom(input, random) {
    return splice(input, random.below(input.length + 1), 0, random.bytes(1 + random.below(8)));
  },
  function nest(input, random) {
    const at = random.below(input.length + 1);
    const count = random.pick([3, 200, 20_000]);
    return splice(input, at, 0, Buffer.alloc(count, random.pick(['[', '{"a":', '\u000b', '\n\u007f'])));
  },
];

/** Changes that keep the length; their result is often valid. */
const small = changes.slice(0, 2);

/**
 * Makes one to three changes to an input, small ones or any.
 *
 * @param words pieces with a meaning in the format of the input
 * @default pieces of the translator's formats
 */
export function mutate(input: Buffer, random: Random, words: readonly Buffer[] = WORDS): Buffer {
  const choice = random.below(2) === 0 ? small : changes;
  let changed = input;
  for (let left = 1 + random.below(3); left > 0; left -= 1)
    changed = random.pick(choice)(changed, random, words);
  return changed;
}
