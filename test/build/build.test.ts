// core/build.mjs, in a project whose steps write small files.

import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { temporaryFolder } from '../helpers/folder.js';

/** The compiler of the project: copies core/*.ts to *.js, and writes what build.mjs imports. */
const COMPILE = `import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
const out = 'dist';
mkdirSync(out + '/core', { recursive: true });
for (const file of readdirSync('core')) if (file.endsWith('.ts')) cpSync('core/' + file, out + '/core/' + file.replace('.ts', '.js'));
writeFileSync(out + '/core/finish.js', \`import { existsSync, readdirSync } from 'node:fs';
export const findStale = (dist) => readdirSync(dist + '/core')
  .filter((file) => file !== 'finish.js' && !existsSync('core/' + file.replace('.js', '.ts')))
  .map((file) => dist + '/core/' + file);
\`);
`;

/** Creates a project with two sources. */
function createProject(t: ExecutionContext): string {
  const cwd = temporaryFolder(t, {
    'package.json': JSON.stringify({
      type: 'module',
      scripts: {
        'build:compile': 'node proto/compile.mjs',
        'build:proto': '! [ -e core/wrong.ts ]',
        'build:pages': 'true',
        'build:configtxlator': 'true',
        'build:findings': 'true',
        'build:finish': 'chmod 755 dist/core/a.js',
      },
    }),
    'package-lock.json': '{}',
    'tsconfig.json': '{}',
    'proto/compile.mjs': COMPILE,
    'core/a.ts': 'a',
    'core/b.ts': 'b',
    'node_modules/x': '',
  });
  copyFileSync('core/build.mjs', join(cwd, 'core/build.mjs'));
  return cwd;
}

/** Builds the project. */
function build(cwd: string): { readonly status: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['core/build.mjs'], {
    cwd,
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

/** The files of `dist` with their inodes, which a rename changes. */
const inodes = (cwd: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    readdirSync(join(cwd, 'dist/core')).map((file) => [file, statSync(join(cwd, 'dist/core', file)).ino]),
  );

const UP_TO_DATE = { status: 0, output: 'dist is up to date\n' };

test('a build prints its steps, and does nothing if nothing has changed', (t) => {
  const cwd = createProject(t);
  const { status, output } = build(cwd);
  t.is(status, 0);
  t.is(
    output,
    `building, which takes 20 to 60 seconds
build 1 of 6: TypeScript
build 2 of 6: messages of Fabric
build 3 of 6: pages
build 4 of 6: configtxlator
build 5 of 6: explanations of findings
build 6 of 6: commit and SBOM
`,
  );
  const before = inodes(cwd);
  t.deepEqual(build(cwd), UP_TO_DATE);
  t.deepEqual(inodes(cwd), before);
  t.deepEqual(
    readdirSync(cwd).filter((name) => name.startsWith('.dist')),
    [],
  );
});

for (const [what, change] of [
  ['a changed source', (cwd: string) => writeFileSync(join(cwd, 'core/b.ts'), 'changed')],
  ['a changed file in dist', (cwd: string) => writeFileSync(join(cwd, 'dist/core/b.js'), 'other')],
  ['a changed mode of a file in dist', (cwd: string) => rewriteWithMode(join(cwd, 'dist/core/b.js'))],
  ['a lost file in dist', (cwd: string) => rmSync(join(cwd, 'dist/core/b.js'))],
] as const)
  test(`after ${what} only that file is replaced`, (t) => {
    const cwd = createProject(t);
    build(cwd);
    const { 'b.js': replaced, ...others } = inodes(cwd);
    change(cwd);
    const { status, output } = build(cwd);
    t.is(status, 0, output);
    const { 'b.js': now, ...same } = inodes(cwd);
    t.deepEqual(same, others);
    t.not(now, replaced);
    t.is(readFileSync(join(cwd, 'dist/core/b.js'), 'utf8'), readFileSync(join(cwd, 'core/b.ts'), 'utf8'));
    t.deepEqual(build(cwd), UP_TO_DATE);
  });

/** Writes the same text with another mode. */
function rewriteWithMode(file: string): void {
  writeFileSync(file, readFileSync(file));
  chmodSync(file, 0o600);
}

test('a compiled file without a source is removed, and files of other commands stay', (t) => {
  const cwd = createProject(t);
  build(cwd);
  for (const directory of ['dist/test/groups', 'dist/docs']) {
    mkdirSync(join(cwd, directory), { recursive: true });
    writeFileSync(join(cwd, directory, 'x.js'), '');
  }
  t.deepEqual(build(cwd), UP_TO_DATE);
  rmSync(join(cwd, 'core/b.ts'));
  t.is(build(cwd).status, 0);
  t.false(existsSync(join(cwd, 'dist/core/b.js')));
  t.true(existsSync(join(cwd, 'dist/test/groups/x.js')));
  t.true(existsSync(join(cwd, 'dist/docs/x.js')));
});

test('a step that fails ends the build with 1 and leaves dist as it was', (t) => {
  const cwd = createProject(t);
  build(cwd);
  const before = inodes(cwd);
  writeFileSync(join(cwd, 'core/wrong.ts'), '');
  writeFileSync(join(cwd, 'core/a.ts'), 'changed');
  const { status, output } = build(cwd);
  t.is(status, 1);
  t.true(output.endsWith('build 2 of 6: messages of Fabric\n'), output);
  t.deepEqual(inodes(cwd), before);
  t.deepEqual(
    readdirSync(cwd).filter((name) => name.startsWith('.dist')),
    [],
  );
  rmSync(join(cwd, 'core/wrong.ts'));
  t.is(build(cwd).status, 0);
  t.is(readFileSync(join(cwd, 'dist/core/a.js'), 'utf8'), 'changed');
});

test('the directory of a build that was killed is removed, the one of a running build is not', (t) => {
  const cwd = createProject(t);
  const ended = spawnSync(process.execPath, ['-e', '']).pid;
  for (const pid of [ended, process.pid]) mkdirSync(join(cwd, `.dist${pid}`));
  build(cwd);
  t.deepEqual(
    readdirSync(cwd).filter((name) => name.startsWith('.dist')),
    [`.dist${process.pid}`],
  );
});

test('another commit builds again, because the version has the commit', (t) => {
  const cwd = createProject(t);
  const git = (...args: string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      cwd,
      stdio: 'pipe',
    });
  git('init', '-q');
  git('commit', '-q', '--allow-empty', '-m', 'one');
  build(cwd);
  t.deepEqual(build(cwd), UP_TO_DATE);
  git('commit', '-q', '--allow-empty', '-m', 'two');
  t.not(build(cwd).output, UP_TO_DATE.output);
});
