// The start of the program: it uses V8's code cache, but must not depend on it.

import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import test from 'ava';
import { runProgram, TRANSLATOR } from '../helpers/program.js';
import { temporaryFolder } from '../helpers/folder.js';

const FILES = dirname(TRANSLATOR);
const compiledFiles = readdirSync(FILES).filter((file) => file.endsWith('.compiled'));

test('V8 accepts the code cache of the program', (t) => {
  t.true(compiledFiles.includes('program.cjs.compiled'));
  for (const file of compiledFiles) {
    const code = readFileSync(join(FILES, file.replace(/\.compiled$/, '')), 'utf8');
    const { cachedDataRejected } = new Script(
      `(function (exports, require, module, __filename) {${code}\n})`,
      { cachedData: readFileSync(join(FILES, file)) },
    );
    t.false(cachedDataRejected, file);
  }
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
