import test from 'ava';
import { checkValues, type CheckedValues, type Leaf } from '../../config/check-values.js';

import { SETTINGS } from '../../config/schema.js';

/** Checks one value, as if it were in line 3 of a file in `/conf`. */
function check(leaf: Omit<Leaf, 'doc'>, value: unknown): CheckedValues {
  const raw = new Map([['a.b', { value, origin: 'x.yaml:3', directory: '/conf' }]]);
  return checkValues(new Map([['a.b', { doc: 'what it is', ...leaf }]]), raw);
}

test('the defaults of all settings are valid', (t) => {
  const { invalid, values } = checkValues(SETTINGS, new Map());
  t.deepEqual(invalid, []);
  t.deepEqual([...values.keys()], [...SETTINGS.keys()]);
});

const cyclic: unknown[] = [];
cyclic.push(cyclic);

const INVALID: readonly (readonly [string, Omit<Leaf, 'doc'>, unknown, string])[] = [
  ['a number', { format: 'string', default: '' }, 5, 'must be a string: value was 5'],
  ['zero', { format: 'count', default: 1 }, 0, 'must be a whole number of 1 or more: value was 0'],
  ['false', { format: 'string', default: '' }, false, 'must be a string: value was false'],
  ['null', { format: 'string', default: '' }, null, 'must be a string: value was null'],
  ['NaN', { format: 'number', default: 0 }, Number.NaN, 'must be a number: value was NaN'],
  [
    'a bigint',
    { format: 'string', default: '' },
    2n ** 70n,
    'must be a string: value was 1180591620717411303424',
  ],
  ['a function', { format: 'string', default: '' }, () => 1, 'must be a string: value was function'],
  ['a list', { format: 'string', default: '' }, ['a', 1], 'must be a string: value was ["a",1]'],
  [
    'a list that contains itself',
    { format: 'string', default: '' },
    cyclic,
    'must be a string: value was object',
  ],
  [
    'an empty string',
    { format: 'count', default: 1 },
    '',
    'must be a whole number of 1 or more: value was ""',
  ],
  ['a mapping', { format: 'string', default: '' }, { c: { d: 1 } }, 'must be a value, not a mapping'],
  [
    'a mapping with dots in its keys',
    { format: 'list', default: [] },
    { 'c.d': 1 },
    'must be a list, not a mapping',
  ],
  [
    'a string with quotes and line breaks',
    { format: 'number', default: 1 },
    'a\n"b"',
    String.raw`must be a number: value was "a\n\"b\""`,
  ],
  [
    'a long string',
    { format: 'number', default: 1 },
    'x'.repeat(1000),
    `must be a number: value was "${'x'.repeat(199)}…`,
  ],
  [
    'a string in the wrong case',
    { format: ['udp', 'tcp'], default: 'udp' },
    'UDP',
    'must be one of udp, tcp: value was "UDP"',
  ],
  ['a sensitive value', { format: 'string', default: '', sensitive: true }, 5, 'must be a string'],
];
for (const [what, leaf, value, reason] of INVALID) {
  test(`${what} is reported with its origin: ${reason}`, (t) => {
    const { invalid, values } = check(leaf, value);
    t.deepEqual(invalid, [{ key: 'a.b', origin: 'x.yaml:3', reason }]);
    t.is(values.size, 0);
  });
}

test('the message of a function format is reported on one line', (t) => {
  const format = (): void => {
    throw new Error('must be\n  better');
  };
  t.is(check({ format, default: '' }, 'x').invalid[0]?.reason, 'must be better: value was "x"');
});

for (const [what, thrown, reason] of [
  ['a string', 'must be nice', 'must be nice'],
  ['null', null, 'is invalid'],
  ['a frozen error', Object.freeze(new Error('must be nice')), 'must be nice'],
] as const) {
  test(`a function format may throw ${what}`, (t) => {
    const format = (): void => {
      throw thrown;
    };
    t.is(check({ format, default: '' }, 5).invalid[0]?.reason, `${reason}: value was 5`);
  });
}

