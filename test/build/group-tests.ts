// A step of `npm test`: writes files that import several test files each. The process of such a file loads ava and the agent once,
// which takes longer than most test files: 13 test files take 5.5 s of CPU in one process, 11.8 s in worker threads of ava and 13.7 s in
// 13 processes. `npx ava FILE` runs one test file in a separate process.

import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const TESTS = fileURLToPath(new URL('../', import.meta.url));
const GROUPS = join(TESTS, 'groups');
const GROUP_SIZE = 40;

/** The name of files whose tests change or block their process, replace its clock or measure time. They are grouped with each other. */
const OWN = /\.own\.test\.js$/;

/** Keeps a process running while a test waits for something that does not, such as a timer that `unref` was called on. */
const KEEP_ALIVE = `import test from 'ava';
const timer = setInterval(() => undefined, 60_000);
test.after.always(() => clearInterval(timer));
`;

/** The compiled test files that `npm test` runs, sorted, relative to the directory of all tests. */
function listTestFiles(): string[] {
  return readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.js') && !file.endsWith('.long.test.js'))
    .filter((file) => !/^(?:e2e|groups)\//.test(file))
    .toSorted();
}

/** Divides files into groups of one top directory each. */
function divide(files: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  const sizes = new Map<string, number>();
  for (const file of files) {
    const [directory = ''] = file.replace('.test.js', '').split('/', 1);
    const area = OWN.test(file) ? `${directory}-own` : directory;
    const size = sizes.get(area) ?? 0;
    const name = `${area}-${Math.floor(size / GROUP_SIZE) + 1}`;
    sizes.set(area, size + 1);
    groups.set(name, [...(groups.get(name) ?? []), file]);
  }
  return groups;
}

mkdirSync(GROUPS, { recursive: true });
const old = new Set(readdirSync(GROUPS));
for (const [name, files] of divide(listTestFiles())) {
  const path = join(GROUPS, `${name}.test.js`);
  old.delete(basename(path));
  const imports = files.map((file) => `import '${relative(dirname(path), join(TESTS, file))}';\n`);
  writeFileSync(path, [KEEP_ALIVE, ...imports].join(''));
}
// The directory stays: core/build.mjs may be reading it.
for (const file of old) rmSync(join(GROUPS, file));
