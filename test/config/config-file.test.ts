import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import test, { type ExecutionContext } from 'ava';
import {
  MAX_DEPTH,
  MAX_FILE_SIZE,
  MAX_MERGED,
  readConfigFile,
  type ConfigFile,
} from '../../config/config-file.js';
import { temporaryFolder } from '../helpers/folder.js';
import { cpuTimeOf } from '../helpers/stopwatch.js';

function read(t: ExecutionContext, text: string | Buffer): ConfigFile {
  const directory = temporaryFolder(t);
  writeFileSync(join(directory, 'a.yaml'), text);
  return readConfigFile('a.yaml', directory);
}

const NOT_A_MAPPING = 'a.yaml: must be a mapping with sections such as operations:';
const TOO_DEEP = `is nested more than ${MAX_DEPTH} levels deep`;

/** Ten lists, each with ten aliases of the previous list. */
function aliasBomb(): string {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let level = 1; level < 10; level += 1)
    lines.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => `*a${level - 1}`).join(', ')}]`);
  return lines.join('\n');
}

const MERGED_TOO_MUCH = `a.yaml: merge keys (<<) add more than ${MAX_MERGED} keys`;
const pairs = (count: number): string =>
  Array.from({ length: count }, (_, index) => `k${index}: 1`).join(', ');

const INVALID: readonly (readonly [string, string | Buffer, string])[] = [
  ['a tab as indentation', 'a:\n\tb: 1\n', 'a.yaml:2: Tabs are not allowed as indentation'],
  [
    'an open bracket',
    'a: 1\nb: [1, 2\n',
    'a.yaml:3: Flow sequence in block collection must be sufficiently indented and end with a ]',
  ],
  ['an IPv6 address without quotes', 'a:\n  b: [::1]:1\n', 'a.yaml:2: Unexpected scalar at node end'],
  ['a duplicate key', 'a:\n  b: 1\n  b: 2\n', 'a.yaml:3: b: duplicate key'],
  [
    'an escape sequence interrupted by a line break',
    'a: "\\x\n  b"\n',
    'a.yaml:1: Invalid escape sequence \\x',
  ],
  [
    'an alias without an anchor',
    'a: *b\n',
    'a.yaml: Unresolved alias (the anchor must be set before the alias): b',
  ],
  ['two documents', 'a: 1\n---\nb: 2\n', 'a.yaml:2: a file must have only one YAML document'],
  ['a string instead of a mapping', 'hello\n', NOT_A_MAPPING],
  ['a list instead of a mapping', '- a\n', NOT_A_MAPPING],
  ['bytes that are not UTF-8', Buffer.from('a: \xe9\n', 'latin1'), 'a.yaml: is not valid UTF-8'],
  ['UTF-16', Buffer.from('\ufeffa: 1\n', 'utf16le'), 'a.yaml: is not valid UTF-8'],
  ['an alias bomb', aliasBomb(), 'a.yaml: Excessive alias count indicates a resource exhaustion attack'],
  [
    '900 merges of a mapping with 8,000 keys',
    `a: &a { ${pairs(8000)} }\n${Array.from({ length: 900 }, (_, n) => `b${n}: { <<: *a }\n`).join('')}`,
    MERGED_TOO_MUCH,
  ],
  [
    '900 aliases beside 50,000 values',
    `a: &a 1\nb: [${'1,'.repeat(50_000)}]\n${Array.from({ length: 900 }, (_, n) => `c${n}: *a\n`).join('')}`,
    'a.yaml: has too many aliases for its size: 900 aliases, 50903 values',
  ],
  [
    'merges that double in a list of aliases',
    `a0: &a0 { ${pairs(10)} }\n${Array.from({ length: 20 }, (_, n) => `a${n + 1}: &a${n + 1} { <<: [*a${n}, *a${n}] }\n`).join('')}`,
    MERGED_TOO_MUCH,
  ],
  [
    'merges of a mapping that merges within an inner mapping',
    `a: &a { ${pairs(200)} }\nb: &b { <<: { <<: *a } }\n${Array.from({ length: 60 }, (_, n) => `c${n}: { <<: *b }\n`).join('')}`,
    MERGED_TOO_MUCH,
  ],
  ['a list that contains itself', 'a: &a [*a, *a]\n', `a.yaml: ${TOO_DEEP}`],
  ['a mapping that contains itself', 'a: &a {b: *a, c: *a}\n', `a.yaml: ${TOO_DEEP}`],
  ['100,000 open brackets', `a: ${'['.repeat(100_000)}`, `a.yaml: ${TOO_DEEP}`],
  ['50,000 open braces', `a: ${'{a: '.repeat(50_000)}`, `a.yaml: ${TOO_DEEP}`],
  ['100,000 dashes', `${'- '.repeat(100_000)}a`, `a.yaml: ${TOO_DEEP}`],
  [
    'one level of nesting too many',
    `a: ${'['.repeat(MAX_DEPTH)}${']'.repeat(MAX_DEPTH)}`,
    `a.yaml: ${TOO_DEEP}`,
  ],
  [
    'too many bytes',
    '#'.repeat(MAX_FILE_SIZE + 1),
    `a.yaml: cannot be read: it is larger than ${MAX_FILE_SIZE} bytes`,
  ],
];
for (const [what, text, message] of INVALID) {
  test(`a file with ${what} is rejected: ${message}`, (t) => {
    t.throws(() => read(t, text), { message });
  });
}

/** So many mappings that merge a mapping of 1,000 keys, and one that merges some further keys. */
const merges = (count: number, further: number): string =>
  `a: &a { ${pairs(1000)} }\nb: &b { ${pairs(further)} }\n${Array.from({ length: count }, (_, n) => `c${n}: { <<: *a }\n`).join('')}d: { <<: *b }\n`;

test('merge keys may add 10,000 keys, not more', (t) => {
  t.is(read(t, merges(9, 1000)).tree.size, 12);
  t.throws(() => read(t, merges(9, 1001)), { message: 'a.yaml: merge keys (<<) add more than 10000 keys' });
});

/** A text with a value, a list, and aliases of the value. */
const aliased = (aliases: number, items: number): string =>
  `a: &a 1\nb: [${'1,'.repeat(items)}]\n${Array.from({ length: aliases }, (_, n) => `c${n}: *a\n`).join('')}`;

test('a value may have 999 aliases, not more', (t) => {
  t.is(read(t, aliased(999, 0)).tree.size, 1001);
  t.throws(() => read(t, aliased(1000, 0)), {
    message: 'a.yaml: Excessive alias count indicates a resource exhaustion attack',
  });
});

test('the number of aliases times the number of values may be 4,000,000, not more', (t) => {
  t.is(read(t, aliased(800, 4197)).tree.size, 802);
  t.throws(() => read(t, aliased(800, 4198)), {
    message: 'a.yaml: has too many aliases for its size: 800 aliases, 5001 values',
  });
});

test('a file may have 262,144 bytes and 100 levels, not more', (t) => {
  const levels = (count: number): string => `a: ${'['.repeat(count - 1)}${']'.repeat(count - 1)}\n`;
  t.true(read(t, levels(100).padEnd(262_144, '#')).tree.has('a'));
  t.throws(() => read(t, levels(101)), { message: 'a.yaml: is nested more than 100 levels deep' });
  t.throws(() => read(t, levels(100).padEnd(262_145, '#')), {
    message: 'a.yaml: cannot be read: it is larger than 262144 bytes',
  });
});

test('every depth of nesting over the limit is rejected', (t) => {
  for (let depth = MAX_DEPTH + 1; depth < 3000; depth += 970) {
    const error = t.throws(() => read(t, `a: ${'['.repeat(depth)}${']'.repeat(depth)}`));
    t.regex(error.message, /^a\.yaml: is nested more than 100 levels deep$/);
  }
});

test('a file with thirty thousand keys is read in bounded time', (t) => {
  const keys = Array.from({ length: 30_000 }, (_, index) => `k${index}:`);
  const time = cpuTimeOf(() => {
    t.is(read(t, keys.join('\n')).tree.size, 30_000);
    t.throws(() => read(t, [...keys, 'k0:'].join('\n')), { message: 'a.yaml:30001: k0: duplicate key' });
  });
  t.true(time < 10_000, `${time} ms`);
});

test('a file of the maximum size and depth is read', (t) => {
  const deep = `a: ${'['.repeat(MAX_DEPTH - 1)}${']'.repeat(MAX_DEPTH - 1)}\n`;
  t.true(read(t, deep.padEnd(MAX_FILE_SIZE, '#')).tree.has('a'));
});

for (const [what, text] of [
  ['an empty file', ''],
  ['a file of comments', '# nothing\n\n'],
  ['a file with a document mark only', '---\n'],
] as const) {
  test(`${what} has no sections`, (t) => {
    t.is(read(t, text).tree.size, 0);
  });
}

test('a byte order mark is skipped', (t) => {
  t.deepEqual([...read(t, '\ufeffa: 1\n').tree], [['a', 1]]);
});

test('CRLF counts as one line end', (t) => {
  const file = read(t, 'a: 1\r\nb: 2\r\n');
  t.is(file.where(['b']), 'a.yaml:2');
});

test('a merge key adds the keys of its anchor, which keys of the mapping override', (t) => {
  const { tree } = read(t, 'base: &base {a: 1, b: 2}\nsection:\n  <<: *base\n  b: 3\n');
  t.deepEqual(
    tree.get('section'),
    new Map([
      ['a', 1],
      ['b', 3],
    ]),
  );
});

test('words that are booleans in YAML 1.1 stay strings', (t) => {
  t.deepEqual([...read(t, 'a: yes\nb: on\nc: true\n').tree.values()], ['yes', 'on', true]);
});

test('__proto__ and constructor are ordinary keys', (t) => {
  const { tree } = read(t, '__proto__: {polluted: 1}\nconstructor: 2\n');
  t.deepEqual([...tree.keys()], ['__proto__', 'constructor']);
  t.false('polluted' in {});
});

test('a key is located by its line, an absent key by the line of its section', (t) => {
  const file = read(t, '# first\na:\n  b:\n\n    c: 1\n');
  t.is(file.where(['a']), 'a.yaml:2');
  t.is(file.where(['a', 'b', 'c']), 'a.yaml:5');
  t.is(file.where(['a', 'b', 'x']), 'a.yaml:3');
  t.is(file.where(['a', 'b', 'c', 'x']), 'a.yaml:5');
  t.is(file.where(['x']), 'a.yaml');
});

test('a file keeps the name given by the operator and is resolved against the working directory', (t) => {
  const directory = temporaryFolder(t, { 'conf/a.yaml': 'a: 1\n' });
  const file = readConfigFile('conf/a.yaml', directory);
  t.is(file.where(['a']), 'conf/a.yaml:1');
  t.is(file.directory, join(directory, 'conf'));
});

test('a missing file and a directory are rejected', (t) => {
  const directory = temporaryFolder(t);
  t.throws(() => readConfigFile('a.yaml', directory), { message: 'a.yaml: cannot be read: no such file' });
  t.throws(() => readConfigFile('.', directory), { message: '.: cannot be read: it is a directory' });
});

test('a pipe is read like a file', (t) => {
  const module = new URL('../../config/config-file.js', import.meta.url).href;
  const script = `import { readConfigFile } from '${module}';
    console.log(readConfigFile('/dev/stdin', '/').tree.get('a'));`;
  const command = 'printf "a: b" | "$0" --input-type=module -e "$1"';
  t.is(execFileSync('sh', ['-c', command, process.execPath, script]).toString('utf8'), 'b\n');
});
