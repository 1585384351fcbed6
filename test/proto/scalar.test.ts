// Scalars from JSON: all forms of numbers, base64 as Go's decoders accept it, enum names.

import test from 'ava';
import * as fc from 'fast-check';
import { JsonNumber, type JsonValue } from '../../proto/json-value.js';
import { parseJson } from '../../proto/json-parser.js';
import type { EnumType } from '../../proto/registry.js';
import { bytesFrom, RoundedNumber, scalarFrom } from '../../proto/scalar.js';

const INTEGERS = ['int32', 'uint32', 'int64', 'uint64'] as const;
type Integer = (typeof INTEGERS)[number];

/** The value for each kind that allows the number. */
const NUMBERS: readonly (readonly [string, Partial<Record<Integer, number>>])[] = [
  ['0', { int32: 0, uint32: 0, int64: 0, uint64: 0 }],
  ['-0', { int32: 0, uint32: 0, int64: 0, uint64: 0 }],
  ['5', { int32: 5, uint32: 5, int64: 5, uint64: 5 }],
  ['-5', { int32: -5, int64: -5 }],
  ['5.0', { int32: 5, uint32: 5, int64: 5, uint64: 5 }],
  ['5e0', { int32: 5, uint32: 5, int64: 5, uint64: 5 }],
  ['0.5e1', { int32: 5, uint32: 5, int64: 5, uint64: 5 }],
  ['50e-1', { int32: 5, uint32: 5, int64: 5, uint64: 5 }],
  ['5.00E+2', { int32: 500, uint32: 500, int64: 500, uint64: 500 }],
  ['0e9999999999', { int32: 0, uint32: 0, int64: 0, uint64: 0 }],
  ['0.000e-1', { int32: 0, uint32: 0, int64: 0, uint64: 0 }],
  ['999999999', { int32: 999_999_999, uint32: 999_999_999, int64: 999_999_999, uint64: 999_999_999 }],
  ['2147483647', { int32: 2147483647, uint32: 2147483647, int64: 2147483647, uint64: 2147483647 }],
  ['2147483648', { uint32: 2147483648, int64: 2147483648, uint64: 2147483648 }],
  ['-2147483648', { int32: -2147483648, int64: -2147483648 }],
  ['-2147483649', { int64: -2147483649 }],
  ['4294967295', { uint32: 4294967295, int64: 4294967295, uint64: 4294967295 }],
  ['4294967296', { int64: 4294967296, uint64: 4294967296 }],
  ['1.5', {}],
  ['-1e-1', {}],
  ['4.99999999999999999', {}],
  ['4999999999999999999999e-21', {}],
  ['1e-400', {}],
  ['1e400', {}],
  ['1e99999999999999999999', {}],
];
for (const [text, kinds] of NUMBERS) {
  for (const kind of INTEGERS) {
    const number = kinds[kind];
    const wide = kind === 'int64' || kind === 'uint64';
    const expected = number === undefined ? undefined : wide ? String(number) : number;
    test(`${kind} of ${text}, quoted or not: ${expected === undefined ? 'invalid' : String(expected)}`, (t) => {
      const found = scalarFrom(parseJson(text), kind, undefined);
      t.is(typeof found === 'number' ? found + 0 : found, expected);
      const quoted = scalarFrom(text, kind, undefined);
      t.is(typeof quoted === 'number' ? quoted + 0 : quoted, expected);
    });
  }
}

const WIDE: readonly (readonly ['int64' | 'uint64', string, string | undefined])[] = [
  ['int64', '9007199254740993', '9007199254740993'],
  ['int64', '9223372036854775807', '9223372036854775807'],
  ['int64', '9223372036854775808', undefined],
  ['int64', '-9223372036854775808', '-9223372036854775808'],
  ['int64', '-9223372036854775809', undefined],
  ['int64', '-9.223372036854775808e18', '-9223372036854775808'],
  ['uint64', '9007199254740993', '9007199254740993'],
  ['uint64', '1e19', '10000000000000000000'],
  ['uint64', '18446744073709551615', '18446744073709551615'],
  ['uint64', '18446744073709551616', undefined],
  ['uint64', '18446744073709551615.0', '18446744073709551615'],
  ['uint64', '184467440737095516150e-1', '18446744073709551615'],
  ['uint64', '-1', undefined],
];
for (const [kind, text, expected] of WIDE) {
  test(`${kind} of ${text} is ${expected ?? 'invalid'}, quoted or not`, (t) => {
    t.is(scalarFrom(new JsonNumber(text), kind, undefined), expected);
    t.is(scalarFrom(text, kind, undefined), expected);
  });
}

for (const text of [
  '',
  ' 5',
  '5 ',
  '+5',
  '05',
  '0x5',
  '5.',
  '.5',
  '5e',
  'x',
  'null',
  '１',
  '5\n',
  'Infinity',
]) {
  test(`rejects the number ${JSON.stringify(text)}`, (t) => {
    for (const kind of INTEGERS) t.is(scalarFrom(text, kind, undefined), undefined);
  });
}

