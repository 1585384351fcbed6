// The program of the build that makes the schema table, run in a folder of its own.

import { copyFileSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { temporaryFolder } from '../helpers/folder.js';

interface Compiled {
  readonly status: number | null;
  readonly stderr: string;
  /** The table as text, when the program succeeded. */
  readonly table: string;
}

/** Runs the program over files by their path in proto/schema. */
function compile(t: ExecutionContext, files: Readonly<Record<string, string>>): Compiled {
  const sources = Object.entries(files).map(([path, text]) => [`proto/schema/${path}`, text] as const);
  return compileIn(
    temporaryFolder(t, { ...Object.fromEntries(sources), 'package.json': '{"type":"module"}' }),
  );
}

/** Runs the program in a folder that has proto/schema. */
function compileIn(folder: string): Compiled {
  const program = join(folder, 'dist/proto/compile.js');
  mkdirSync(join(folder, 'dist/proto'), { recursive: true });
  for (const name of ['compile.js', 'schema-table.js'])
    copyFileSync(join('dist/proto', name), join(folder, 'dist/proto', name));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const { status, stderr } = spawnSync(process.execPath, [program], { encoding: 'utf8' });
  const table = status === 0 ? readFileSync(join(folder, 'dist/proto/schema.json'), 'utf8') : '';
  return { status, stderr, table };
}

const file = (text: string): string => `syntax = "proto3";\npackage a;\n${text}\n`;

test('the table of our schema is the same on each run', (t) => {
  const folder = temporaryFolder(t, { 'package.json': '{"type":"module"}' });
  mkdirSync(join(folder, 'proto'));
  symlinkSync(resolve('proto/schema'), join(folder, 'proto/schema'));
  const { stderr, table } = compileIn(folder);
  t.is(stderr, '');
  t.is(table, readFileSync('dist/proto/schema.json', 'utf8'));
});

test('fields come in number order, with their JSON names, rules and full type names', (t) => {
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
    'a type that nothing defines',
    { 'a.proto': file('message A { Nobody x = 1; }') },
    "no such Type or Enum 'Nobody' in Type .a.A",
  ],
  [
    'a scalar that the translator does not know',
    { 'a.proto': file('message A { double x = 1; }') },
    'a.A.x has the type double, which the translator does not know',
  ],
  [
    'an import of a file that is not there',
    { 'a.proto': file('import "b.proto";\nmessage A {}') },
    'a.proto imports b.proto, which is not there',
  ],
  [
    'a message that two files define',
    { 'a.proto': file('message A {}'), 'b.proto': file('message A {}') },
    "duplicate name 'A' in Namespace .a",
  ],
  [
    'text that is no schema',
    { 'a.proto': file('message A {') },
    "illegal end of input 'null' (a.proto, line 4)",
  ],
  ['no file at all', { 'a.txt': '' }, 'there is no .proto file'],
];

for (const [title, files, expected] of FAULTY) {
  test(`the build fails on ${title}`, (t) => {
    const { status, stderr } = compile(t, files);
    t.is(status, 1);
    t.true(stderr.includes(expected), stderr);
  });
}
