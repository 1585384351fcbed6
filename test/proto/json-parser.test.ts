// JSON parsed as Go does: the first value, exact numbers, all keys, Go's error texts.

import test from 'ava';
import { parseJson, parseOnlyJson } from '../../proto/json-parser.js';
import { goTypeOfJson, isObject, JsonNumber, parseNatively } from '../../proto/json-value.js';
import { errorOf } from '../helpers/codec.js';

const START = 'error unmarshaling intermediate JSON: ';

const VALUES: readonly (readonly [string, unknown])[] = [
  ['{}', {}],
  [' \t\r\n{ } ', {}],
  ['[]', []],
  ['[[],{},[{}]]', [[], {}, [{}]]],
  ['{"a":{"b":[1,"x",true,false,null]}}', { a: { b: [new JsonNumber('1'), 'x', true, false, null] } }],
  ['"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9"', '"\\/\b\f\n\r\tAé'],
  ['"\\ud83d\\ude00 \u{1f600}"', '\u{1f600} \u{1f600}'],
  ['"\u007f"', '\u007f'],
  ['0', new JsonNumber('0')],
  ['-0', new JsonNumber('-0')],
  ['-12.50e+07', new JsonNumber('-12.50e+07')],
  ['9007199254740993', new JsonNumber('9007199254740993')],
  ['4.99999999999999999', new JsonNumber('4.99999999999999999')],
  ['{"a":1,"a":{"b":2},"a":{"c":3}}', { a: { c: new JsonNumber('3') } }],
  ['{} garbage', {}],
  ['{}{}', {}],
  ['{},', {}],
  ['{}]', {}],
  ['null null', null],
  ['truefalse', true],
];
for (const [text, value] of VALUES) {
  test(`parses ${JSON.stringify(text)}`, (t) => {
    t.deepEqual(parseJson(text), value);
  });
}

const LONE: readonly (readonly [string, string])[] = [
  ['"\\ud800"', '\ufffd'],
  ['"\\udc00"', '\ufffd'],
  ['"\\ud800\\ud800"', '\ufffd\ufffd'],
  ['"\\ud800x\\udc00"', '\ufffdx\ufffd'],
  ['"\\ud800\\n"', '\ufffd\n'],
  ['"\ud800"', '\ufffd'],
  ['"a\udc00b"', 'a\ufffdb'],
  // goUtf8 passes the invalid byte 80 as U+DC80.
  ['"\\ud83d\udc80"', '\ufffd\ufffd'],
  ['"\ud83d\\udc80"', '\ufffd\ufffd'],
];
for (const [text, value] of LONE) {
  test(`an unpaired surrogate becomes U+FFFD: ${JSON.stringify(text)}`, (t) => {
    t.is(parseJson(text), value);
    t.is(parseNatively(text), undefined);
  });
}

