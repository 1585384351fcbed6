// `npm run mutants -- --seed S --count N`: makes one small change in a line of the product, drawn at random, runs the nearest test files, and
// prints each change that no test notices. The changes are made in a copy of the checkout in the temporary directory.

import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createRandom } from '../fuzz/random.js';
import { mutationsOf } from './mutations.js';
import { filesBelow, nearestTests } from './nearest.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PRODUCT = ['core', 'config', 'plugins', 'translator', 'proto'];
/** Pages run in browsers, which the unit tests do not start; the others are build steps and generated tables. */
const WITHOUT_UNIT_TESTS =
  /\/page\/(?:main|styles|bar|table|.*view)\.js$|\/(?:bundle|launch|compile|generate|messages)\.js$/;
/** A mutant that reaches this many tests is judged by the nearest ones. */
const MOST_TESTS = 8;
/** Longest run of the tests of one mutant, in milliseconds. A change that makes them hang is noticed. */
const LONGEST = 180_000;

/** A change of one line. */
interface Mutant {
  /** Relative to the checkout. */
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
  readonly from: string;
  readonly to: string;
  /** Relative to the checkout, the nearest first. */
  readonly tests: readonly string[];
}

/** Test files directly in the directory are about the documents and the structure of the checkout. */
const OF_PRODUCT =
  /\/dist\/test\/(?!e2e\/|groups\/|build\/|bench\/|fuzz\/|mutants\/)\w+\/.*(?<!\.long)\.test\.js$/;

/** Draws mutants: each line with logic is equally likely. */
function draw(seed: number, count: number): Mutant[] {
  const tests = filesBelow(join(ROOT, 'dist/test'), /\.test\.js$/).filter((file) => OF_PRODUCT.test(file));
  const nearest = nearestTests(tests);
  const lines = PRODUCT.flatMap((directory) => filesBelow(join(ROOT, 'dist', directory), /\.js$/))
    .filter((file) => nearest.has(file) && !WITHOUT_UNIT_TESTS.test(file))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .map((text, index) => ({ file, line: index + 1, from: text, changes: mutationsOf(text) }))
        .filter(({ changes }) => changes.length > 0),
    );
  const random = createRandom(seed);
  return Array.from({ length: count }, () => {
    const { file, line, from, changes } = random.pick(lines);
    const to = random.pick(changes);
    const chosen = nearest.get(file)!.slice(0, MOST_TESTS);
    return { file: relative(ROOT, file), line, from, to, tests: chosen.map((test) => relative(ROOT, test)) };
  });
}

/** A copy of the checkout whose compiled files can be changed; everything else is linked. */
function copyCheckout(): string {
  const copy = mkdtempSync(join(tmpdir(), 'mutants-'));
  for (const name of readdirSync(ROOT).filter((each) => each !== 'dist' && each !== '.git'))
    symlinkSync(join(ROOT, name), join(copy, name));
  cpSync(join(ROOT, 'dist'), join(copy, 'dist'), { recursive: true });
  return copy;
}

/** Whether a test fails, or does not end. */
async function isNoticed(copy: string, { file, line, to, tests }: Mutant): Promise<boolean> {
  const path = join(copy, file);
  const original = readFileSync(path, 'utf8');
  const lines = original.split('\n');
  lines[line - 1] = to;
  writeFileSync(path, lines.join('\n'));
  try {
    return await fails(copy, tests, LONGEST);
  } finally {
    writeFileSync(path, original);
  }
}

async function fails(
  copy: string,
  tests: readonly string[],
  limit: number,
  stdio: 'ignore' | 'inherit' = 'ignore',
): Promise<boolean> {
  const ava = ['node_modules/ava/entrypoints/cli.mjs', '--serial', '--fail-fast', ...tests];
  const child = spawn(process.execPath, ava, { cwd: copy, stdio, detached: true });
  const timer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), limit);
  return new Promise((resolve) => {
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve(code !== 0);
    });
  });
}

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    count: { type: 'string', default: '20' },
  },
});
const [seed, count] = [Number(values.seed), Number(values.count)];
const copy = copyCheckout();
process.once('exit', () => rmSync(copy, { recursive: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const mutants = draw(seed, count);
const unchanged = [...new Set(mutants.flatMap(({ tests }) => tests))];
console.log(`seed ${seed}: ${unchanged.length} test files without a change`);
if (await fails(copy, unchanged, LONGEST * count, 'inherit')) {
  console.log('tests fail without a change');
  process.exit(1);
}
let survived = 0;
for (const [number, mutant] of mutants.entries()) {
  if (await isNoticed(copy, mutant)) continue;
  survived += 1;
  console.log(`${number}: ${mutant.file}:${mutant.line}`);
  console.log(
    `  - ${mutant.from.trim()}\n  + ${mutant.to.trim()}\n  not noticed by ${mutant.tests.join(' ')}`,
  );
}
console.log(`seed ${seed}: ${count - survived} of ${count} noticed`);