for (const zeros of ['1{}1', '0.{}1', '1.{}1', '1{}', '0.{}']) {
  const text = zeros.replace('{}', '0'.repeat(1_000_000));
  test(`parses a million zeros in linear time: ${zeros}`, (t) => {
    t.is(scalarFrom(text, 'uint64', undefined), zeros === '0.{}' ? '0' : undefined);
  });
}

test('throws for a number that JSON.parse may have rounded', (t) => {
  for (const number of [2 ** 32 + 1, -(2 ** 53), 1e19, Infinity])
    t.throws(() => scalarFrom(number, 'uint64', undefined), { instanceOf: RoundedNumber });
  t.is(scalarFrom(2 ** 32, 'uint64', undefined), '4294967296');
  t.is(scalarFrom(1.5, 'uint64', undefined), undefined);
});

const OTHERS: readonly JsonValue[] = [null, [], {}, [1], { a: 1 }];
for (const kind of ['string', 'bytes', 'bool', ...INTEGERS] as const) {
  test(`${kind} does not accept null, lists and objects`, (t) => {
    for (const json of OTHERS) t.is(scalarFrom(json, kind, undefined), undefined);
  });
}

test('bool accepts only booleans, string and bytes only strings', (t) => {
  t.is(scalarFrom(true, 'bool', undefined), true);
  t.is(scalarFrom(false, 'bool', undefined), false);
  t.is(scalarFrom('', 'string', undefined), '');
  for (const json of ['true', 'false', '', new JsonNumber('1'), 0, 1])
    t.is(scalarFrom(json, 'bool', undefined), undefined);
  for (const json of [true, new JsonNumber('1'), 1]) t.is(scalarFrom(json, 'string', undefined), undefined);
  for (const json of [true, new JsonNumber('1'), 1]) t.is(scalarFrom(json, 'bytes', undefined), undefined);
  for (const kind of INTEGERS) t.is(scalarFrom(true, kind, undefined), undefined);
});

const COLOURS: EnumType = {
  numbers: new Map([
    ['RED', 0],
    ['BLUE', 200],
  ]),
  names: new Map([
    [0, 'RED'],
    [200, 'BLUE'],
  ]),
};
const ENUMS: readonly (readonly [string, number | undefined])[] = [
  ['"RED"', 0],
  ['"BLUE"', 200],
  ['200', 200],
  ['201', 201],
  ['1.0', 1],
  ['-1', -1],
  ['2147483648', undefined],
  ['1.5', undefined],
  ['"blue"', undefined],
  ['"200"', undefined],
  ['""', undefined],
  ['"constructor"', undefined],
  ['"__proto__"', undefined],
  ['true', undefined],
  ['null', undefined],
];
for (const [text, number] of ENUMS) {
  test(`the enum value ${text} is ${String(number ?? 'invalid')}`, (t) => {
    t.is(scalarFrom(parseJson(text), 'enum', COLOURS), number);
  });
}

const BASE64: readonly (readonly [string, string | undefined])[] = [
  ['', ''],
  ['YQ==', '61'],
  ['YR==', '61'],
  ['YWI=', '6162'],
  ['YWJj', '616263'],
  ['+/+/', 'fbffbf'],
  ['-_-_', 'fbffbf'],
  ['YQ', '61'],
  ['YWI', '6162'],
  ['-_8', 'fbff'],
  ['-_8=', 'fbff'],
  ['+/8', 'fbff'],
  ['Y', undefined],
  ['YQ=', undefined],
  ['YQ===', undefined],
  ['=', undefined],
  ['====', undefined],
  ['YQ==YQ==', undefined],
  ['Y=Q=', undefined],
  ['-/8=', undefined],
  ['+_8', undefined],
  ['Y Q=', undefined],
  [' YQ==', undefined],
  ['YQ==\n', undefined],
  ['YQ==\n\n\n\n', '61'],
  ['YW\r\nJjYQ', undefined],
  ['YW\nJjYQ', '61626361'],
  ['Y\nWJjYWJjYWJj\r\n\n', '616263616263616263'],
  ['Y\u0000Q=', undefined],
  ['YQ=\u00e9', undefined],
  ['\u0141AAA', undefined],
  ['AAA\u0141', undefined],
  ['AAA\u{1f600}', undefined],
];
for (const [text, expected] of BASE64) {
  test(`base64 ${JSON.stringify(text)} is ${expected === undefined ? 'invalid' : `[${expected}]`}`, (t) => {
    t.is(bytesFrom(text)?.toString('hex'), expected);
  });
}

test('decodes both alphabets, with and without padding', (t) => {
  const property = fc.property(fc.uint8Array({ maxLength: 40 }), (array) => {
    const bytes = Buffer.from(array);
    const url = bytes.toString('base64url');
    const padding = '='.repeat((4 - (url.length % 4)) % 4);
    const standard = bytes.toString('base64');
    for (const text of [standard, standard.replaceAll('=', ''), url, url + padding])
      t.is(bytesFrom(text)?.toString('hex'), bytes.toString('hex'));
  });
  fc.assert(property, { numRuns: 300 });
  t.pass();
});

test('rejects a megabyte of = in linear time', (t) => {
  t.is(bytesFrom('='.repeat(1_000_000)), undefined);
  t.is(bytesFrom('YQ=='.repeat(250_000)), undefined);
});