const INVALID: readonly (readonly [string, string])[] = [
  ['', 'EOF'],
  [' \t\r\n', 'EOF'],
  ['{', 'unexpected EOF'],
  ['{"a"', 'unexpected EOF'],
  ['{"a":', 'unexpected EOF'],
  ['{"a":1', 'unexpected EOF'],
  ['{"a":1,', 'unexpected EOF'],
  ['[1', 'unexpected EOF'],
  ['"a', 'unexpected EOF'],
  ['"\\', 'unexpected EOF'],
  ['"\\u00', 'unexpected EOF'],
  ['tru', 'unexpected EOF'],
  ['-', 'unexpected EOF'],
  ['1.', 'unexpected EOF'],
  ['1e+', 'unexpected EOF'],
  ['Garbage', "invalid character 'G' looking for beginning of value"],
  ["'a'", String.raw`invalid character '\'' looking for beginning of value`],
  ['\\', String.raw`invalid character '\\' looking for beginning of value`],
  ['NaN', "invalid character 'N' looking for beginning of value"],
  ['+1', "invalid character '+' looking for beginning of value"],
  ['.5', "invalid character '.' looking for beginning of value"],
  ['\ufeff{}', "invalid character 'ï' looking for beginning of value"],
  ['\u00a0{}', "invalid character 'Â' looking for beginning of value"],
  ['\u000b{}', String.raw`invalid character '\v' looking for beginning of value`],
  ['\u0000', String.raw`invalid character '\x00' looking for beginning of value`],
  ['\u007f', String.raw`invalid character '\x7f' looking for beginning of value`],
  // goUtf8 passes an invalid byte as an unpaired surrogate.
  ['\udc80', String.raw`invalid character '\u0080' looking for beginning of value`],
  ['\udca0', String.raw`invalid character '\u00a0' looking for beginning of value`],
  ['\udca1', "invalid character '¡' looking for beginning of value"],
  ['\udcad', String.raw`invalid character '\u00ad' looking for beginning of value`],
  ['\udcae', "invalid character '®' looking for beginning of value"],
  ['// comment', "invalid character '/' looking for beginning of value"],
  ['{a:1}', "invalid character 'a' looking for beginning of object key string"],
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ['{1:1}', "invalid character '1' looking for beginning of object key string"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":1 "b"}', `invalid character '"' after object key:value pair`],
  ['{"a":1]', "invalid character ']' after object key:value pair"],
  ['{"a":01}', "invalid character '1' after object key:value pair"],
  ['{"a":}', "invalid character '}' looking for beginning of value"],
  ['[1 2]', "invalid character '2' after array element"],
  ['[1}', "invalid character '}' after array element"],
  ['[1,]', "invalid character ']' looking for beginning of value"],
  ['[,1]', "invalid character ',' looking for beginning of value"],
  ['"\n"', String.raw`invalid character '\n' in string literal`],
  ['"\\n\t"', String.raw`invalid character '\t' in string literal`],
  ['"\\x"', "invalid character 'x' in string escape code"],
  ['"\\u00g0"', String.raw`invalid character 'g' in \u hexadecimal character escape`],
  ['"\\u 123"', String.raw`invalid character ' ' in \u hexadecimal character escape`],
  ['trux', "invalid character 'x' in literal true (expecting 'e')"],
  ['fxlse', "invalid character 'x' in literal false (expecting 'a')"],
  ['nil', "invalid character 'i' in literal null (expecting 'u')"],
  ['[-a]', "invalid character 'a' in numeric literal"],
  ['[1.x]', "invalid character 'x' after decimal point in numeric literal"],
  ['[1e]', "invalid character ']' in exponent of numeric literal"],
];
for (const [text, message] of INVALID) {
  test(`rejects ${JSON.stringify(text)}: ${message}`, (t) => {
    t.deepEqual(
      errorOf(() => parseJson(text)),
      { code: 'BAD_JSON', message: START + message, path: '' },
    );
    t.is(parseNatively(text), undefined);
  });
}

for (const key of ['__proto__', 'constructor', 'toString', '', 'é\u{1f600}', 'k'.repeat(65_536)]) {
  const shown = key.length > 50 ? `of ${String(key.length)} characters` : `'${key}'`;
  test(`the key ${shown} is an own key of the object`, (t) => {
    const text = JSON.stringify([key]).slice(1, -1);
    for (const read of [parseJson, parseNatively]) {
      const value = read(`{${text}:{"a":true}}`);
      t.true(value !== undefined && isObject(value));
      t.deepEqual(Object.entries(value as object), [[key, { a: true }]]);
      t.is(Object.getPrototypeOf(value), Object.prototype);
    }
  });
}

const DEPTH = 10_000;
for (const [opening, closing] of [
  ['[', ']'],
  ['{"a":', '}'],
] as const) {
  test(`accepts ${opening} nested 10,000 deep, not deeper`, (t) => {
    const nest = (depth: number): string => opening.repeat(depth) + '0' + closing.repeat(depth);
    t.notThrows(() => parseJson(nest(DEPTH)));
    const message = `${START}invalid character '${opening.charAt(0)}' exceeded max depth`;
    t.deepEqual(
      errorOf(() => parseJson(nest(DEPTH + 1))),
      { code: 'TOO_LARGE', message, path: '' },
    );
  });
}

test('rejects a million brackets', (t) => {
  t.is(errorOf(() => parseJson('['.repeat(1_000_000))).code, 'TOO_LARGE');
});

test('rejects more than two million values', (t) => {
  const text = `[${'0,'.repeat(2_000_000)}0]`;
  const message = `${START}more than 2000000 values`;
  t.deepEqual(
    errorOf(() => parseJson(text)),
    { code: 'TOO_LARGE', message, path: '' },
  );
});

for (const text of [
  '4.999999999999999999',
  '4999999999999999999999e-21',
  '[1E-400]',
  '1e-400',
  '[0.123456]',
  '{"a":1} x',
  ' '.repeat(16_000_001) + '{}',
]) {
  const shown = text.length > 50 ? '16 million spaces before {}' : text;
  test(`does not use JSON.parse, which has another result or no limits: ${shown}`, (t) => {
    t.is(parseNatively(text), undefined);
  });
}

const LONG_STRING = `"${'a'.repeat(600_000)}"`;
const COUNTED: readonly (readonly [what: string, text: string, values: number])[] = [
  ['a list of strings', `[${LONG_STRING},"b","c"]`, 4],
  ['nested lists', `[[[[${LONG_STRING}]]]]`, 5],
  ['an object of objects', `{"a":{"b":{}},"c":${LONG_STRING}}`, 5],
];
for (const [what, text, values] of COUNTED)
  test(`JSON.parse is used for a long text with few values: ${what}`, (t) => {
    t.deepEqual(parseNatively(text, values), JSON.parse(text));
    t.is(parseNatively(text, values - 2), undefined);
  });

for (const [text, used] of [
  ['[0.12345]', true],
  ['[-1]', true],
  ['-1', true],
  ['[1,1,1,1,1,1,1,1,1,1]', true],
  ['[1,1,1,1,1,1,1,1,1,1,1]', false],
  ['{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":{}}', true],
  ['{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":{}}', false],
] as const)
  test(`with a limit of 11 values, JSON.parse is ${used ? '' : 'not '}used for ${text}`, (t) => {
    t.deepEqual(parseNatively(text, 11), used ? JSON.parse(text) : undefined);
  });

for (const [what, element] of [
  ['objects', '{}'],
  ['lists', '[]'],
  ['numbers', '1'],
  ['objects with one number', '{"a":1}'],
] as const)
  test(`JSON.parse is not used for 200,001 ${what} if 200,000 values are allowed`, (t) => {
    t.is(parseNatively(`[${LONG_STRING}${`,${element}`.repeat(200_001)}]`, 200_000), undefined);
  });

test('text after a value is refused where a text must be only a value', (t) => {
  t.deepEqual(parseOnlyJson(' [1] \n'), [new JsonNumber('1')]);
  t.deepEqual(
    errorOf(() => parseOnlyJson('{} x')),
    { code: 'BAD_JSON', message: `${START}invalid character 'x' after top-level value`, path: '' },
  );
});

const TYPES: readonly (readonly [string, string])[] = [
  ['null', '<nil>'],
  ['[]', '[]interface {}'],
  ['{}', 'map[string]interface {}'],
  ['""', 'string'],
  ['true', 'bool'],
  ['1', 'json.Number'],
];
for (const [text, type] of TYPES) {
  test(`the Go type of ${text} is ${type}`, (t) => {
    t.is(goTypeOfJson(parseJson(text)), type);
    t.is(goTypeOfJson(parseNatively(text)!), type);
    t.is(isObject(parseJson(text)), text === '{}');
  });
}
