// The start of the program: it uses V8's code cache, but must not depend on it.

import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Script } from 'node:vm';
import test from 'ava';
import { runProgram, TRANSLATOR } from '../helpers/program.js';
import { temporaryFolder } from '../helpers/folder.js';

const FILES = dirname(TRANSLATOR);
const compiledFiles = readdirSync(FILES).filter((file) => file.endsWith('.compiled'));

test('V8 accepts the code cache of the program', (t) => {
  t.true(compiledFiles.includes('program.cjs.compiled'));
  for (const file of compiledFiles) {
    const code = readFileSync(join(FILES, file.replace(/\.compiled$/, '')), 'latin1');
    const { cachedDataRejected } = new Script(code, { cachedData: readFileSync(join(FILES, file)) });
    t.false(cachedDataRejected, file);
  }
});

/** The compiled modules that a module imports when it is loaded, and their imports. */
function loadedWith(module: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(module)) return found;
  found.add(module);
  for (const [, path = ''] of readFileSync(module, 'utf8').matchAll(
    /^(?:import|export)\b[^;]*?'(\.[^']+)';$/gm,
  ))
    loadedWith(join(dirname(module), path), found);
  return found;
}

test('the program starts with the command line only; a command loads what it needs when it runs', (t) => {
  const dist = join(FILES, '..');
  const loaded = [...loadedWith(join(dist, 'translator/main.js'))].map((path) => relative(dist, path));
  t.deepEqual(
    loaded
      .filter((path) => /^(?:translator\/[^/]+\/|proto)/.test(path) && !path.startsWith('translator/cli/'))
      .toSorted(),
    [
      'proto/arguments.js',
      'proto/errors.js',
      'translator/channel/address.js',
      'translator/edit/catalogue/consenters.js',
      'translator/edit/catalogue/field.js',
      'translator/edit/catalogue/index.js',
      'translator/edit/catalogue/organizations.js',
      'translator/edit/catalogue/rules.js',
      'translator/edit/edited.js',
      'translator/msp/releases.js',
    ],
  );
});

for (const [what, change] of [
  ['is of another version of V8', (code: Buffer) => code.fill(1, 4, 8)],
  ['is cut off', (code: Buffer) => code.subarray(0, code.length >> 1)],
  ['is empty', () => Buffer.alloc(0)],
] as const)
  test(`the program starts if its code cache ${what}`, async (t) => {
    const folder = temporaryFolder(t);
    cpSync(FILES, folder, { recursive: true });
    for (const file of compiledFiles) {
      const path = join(folder, file);
      writeFileSync(path, change(readFileSync(path)));
    }
    const help = await runProgram(t, ['review', '--help'], { program: join(folder, 'main.cjs') });
    t.deepEqual(help, await runProgram(t, ['review', '--help'], { program: TRANSLATOR }));
    t.is(help.status, 0);
  });
