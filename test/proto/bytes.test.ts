// Byte arrays: comparison, texts, integers, and arrays that are longer than one call can handle.

import test from 'ava';
import {
  concatBytes,
  fromBigint,
  fromLatin1,
  joinBytes,
  printedBytes,
  sameBytes,
  toBigint,
  toHex,
  toLatin1,
} from '../../proto/bytes.js';

for (const [one, other, same] of [
  ['', '', true],
  ['00', '', false],
  ['0102', '0102', true],
  ['0102', '0202', false],
  ['0102', '0103', false],
  ['0102', '010203', false],
] as const)
  test(`the bytes [${one}] and [${other}] are ${same ? 'the same' : 'different'}`, (t) => {
    const [left, right] = [Buffer.from(one, 'hex'), Buffer.from(other, 'hex')];
    t.is(sameBytes(left, right), same);
    t.is(sameBytes(right, left), same);
  });

for (const [bytes, value] of [
  ['', 0n],
  ['00', 0n],
  ['0a', 10n],
  ['0100', 256n],
  ['ffffffffffffffffff', 2n ** 72n - 1n],
] as const)
  test(`the bytes [${bytes}] are the integer ${value}, and it is written with this length`, (t) => {
    t.is(toBigint(Buffer.from(bytes, 'hex')), value);
    t.is(toHex(fromBigint(value, bytes.length / 2)), bytes);
    t.is(toHex(Buffer.from(bytes, 'hex')), bytes);
  });

test('each byte is one character and two digits, in arrays of any length', (t) => {
  for (const length of [0, 1, 8191, 8192, 8193, 16_384, 16_385]) {
    const bytes = Uint8Array.from({ length }, (_, at) => (7 * at) % 251);
    const text = Buffer.from(bytes).toString('latin1');
    t.true(toLatin1(bytes) === text, `toLatin1 of ${length} bytes`);
    t.true(sameBytes(fromLatin1(text), bytes), `fromLatin1 of ${length} bytes`);
    t.true(toHex(bytes) === Buffer.from(bytes).toString('hex'), `toHex of ${length} bytes`);
  }
});

test('up to 32 bytes are printed as Go prints them, and more are left out', (t) => {
  t.is(printedBytes(Uint8Array.of(48, 130, 2)), '[48 130 2]');
  t.is(printedBytes(new Uint8Array()), '[]');
  t.is(printedBytes(new Uint8Array(32)), `[${'0 '.repeat(31)}0]`);
  t.is(printedBytes(new Uint8Array(33)), '[…]');
});

test('parts are joined in their order', (t) => {
  const parts = [Uint8Array.of(1), new Uint8Array(), Uint8Array.of(2, 3), Uint8Array.of(4)];
  t.deepEqual(concatBytes(...parts), Uint8Array.of(1, 2, 3, 4));
  t.deepEqual(joinBytes(parts), Uint8Array.of(1, 2, 3, 4));
  t.is(joinBytes([]).length, 0);
  const many = Array.from({ length: 200_000 }, (_, at) => Uint8Array.of(at % 256));
  t.is(joinBytes(many).length, 200_000);
});