test('a function format may accept mappings with any keys', (t) => {
  const format = (value: unknown): void => {
    if (typeof value !== 'object') throw new Error('must be a mapping');
  };
  const mapping = { 'x.y': 1, constructor: { z: [2] } };
  t.deepEqual(check({ format, default: {} }, mapping).values.get('a.b'), mapping);
});

test('a function format gets strings unconverted, whatever type the default has', (t) => {
  const received: unknown[] = [];
  const format = (value: unknown): void => void received.push(value);
  check({ format, default: 1 }, '80x');
  check({ format, default: true }, '0');
  t.deepEqual(received, ['80x', '0']);
});

test('an empty string is null where the setting is nullable, and invalid elsewhere', (t) => {
  const leaf = { format: 'host-port', default: '' } as const;
  t.is(check({ ...leaf, nullable: true }, '').values.get('a.b'), null);
  t.is(checkValues(new Map([['a', { doc: 'd', ...leaf, nullable: true }]]), new Map()).values.get('a'), null);
  t.is(check(leaf, '').invalid.length, 1);
});

test('missing required values are reported with their meaning, and the other values are still checked', (t) => {
  const leaves = new Map<string, Leaf>([
    ['a', { doc: 'the first', format: 'string' }],
    ['b', { doc: 'the second', format: 'string', default: '' }],
    ['c', { doc: 'the third', format: () => undefined }],
    ['d', { doc: 'the fourth', format: 'string', default: 'x' }],
  ]);
  const raw = new Map([['b', { value: 1, origin: 'o', directory: '/' }]]);
  const { invalid, values } = checkValues(leaves, raw);
  t.deepEqual(invalid, [
    { key: 'a', origin: undefined, reason: 'is required: the first' },
    { key: 'b', origin: 'o', reason: 'must be a string: value was 1' },
    { key: 'c', origin: undefined, reason: 'is required: the third' },
  ]);
  t.deepEqual([...values], [['d', 'x']]);
});

test('an invalid default is reported without an origin', (t) => {
  const leaves = new Map<string, Leaf>([['a', { doc: 'd', format: 'count', default: 0 }]]);
  t.deepEqual(checkValues(leaves, new Map()).invalid, [
    { key: 'a', origin: undefined, reason: 'must be a whole number of 1 or more: value was 0' },
  ]);
});

test('keys may have the names of members of Object.prototype, and the words of convict', (t) => {
  const names = ['constructor', 'toString', 'hasOwnProperty', 'default', 'format', 'env', 'arg'];
  const leaves = new Map<string, Leaf>(
    names.map((key) => [key, { doc: 'd', format: 'string', default: 'x' }]),
  );
  const raw = new Map([['constructor', { value: 'y', origin: 'o', directory: '/' }]]);
  const { values, invalid } = checkValues(leaves, raw);
  t.deepEqual(invalid, []);
  t.deepEqual([...values.values()], ['y', ...names.slice(1).map(() => 'x')]);
});

test('neither the environment nor the arguments of the process are read', (t) => {
  const leaf = { doc: 'd', format: 'string', default: 'x', env: 'PATH', arg: 'a' } as const;
  process.argv.push('--a=y');
  try {
    t.is(checkValues(new Map([['a', leaf]]), new Map()).values.get('a'), 'x');
  } finally {
    process.argv.pop();
  }
});

test('a relative path is resolved against the directory it was given in; an absolute and an empty one are kept', (t) => {
  const resolved = (path: string): unknown => check({ format: 'path', default: '' }, path).values.get('a.b');
  t.is(resolved('tls/a.pem'), '/conf/tls/a.pem');
  t.is(resolved('../a.pem'), '/a.pem');
  t.is(resolved('/a.pem'), '/a.pem');
  t.is(resolved(''), '');
  t.deepEqual(check({ format: 'path-list', default: [] }, ['a', '/b']).values.get('a.b'), ['/conf/a', '/b']);
});
