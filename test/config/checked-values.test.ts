import test from 'ava';
import { checkValues, type Leaf } from '../../config/checked-values.js';
import { SETTINGS } from '../../config/schema.js';

/** Checks one value, as if it stood in a file in `/conf`. */
function check(leaf: Omit<Leaf, 'doc'>, value: unknown) {
  const raw = new Map([['a.b', { value, origin: 'x.yaml:3', directory: '/conf' }]]);
  const { values, problems } = checkValues(new Map([['a.b', { doc: 'what it is', ...leaf }]]), raw);
  return problems.length > 0 ? problems : values.get('a.b');
}

test('every default of the settings is a value that could be given', (t) => {
  const { problems, values } = checkValues(SETTINGS, new Map());
  t.deepEqual(problems, []);
  t.deepEqual([...values.keys()], [...SETTINGS.keys()]);
});

const PROBLEMS: readonly (readonly [string, Omit<Leaf, 'doc'>, unknown, string])[] = [
  ['text', { format: 'text', default: '' }, 5, 'x.yaml:3: a.b: must be text: value was 5'],
  ['false', { format: 'text', default: '' }, false, 'x.yaml:3: a.b: must be text: value was false'],
  ['null', { format: 'text', default: '' }, null, 'x.yaml:3: a.b: must be text: value was null'],
  [
    'a section',
    { format: 'text', default: '' },
    { c: { d: 1 } },
    'x.yaml:3: a.b: must be text: value was {"c":{"d":1}}',
  ],
  [
    'a word',
    { format: ['udp', 'tcp'], default: 'udp' },
    'UDP',
    'x.yaml:3: a.b: must be one of udp, tcp: value was "UDP"',
  ],
  [
    'a number',
    { format: 'decimal', default: 1 },
    '5abc',
    'x.yaml:3: a.b: must be a number: value was "5abc"',
  ],
  ['a secret', { format: 'text', default: '', sensitive: true }, 5, 'x.yaml:3: a.b: must be text'],
];
for (const [what, leaf, value, problem] of PROBLEMS) {
  test(`${what} that is not allowed is a problem: ${problem}`, (t) => {
    t.deepEqual(check(leaf, value), [problem]);
  });
}

test('a problem of a checking function is one line', (t) => {
  const format = (): void => {
    throw new Error('must be\n  better');
  };
  const leaves = new Map([['a', { doc: 'd', format, default: '' }]]);
  const raw = new Map([['a', { value: 'x', origin: 'o', directory: '/' }]]);
  t.deepEqual(checkValues(leaves, raw).problems, ['o: a: must be better: value was "x"']);
});

test('a checking function may allow sections, whatever their keys are', (t) => {
  const format = (value: unknown): void => {
    if (typeof value !== 'object') throw new Error('must be a section');
  };
  const section = { 'x.y': 1, constructor: { z: [2] } };
  t.deepEqual(check({ format, default: {} }, section), section);
});

test('a required value that is missing is a problem with its meaning; the others are still checked', (t) => {
  const leaves = new Map<string, Leaf>([
    ['options.a', { doc: 'the first', format: 'text' }],
    ['options.b', { doc: 'the second', format: 'text', default: '' }],
    ['options.c', { doc: 'the third', format: 'text', default: 'x' }],
  ]);
  const raw = new Map([['options.b', { value: 1, origin: 'o', directory: '/' }]]);
  const { problems, values } = checkValues(leaves, raw, 'plugin x');
  t.deepEqual(problems, [
    'plugin x: options.a: is required: the first',
    'o: options.b: must be text: value was 1',
  ]);
  t.deepEqual([...values], [['options.c', 'x']]);
});

test('names that objects have by nature are names like any other', (t) => {
  const leaves = new Map<string, Leaf>(
    ['options.__proto__', 'options.constructor', 'options.toString'].map((key) => [
      key,
      { doc: 'd', format: 'text', default: 'x' },
    ]),
  );
  const raw = new Map([['options.constructor', { value: 'y', origin: 'o', directory: '/' }]]);
  const { values, problems } = checkValues(leaves, raw);
  t.deepEqual(problems, []);
  t.deepEqual([...values.values()], ['x', 'y', 'x']);
});

test('a relative path starts where it was given, an absolute and an empty one stay', (t) => {
  t.is(check({ format: 'path', default: '' }, 'tls/a.pem'), '/conf/tls/a.pem');
  t.is(check({ format: 'path', default: '' }, '../a.pem'), '/a.pem');
  t.is(check({ format: 'path', default: '' }, '/a.pem'), '/a.pem');
  t.is(check({ format: 'path', default: '' }, ''), '');
  t.deepEqual(check({ format: 'path-list', default: [] }, ['a', '/b']), ['/conf/a', '/b']);
});
