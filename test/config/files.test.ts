import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import test, { type ExecutionContext } from 'ava';
import { MAX_FILE_SIZE, readConfigFile, type ConfigFile } from '../../config/files.js';
import { MAX_DEPTH } from '../../config/yaml-text.js';
import { temporaryFolder } from '../helpers/folder.js';

function read(t: ExecutionContext, text: string | Buffer): ConfigFile {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'a.yaml'), text);
  return readConfigFile('a.yaml', folder);
}

const TOO_DEEP = `is nested more than ${MAX_DEPTH} levels deep`;

/** Ten lists, each of ten aliases of the one before. */
function aliasBomb(): string {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let level = 1; level < 10; level += 1)
    lines.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => `*a${level - 1}`).join(', ')}]`);
  return lines.join('\n');
}

const FAULTY: readonly (readonly [string, string | Buffer, string])[] = [
  ['a tab as indentation', 'a:\n\tb: 1\n', 'a.yaml:2: Tabs are not allowed as indentation'],
  [
    'an open bracket',
    'a: 1\nb: [1, 2\n',
    'a.yaml:3: Flow sequence in block collection must be sufficiently indented and end with a ]',
  ],
  ['an IPv6 address without quotes', 'a:\n  b: [::1]:1\n', 'a.yaml:2: Unexpected scalar at node end'],
  ['a key given twice', 'a:\n  b: 1\n  b: 2\n', 'a.yaml:3: b: is given twice'],
  ['an escape cut off by the end of its line', 'a: "\\x\n  b"\n', 'a.yaml:1: Invalid escape sequence \\x'],
  ['an alias of nothing', 'a: *b\n', 'a.yaml: Unresolved alias (the anchor must be set before the alias): b'],
  ['two documents', 'a: 1\n---\nb: 2\n', 'a.yaml:2: a second YAML document begins here'],
  ['text only', 'hello\n', 'a.yaml: must have sections, such as operations:, at its top level'],
  ['a list only', '- a\n', 'a.yaml: must have sections, such as operations:, at its top level'],
  ['bytes that are not UTF-8', Buffer.from('a: \xe9\n', 'latin1'), 'a.yaml: is not text in UTF-8'],
  ['UTF-16', Buffer.from('\ufeffa: 1\n', 'utf16le'), 'a.yaml: is not text in UTF-8'],
  ['an alias bomb', aliasBomb(), 'a.yaml: Excessive alias count indicates a resource exhaustion attack'],
  ['a list inside itself', 'a: &a [*a, *a]\n', `a.yaml: ${TOO_DEEP}`],
  ['a section inside itself', 'a: &a {b: *a, c: *a}\n', `a.yaml: ${TOO_DEEP}`],
  ['100,000 open brackets', `a: ${'['.repeat(100_000)}`, `a.yaml: ${TOO_DEEP}`],
  ['50,000 open braces', `a: ${'{a: '.repeat(50_000)}`, `a.yaml: ${TOO_DEEP}`],
  ['100,000 dashes', `${'- '.repeat(100_000)}a`, `a.yaml: ${TOO_DEEP}`],
  ['one list too many', `a: ${'['.repeat(MAX_DEPTH)}${']'.repeat(MAX_DEPTH)}`, `a.yaml: ${TOO_DEEP}`],
  ['too many bytes', '#'.repeat(MAX_FILE_SIZE + 1), `a.yaml: is larger than ${MAX_FILE_SIZE} bytes`],
];
for (const [what, text, message] of FAULTY) {
  test(`a file with ${what} is one line of error: ${message}`, (t) => {
    t.throws(() => read(t, text), { message });
  });
}

test('every depth of nesting over the limit is one line of error', (t) => {
  for (let depth = MAX_DEPTH + 1; depth < 3000; depth += 97) {
    const error = t.throws(() => read(t, `a: ${'['.repeat(depth)}${']'.repeat(depth)}`));
    t.regex(error.message, /^a\.yaml: is nested more than 100 levels deep$/);
  }
});

test('a file of thirty thousand keys is read in bounded time', (t) => {
  const keys = Array.from({ length: 30_000 }, (_, index) => `k${index}:`);
  const start = performance.now();
  t.is(read(t, keys.join('\n')).tree.size, 30_000);
  t.throws(() => read(t, [...keys, 'k0:'].join('\n')), { message: 'a.yaml:30001: k0: is given twice' });
  t.true(performance.now() - start < 10_000);
});

test('a file of the largest size and depth is read', (t) => {
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

test('a byte order mark is left out', (t) => {
  t.deepEqual([...read(t, '\ufeffa: 1\n').tree], [['a', 1]]);
});

test('line ends of Windows are fine and count as one', (t) => {
  const file = read(t, 'a: 1\r\nb: 2\r\n');
  t.is(file.where(['b']), 'a.yaml:2');
});

test('a merge key brings the keys of its anchor, which those beside it override', (t) => {
  const { tree } = read(t, 'base: &base {a: 1, b: 2}\nsection:\n  <<: *base\n  b: 3\n');
  t.deepEqual(
    tree.get('section'),
    new Map([
      ['a', 1],
      ['b', 3],
    ]),
  );
});

test('words that other YAML versions take for booleans stay text', (t) => {
  t.deepEqual([...read(t, 'a: yes\nb: on\nc: true\n').tree.values()], ['yes', 'on', true]);
});

test('keys such as __proto__ and constructor are plain keys', (t) => {
  const { tree } = read(t, '__proto__: {polluted: 1}\nconstructor: 2\n');
  t.deepEqual([...tree.keys()], ['__proto__', 'constructor']);
  t.false('polluted' in {});
});

test('a key has the line it is on, one that is not there that of the section it should be in', (t) => {
  const file = read(t, '# first\na:\n  b:\n\n    c: 1\n');
  t.is(file.where(['a']), 'a.yaml:2');
  t.is(file.where(['a', 'b', 'c']), 'a.yaml:5');
  t.is(file.where(['a', 'b', 'x']), 'a.yaml:3');
  t.is(file.where(['a', 'b', 'c', 'x']), 'a.yaml:5');
  t.is(file.where(['x']), 'a.yaml');
});

test('a file is named as the operator named it and found from the folder of the process', (t) => {
  const folder = temporaryFolder(t, { 'conf/a.yaml': 'a: 1\n' });
  const file = readConfigFile('conf/a.yaml', folder);
  t.is(file.where(['a']), 'conf/a.yaml:1');
  t.is(file.directory, join(folder, 'conf'));
});

test('a file that is not there, or a folder, is one line of error', (t) => {
  const folder = temporaryFolder(t);
  t.throws(() => readConfigFile('a.yaml', folder), { message: 'a.yaml: cannot be read: no such file' });
  t.throws(() => readConfigFile('.', folder), { message: '.: cannot be read: it is a directory' });
});

test('a pipe is read as a file is', (t) => {
  const module = new URL('../../config/files.js', import.meta.url).href;
  const script = `import { readConfigFile } from '${module}';
    console.log(readConfigFile('/dev/stdin', '/').tree.get('a'));`;
  const command = 'printf "a: b" | "$0" --input-type=module -e "$1"';
  t.is(execFileSync('sh', ['-c', command, process.execPath, script]).toString('utf8'), 'b\n');
});
