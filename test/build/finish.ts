// The last step of `npm run build`: removes compiled files whose source no longer exists, makes the programs executable and records
// the commit. `dist` is never emptied, because a service that runs from it still loads modules.

import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const DIST = join(ROOT, 'dist');
const EXECUTABLE = 0o755;
const PROGRAMS = ['core/main.js', 'configtxlator/main.cjs'];
/** Directories that are not the compiled form of one of ours. */
const GENERATED = /^(?:configtxlator|docs|vendor)\//;
const COMPILED = /\.(?:js|d\.ts|js\.map)$/;

/** The compiled files in a directory whose source does not exist. */
export function findStale(dist: string, root: string): string[] {
  return readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && COMPILED.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => {
      const path = relative(dist, file);
      return !GENERATED.test(path) && !existsSync(join(root, path.replace(COMPILED, '.ts')));
    });
}

function readCommit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return 'development build';
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const file of findStale(DIST, ROOT)) rmSync(file);
  // Left over by an interrupted `npm pack`; `npm ci` would install only the dependencies in it.
  rmSync(join(ROOT, 'npm-shrinkwrap.json'), { force: true });
  for (const program of PROGRAMS) chmodSync(join(DIST, program), EXECUTABLE);
  writeFileSync(join(DIST, 'commit.txt'), `${readCommit()}\n`);
}
