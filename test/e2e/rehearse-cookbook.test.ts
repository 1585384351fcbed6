// The chapter of the cookbook about rehearsals: its commands, one after the other, with real nodes.

import { copyFileSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import test from 'ava';
import { temporaryFolder } from '../helpers/folder.js';
import { sectionBlocks } from '../helpers/markdown.js';
import { putTranslator } from '../helpers/shell.js';
import { findFabric } from './fabric/programs.js';

const COOKBOOK = readFileSync('translator/cli/README.md', 'utf8');
const CHAPTER = 'Try it before anybody signs';
const [DANGEROUS = '', GOOD = ''] = sectionBlocks(COOKBOOK, CHAPTER);
const [LOST = '', NOTHING = ''] = sectionBlocks(COOKBOOK, CHAPTER, 'text');

/** Whether a text has lines that begin as documented, where `…` stands for any text. */
function hasLines(text: string, lines: string): boolean {
  const pattern = lines
    .trimEnd()
    .split('\n')
    .map((line) => line.split('…').map(escaped).join('[^]*?'))
    .join('\\n');
  return new RegExp(`^${pattern}$`, 'm').test(text);
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

test('the chapter begins with a dangerous update, and ends with a good one', (t) => {
  t.timeout(300_000);
  const directory = temporaryFolder(t);
  copyFileSync('test/vectors/powers/raft.block', join(directory, 'config_block.pb'));
  symlinkSync(findFabric('v3.1.5').bin, join(directory, 'bin'));
  putTranslator(directory);
  const PATH = `${directory}:${process.env.PATH ?? ''}`;
  for (const [commands, lines, status] of [
    [DANGEROUS, LOST, 4],
    [GOOD, NOTHING, 0],
  ] as const) {
    const ended = spawnSync('bash', ['-c', commands], { cwd: directory, env: { PATH }, encoding: 'utf8' });
    t.is(ended.status, status, ended.stderr);
    const printed = readFileSync(join(directory, 'rehearsal.txt'), 'utf8');
    t.true(hasLines(printed, lines), printed);
  }
});
