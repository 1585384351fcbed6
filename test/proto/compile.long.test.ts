// The build step that makes the schema table, run in a temporary directory.

import { copyFileSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { temporaryFolder } from '../helpers/folder.js';

interface Compiled {
  readonly status: number | null;
  readonly stderr: string;
  /** The table as text; empty if the program failed. */
  readonly table: string;
}

/** Runs the program with files by their path in proto/schema. */
function compile(t: ExecutionContext, files: Readonly<Record<string, string>>): Compiled {
  const sources = Object.entries(files).map(([path, text]) => [`proto/schema/${path}`, text] as const);
  return compileIn(
    temporaryFolder(t, { ...Object.fromEntries(sources), 'package.json': '{"type":"module"}' }),
  );
}

/** Runs the program in a directory that has proto/schema. */
function compileIn(directory: string): Compiled {
  const program = join(directory, 'dist/proto/compile.js');
  mkdirSync(join(directory, 'dist/proto'), { recursive: true });
  for (const name of ['compile.js', 'schema-table.js'])
    copyFileSync(join('dist/proto', name), join(directory, 'dist/proto', name));
  symlinkSync(resolve('node_modules'), join(directory, 'node_modules'));
  const { status, stderr } = spawnSync(process.execPath, [program], { encoding: 'utf8' });
  const table = status === 0 ? readFileSync(join(directory, 'dist/proto/schema.json'), 'utf8') : '';
  return { status, stderr, table };
}

const file = (text: string): string => `syntax = "proto3";\npackage a;\n${text}\n`;

test('the table of our schema is the same on each run', (t) => {
  const directory = temporaryFolder(t, { 'package.json': '{"type":"module"}' });
  mkdirSync(join(directory, 'proto'));
  symlinkSync(resolve('proto/schema'), join(directory, 'proto/schema'));
  const { stderr, table } = compileIn(directory);
  t.is(stderr, '');
  t.is(table, readFileSync('dist/proto/schema.json', 'utf8'));
});

test('fields are in number order, with their JSON names, rules and full type names', (t) => {
  const { stderr, table } = compile(t, {
    'b/b.proto': file(`import "c.proto";
      message B {
        map<uint64, Inner> by_number = 4;
        repeated a.c.E es = 3;
        oneof choice { string x__y_1 = 1; Inner.Deep deep = 2; }
        message Inner { message Deep {} }
      }`),
    'c.proto': 'syntax = "proto3";\npackage a.c;\nenum E { Z = 0; Y = 7; A = 2; }\n',
  });
  t.is(stderr, '');
  t.is(
    table,
    `${JSON.stringify({
      messages: {
        'a.B': [
          [1, 'x__y_1', 'xY1', 'string', 'oneof', 'choice'],
          [2, 'deep', 'deep', 'a.B.Inner.Deep', 'oneof', 'choice'],
          [3, 'es', 'es', 'a.c.E', 'list'],
          [4, 'by_number', 'byNumber', 'a.B.Inner', 'map', 'uint64'],
        ],
        'a.B.Inner': [],
        'a.B.Inner.Deep': [],
      },
      enums: { 'a.c.E': { Z: 0, Y: 7, A: 2 } },
      files: { 'a.B': 'b/b.proto', 'a.B.Inner': 'b/b.proto', 'a.B.Inner.Deep': 'b/b.proto' },
    })}\n`,
  );
});

const FAULTY: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
  [
    'an unknown type',
    { 'a.proto': file('message A { Missing x = 1; }') },
    "no such Type or Enum 'Missing' in Type .a.A",
  ],
  [
    'an unsupported scalar',
    { 'a.proto': file('message A { double x = 1; }') },
    'a.A.x has type double, which the translator does not support',
  ],
  [
    'an import of a file that does not exist',
    { 'a.proto': file('import "b.proto";\nmessage A {}') },
    'a.proto imports b.proto, which does not exist',
  ],
  [
    'a duplicate message',
    { 'a.proto': file('message A {}'), 'b.proto': file('message A {}') },
    "duplicate name 'A' in Namespace .a",
  ],
  ['a syntax error', { 'a.proto': file('message A {') }, "illegal end of input 'null' (a.proto, line 4)"],
  ['no .proto file', { 'a.txt': '' }, 'no .proto file in '],
];

for (const [title, files, expected] of FAULTY) {
  test(`the build fails on ${title}`, (t) => {
    const { status, stderr } = compile(t, files);
    t.is(status, 1);
    t.true(stderr.includes(expected), stderr);
  });
}
