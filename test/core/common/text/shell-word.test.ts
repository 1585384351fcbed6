// Words of a shell: the shell itself reads them.

import { spawnSync } from 'node:child_process';
import test from 'ava';
import { shellPath, shellWord } from '../../../../core/common/text/shell-word.js';

const readByShell = (word: string): string =>
  spawnSync('/bin/sh', ['-c', `printf %s ${word}`], { encoding: 'utf8' }).stdout;

for (const text of ['', 'a b', "it's", '$HOME', '`id`', '"', '\\', 'a\nb', '*', '~', '#', ';', 'ä', "'"])
  test(`a shell reads ${JSON.stringify(text)} as it is`, (t) => {
    t.is(readByShell(shellWord(text)), text);
  });

for (const text of ['update.pb', 'grpcs://orderer1.example.com:7050/ch1', 'a@b,c%d+e=f'])
  test(`${text} needs no quotes`, (t) => {
    t.is(shellWord(text), text);
  });

test('a path that begins with a dash is no option', (t) => {
  t.deepEqual([shellPath('-f.pb'), shellPath('- f'), shellPath('a-f.pb')], ['./-f.pb', "'./- f'", 'a-f.pb']);
});
