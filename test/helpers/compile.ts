// Compiles TypeScript modules in a folder.

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const TSC = 'node_modules/typescript/bin/tsc';

/** The errors of the compiler, without positions. */
export function compile(folder: string): string[] {
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'node16',
    '--types',
    '',
  ];
  const files = readdirSync(folder).map((name) => join(folder, name));
  const { stdout, stderr } = spawnSync(process.execPath, [TSC, ...options, ...files], { encoding: 'utf8' });
  return `${stdout}${stderr}`.split('\n').filter((line) => line !== '');
}
