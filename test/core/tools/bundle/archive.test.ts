// The archive of a bundle, read with tar.

import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { writeBundle } from '../../../../core/tools/bundle/archive.js';
import { temporaryFolder } from '../../../helpers/folder.js';

const FILES = [0, 1, 511, 512, 513].map((size) => ({
  name: `nodes/a/${size}`,
  bytes: Buffer.alloc(size, 0x61),
}));

for (const name of ['made.tar.gz', 'made.tgz'])
  test(`tar reads ${name}: the content, the owner's permissions and the time of each file`, (t) => {
    const cwd = temporaryFolder(t);
    writeBundle(join(cwd, name), FILES, new Date(1_234_567_890_999));
    t.is(statSync(join(cwd, name)).mode & 0o777, 0o600);
    // It prints warnings about an archive that is not complete.
    const output = execFileSync('tar', ['xzvf', name], { cwd, encoding: 'utf8', stdio: 'pipe' });
    t.is(output, FILES.map((file) => `made/${file.name}\n`).join(''));
    for (const file of FILES) {
      const path = join(cwd, 'made', file.name);
      t.deepEqual(readFileSync(path), file.bytes);
      const { mtimeMs, mode } = statSync(path);
      t.deepEqual([mtimeMs, mode & 0o777], [1_234_567_890_000, 0o600]);
    }
  });

test('an archive ends with two empty blocks, and is a multiple of a block', (t) => {
  const cwd = temporaryFolder(t);
  writeBundle(join(cwd, 'made.tar.gz'), FILES, new Date(0));
  const bytes = execFileSync('gzip', ['-dc', 'made.tar.gz'], { cwd });
  // A header for each file, and the blocks of its content.
  t.is(bytes.length, 512 * (FILES.length + 0 + 1 + 1 + 1 + 2 + 2));
  t.deepEqual(bytes.subarray(-1024), Buffer.alloc(1024));
});

for (const name of ['made.tar', 'made.tar.gz.d'])
  test(`the output ${name} is a directory, which only its owner can read`, (t) => {
    const cwd = temporaryFolder(t);
    writeBundle(join(cwd, name), FILES, new Date(0));
    t.deepEqual(
      [name, `${name}/nodes`, `${name}/nodes/a/1`].map((path) => statSync(join(cwd, path)).mode & 0o777),
      [0o700, 0o700, 0o600],
    );
  });
