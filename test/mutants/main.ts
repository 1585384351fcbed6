// `npm run mutants -- --seed S --count N`: makes one small change in a line of the product, drawn at random, runs the nearest test files, and
// prints each change that no test notices, and each that makes tests hang. The changes are made in a copy of the checkout in the temporary
// directory. `--first M --count 1` repeats the change with the number M.

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
/** The nearest test files run first; if they do not notice a mutant, the next ones run. */
const NEAREST = 8;
const FURTHER = 16;
/** Longest run of one test file, in milliseconds. A change that makes it hang is noticed. */
const LONGEST = 30_000;

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
function draw(seed: number, first: number, count: number): Mutant[] {
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
  return Array.from({ length: first + count }, () => {
    const { file, line, from, changes } = random.pick(lines);
    const to = random.pick(changes);
    const reaching = nearest.get(file)!.map((test) => relative(ROOT, test));
    return { file: relative(ROOT, file), line, from, to, tests: reaching.slice(0, NEAREST + FURTHER) };
  }).slice(first);
}

/** Directories that are copied: compiled files are changed, and Node 20 imports packages in a linked `node_modules` as empty objects. */
const COPIED = new Set(['dist', 'node_modules']);

/** A copy of the checkout whose compiled files can be changed; most files are linked. Tests run configtxlator without its bundle. */
function copyCheckout(): string {
  const copy = mkdtempSync(join(tmpdir(), 'mutants-'));
  for (const name of readdirSync(ROOT).filter((each) => each !== '.git'))
    if (COPIED.has(name))
      cpSync(join(ROOT, name), join(copy, name), { recursive: true, verbatimSymlinks: true });
    else symlinkSync(join(ROOT, name), join(copy, name));
  writeFileSync(join(copy, 'dist/configtxlator/main.cjs'), "void import('../translator/main.js');\n");
  return copy;
}

/** What tests say of a mutant. */
type Outcome = 'pass' | 'fail' | 'hang';

/** Runs the tests of a mutant: the nearest together, then the others one by one until one notices the change. */
async function judge(copy: string, { file, line, to, tests }: Mutant): Promise<Outcome> {
  const path = join(copy, file);
  const original = readFileSync(path, 'utf8');
  const changed = original
    .split('\n')
    .with(line - 1, to)
    .join('\n');
  try {
    writeFileSync(path, changed);
    const outcome = await run(copy, tests.slice(0, NEAREST));
    if (outcome !== 'pass') return outcome;
    for (const test of tests.slice(NEAREST)) {
      writeFileSync(path, changed);
      if ((await run(copy, [test])) === 'pass') continue;
      writeFileSync(path, original);
      if ((await run(copy, [test])) === 'pass') return 'fail';
    }
    return 'pass';
  } finally {
    writeFileSync(path, original);
  }
}

async function run(
  copy: string,
  tests: readonly string[],
  stdio: 'ignore' | 'inherit' = 'ignore',
): Promise<Outcome> {
  const ava = ['node_modules/ava/entrypoints/cli.mjs', '--serial', '--fail-fast', ...tests];
  const child = spawn(process.execPath, ava, { cwd: copy, stdio, detached: true });
  let hangs = false;
  const timer = setTimeout(() => {
    hangs = true;
    process.kill(-child.pid!, 'SIGKILL');
  }, LONGEST * tests.length);
  return new Promise((resolve) => {
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve(hangs ? 'hang' : code === 0 ? 'pass' : 'fail');
    });
  });
}

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    first: { type: 'string', default: '0' },
    count: { type: 'string', default: '20' },
  },
});
const [seed, first, count] = [Number(values.seed), Number(values.first), Number(values.count)];
const copy = copyCheckout();
process.once('exit', () => rmSync(copy, { recursive: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const mutants = draw(seed, first, count);
const unchanged = [...new Set(mutants.flatMap(({ tests }) => tests.slice(0, NEAREST)))];
console.log(`seed ${seed}: ${unchanged.length} test files without a change`);
if ((await run(copy, unchanged, 'inherit')) !== 'pass') {
  console.log('tests fail without a change');
  process.exit(1);
}
let survived = 0;
for (const [index, mutant] of mutants.entries()) {
  const outcome = await judge(copy, mutant);
  if (outcome === 'fail') continue;
  console.log(`${first + index}: ${mutant.file}:${mutant.line}`);
  console.log(`  - ${mutant.from.trim()}\n  + ${mutant.to.trim()}`);
  if (outcome === 'hang') {
    console.log('  makes tests hang');
    continue;
  }
  survived += 1;
  console.log(
    `  not noticed by ${mutant.tests.length} test files, such as ${mutant.tests.slice(0, 3).join(' ')}`,
  );
}
console.log(`seed ${seed}: ${count - survived} of ${count} noticed`);
