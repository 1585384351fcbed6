// The contents of the package from `npm pack`.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';

const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as { exports: Record<string, unknown> };

test('the package contains every file that its exports import', (t) => {
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    encoding: 'utf8',
  });
  const [{ files }] = JSON.parse(stdout) as [{ files: readonly { path: string }[] }];
  const packed = new Set(files.map(({ path }) => path));
  const needed = new Set(JSON.stringify(exports).match(/dist\/[\w/.-]+\.js/g));
  t.true(needed.size > 10);
  for (const file of needed)
    for (const [, target = ''] of readFileSync(file, 'utf8').matchAll(/(?:from |import\()'(\.[^']+\.js)'/g))
      needed.add(join(file, '..', target));
  t.deepEqual(
    [...needed].filter((file) => !packed.has(file)),
    [],
  );
});
