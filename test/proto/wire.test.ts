// The reader of the wire format: varints, tags, lengths, skipped values.

import test from 'ava';
import { TranslateError } from '../../proto/index.js';
import {
  badBytes,
  int64ToString,
  StringError,
  stringToInt64,
  uint32Size,
  varintSize,
  WireError,
  WireReader,
} from '../../proto/wire.js';
import { hex, varint } from '../helpers/codec.js';

const MAX = '18446744073709551615';

for (const [digits, value] of [
  ['00', '0'],
  ['7f', '127'],
  ['8001', '128'],
  ['8000', '0'],
  ['80808080808080808000', '0'],
  ['ffffffff0f', '4294967295'],
  ['8080808010', '4294967296'],
  ['ffffffffffffffff7f', '9223372036854775807'],
  ['80808080808080808001', '9223372036854775808'],
  ['ffffffffffffffffff01', MAX],
] as const) {
  test(`the varint ${digits} is ${value}`, (t) => {
    const reader = new WireReader(hex(digits));
    t.is(int64ToString(reader.varint64(), false), value);
    t.is(reader.pos, digits.length / 2);
    t.is(new WireReader(hex(digits)).uint32(), Number(BigInt(value) & 0xffff_ffffn));
    t.is(new WireReader(hex(digits)).bool(), value !== '0');
  });
}

for (const digits of ['', '80', 'ffffffffffffffffff02', 'ffffffffffffffffff7f', 'ffffffffffffffffffff01']) {
  test(`rejects the varint ${digits === '' ? 'without bytes' : digits}`, (t) => {
    const message = 'proto: cannot parse invalid wire-format data';
    for (const read of ['varint64', 'uint32', 'bool', 'tag', 'end'] as const) {
      const error = t.throws(() => new WireReader(hex(digits))[read]());
      const reported = badBytes(error);
      t.true(reported instanceof TranslateError && reported.code === 'BAD_BYTES');
      t.is(reported.message, message);
    }
  });
}

for (const [digits, tag] of [
  ['08', 8],
  ['7f', 127],
  ['8801', 136],
  ['88808080808080808000', 8],
  ['faffffff0f', 0xffff_fffa],
] as const) {
  test(`the tag ${digits} is field ${String(tag >>> 3)}, type ${String(tag & 7)}`, (t) => {
    t.is(new WireReader(hex(digits)).tag(), tag);
  });
}

for (const digits of ['00', '02', '07', '8000', '8280808010', 'ffffffffffffffffff01']) {
  test(`rejects the tag ${digits}`, (t) => {
    t.throws(() => new WireReader(hex(digits)).tag(), { instanceOf: WireError });
  });
}

for (const [title, digits] of [
  ['a varint', '08 ffff03'],
  ['eight bytes', '09 0102030405060708'],
  ['a length and bytes', '0a 03 010203'],
  ['an overlong length and bytes', '0a 838000 010203'],
  ['four bytes', '0d 01020304'],
  ['an empty group', '0b 0c'],
  ['a group of all kinds', '0b 0801 110102030405060708 1a0101 2501020304 0c'],
  ['groups in groups', '0b 13 1b 1c 14 0c'],
  ['a group with field numbers of 31 bits', '0b f8ffffff3f 01 0c'],
] as const) {
  test(`skips ${title}`, (t) => {
    const bytes = hex(digits);
    const reader = new WireReader(Buffer.concat([bytes, hex('2a')]));
    reader.skipField(reader.tag());
    t.is(reader.pos, bytes.length);
  });
}

for (const [title, digits] of [
  ['wire type 6', '0e'],
  ['wire type 7', '0f'],
  ['the end of a group without a start', '0c'],
  ['a group that ends with another number', '0b 14'],
  ['a group without an end', '0b 0801'],
  ['field 0 in a group', '0b 00 00 0c'],
  ['a field number of 32 bits in a group', '0b f8ffffff7f 01 0c'],
  ['a value that exceeds the input', '0a 02 01'],
  ['a length of more than 32 bits', '0a 8080808010'],
  ['a length of more than 63 bits', '0a ffffffffffffffffff01'],
  ['eight bytes, truncated', '09 01020304050607'],
  ['four bytes, truncated', '0d 010203'],
] as const) {
  test(`rejects ${title}`, (t) => {
    const reader = new WireReader(hex(digits));
    const error = t.throws(() => {
      reader.skipField(reader.tag());
    });
    const reported = badBytes(error, 'original');
    t.true(reported instanceof TranslateError);
    t.deepEqual(
      { ...(reported as TranslateError), message: reported.message },
      {
        name: 'TranslateError',
        offset: undefined,
        code: 'BAD_BYTES',
        message: 'proto: cannot parse invalid wire-format data',
        path: 'original',
        reason: 'proto: cannot parse invalid wire-format data',
      },
    );
  });
}

test('accepts unknown groups nested 10,001 deep, not deeper', (t) => {
  const groups = (depth: number): WireReader =>
    new WireReader(Buffer.concat([Buffer.alloc(depth, 0x0b), Buffer.alloc(depth, 0x0c)]));
  const skip = (reader: WireReader): void => {
    reader.skipField(reader.tag());
  };
  t.notThrows(() => {
    skip(groups(10_001));
  });
  for (const depth of [10_002, 1_000_000]) t.throws(() => skip(groups(depth)), { instanceOf: WireError });
});

test('strings are UTF-8', (t) => {
  t.is(new WireReader(hex('00')).string(), '');
  t.is(new WireReader(hex('03 612a7f')).string(), 'a*\u007f');
  t.is(new WireReader(hex('06 c3a9 f09f9880')).string(), 'é\u{1f600}');
  for (const digits of ['01 ff', '02 61 80', '03 eda080', '02 c0af', '04 f4908080']) {
    t.throws(() => new WireReader(hex(digits)).string(), { instanceOf: StringError });
  }
  for (const digits of ['', '01', '02 61'])
    t.throws(() => new WireReader(hex(digits)).string(), { instanceOf: WireError });
  t.is(badBytes(new StringError()).message, 'string field contains invalid UTF-8');
});

test('badBytes returns other errors unchanged', (t) => {
  const error = new TypeError('a bug');
  t.is(badBytes(error), error);
});

for (const text of [
  '0',
  '127',
  '128',
  '4294967295',
  '4294967296',
  '999999999999999',
  '9007199254740993',
  MAX,
]) {
  test(`${text} to a 64-bit integer and back`, (t) => {
    t.is(int64ToString(stringToInt64(text), false), text);
    t.is(varintSize(stringToInt64(text)), varint(BigInt(text)).length);
  });
}

for (const text of ['-1', '-128', '-4294967296', '-9007199254740993', '-9223372036854775808']) {
  test(`${text} to a 64-bit integer and back; takes ten bytes`, (t) => {
    t.is(int64ToString(stringToInt64(text), true), text);
    t.is(varintSize(stringToInt64(text)), 10);
  });
}

for (let bits = 1; bits <= 32; bits++) {
  test(`a number of ${String(bits)} bits takes ${String(Math.ceil(bits / 7))} bytes`, (t) => {
    t.is(uint32Size(2 ** bits - 1), Math.ceil(bits / 7));
    t.is(uint32Size(2 ** (bits - 1)), Math.ceil(bits / 7));
  });
}
