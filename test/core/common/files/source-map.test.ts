// Source maps of modules, for the lines in messages.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import { sourceMapOf } from '../../../../core/common/files/source-map.js';
import { temporaryFolder } from '../../../helpers/folder.js';

/** A map of one line, which comes from line 3 of `a.ts`. */
const MAP = JSON.stringify({ version: 3, sources: ['a.ts'], names: [], mappings: 'AAEA' });
const MIB = 2 ** 20;

for (const [what, text, isUsable] of [
  ['a map', MAP, true],
  ['4 MiB', MAP.padEnd(4 * MIB), true],
  ['a byte more', MAP.padEnd(4 * MIB + 1), false],
  ['no JSON', '{', false],
] as const)
  test(`a file with ${what} is ${isUsable ? 'used' : 'not used'}, by its path and by its URL`, (t) => {
    const file = join(temporaryFolder(t, { 'a.js.map': text }), 'a.js');
    for (const name of [file, pathToFileURL(file).href])
      t.is(
        (sourceMapOf(name)?.findEntry(0, 0) as { originalLine?: number })?.originalLine,
        isUsable ? 2 : undefined,
      );
  });

test('a module without a map, or with a directory in its place, has none', (t) => {
  const folder = temporaryFolder(t, { 'b.js.map/x': '' });
  t.is(sourceMapOf(join(folder, 'a.js')), undefined);
  t.is(sourceMapOf(join(folder, 'b.js')), undefined);
});

test.serial('the maps of the last eight files are kept', (t) => {
  const folder = temporaryFolder(t);
  const file = (name: string): string => join(folder, `${name}.js`);
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']) writeFileSync(`${file(name)}.map`, MAP);
  const first = sourceMapOf(file('a'));
  t.not(first, undefined);
  rmSync(`${file('a')}.map`);
  for (const name of ['b', 'c', 'd', 'e', 'f', 'g', 'h']) sourceMapOf(file(name));
  t.is(sourceMapOf(file('a')), first);
  sourceMapOf(file('i'));
  t.is(sourceMapOf(file('a')), undefined);
});
