// `npm run fuzz [-- --target NAME --runs N --seed N --first N --keep]`: passes random and corrupted input to everything that reads input.

import { parseArgs } from 'node:util';
import { runCampaign, type Finding } from './campaign.js';
import { keep, readCorpus } from './corpus.js';
import { makeInput, readSamples } from './inputs.js';
import { startFixtures } from './fixtures.js';
import { TARGETS, type Input, type TargetName } from './target.js';
import { problemsOfOpen } from './targets/http.js';
import { fuzzControl } from './control.js';
import { fuzzPowers } from './powers/main.js';
import { fuzzReviews } from './review/main.js';

/** Most memory that the runs may use above the start, in MiB. */
const MOST_MEMORY = 512;
/** Longest run, in milliseconds. */
const LONGEST_RUN = 1000;
/** Longest run of http, in milliseconds: a body may wait for its timeout. */
const LONGEST_CONNECTION = 15_000;
/** Longest run of logspec per 10 KB, in milliseconds. */
const LONGEST_LOGSPEC = 50;
/** How many connections stay open at the end. */
const OPEN = 200;
const SHOWN = 300;
const MIB = 1024 * 1024;

const { values: options } = parseArgs({
  options: {
    /**
     * One of the targets; or `review` and `powers`, which compare with Fabric's own code, or `control`, which compares with trying.
     *
     * @default all but these three
     */
    target: { type: 'string' },
    runs: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    first: { type: 'string', default: '0' },
    /** Saves findings in the corpus. */
    keep: { type: 'boolean', default: false },
  },
});
const [runs, seed, first] = [Number(options.runs), Number(options.seed), Number(options.first)];
const only = options.target === undefined ? '' : `--target ${options.target} `;

function targetsOf(name: string | undefined): readonly TargetName[] {
  const found = TARGETS.filter((target) => name === undefined || target === name);
  if (found.length === 0) throw new Error(`unknown target ${name}; allowed are ${TARGETS.join(', ')}`);
  return found;
}

const nameOf = (number: number, { target, type }: Input): string =>
  `${only}--seed ${seed} --first ${number} --runs 1: ${target} ${type}`;

function limitOf({ target, bytes }: Input): number {
  if (target === 'logspec') return LONGEST_LOGSPEC * Math.max(1, bytes.length / 10_000);
  return target === 'http' ? LONGEST_CONNECTION : LONGEST_RUN;
}

function onFinding({ number, input, problem }: Finding): void {
  const where = options.keep ? ` ${keep(input)}` : '';
  console.log(`${nameOf(number, input)}${where}`);
  console.log(`  ${problem.slice(0, SHOWN)}`);
}

if (options.target === 'control') process.exit(await fuzzControl({ seed, first, runs }));
if (options.target === 'powers') process.exit(await fuzzPowers({ seed, first, runs }));
if (options.target === 'review') process.exit(await fuzzReviews({ seed, first, runs }));

const targets = targetsOf(options.target);
const samples = readSamples(
  targets,
  readCorpus().map(([, input]) => input),
);
const fixtures = await startFixtures();
let current = 'before the first run';
process.on('uncaughtExceptionMonitor', () => console.log(`the process crashed in ${current}`));

const before = process.memoryUsage.rss();
console.log(`seed ${seed}, ${runs} runs of ${targets.join(', ')}`);
const { counts, findings, longest } = await runCampaign(samples, fixtures, {
  seed,
  first,
  runs,
  limitOf,
  onFinding,
  onRun: (number, input) => (current = nameOf(number, input)),
});
const open = targets.includes('http') && runs >= OPEN ? await findOpen() : [];
await fixtures.close();
const memory = (process.resourceUsage().maxRSS * 1024 - before) / MIB;
console.log(
  `${counts.accepted} accepted, ${counts.refused} refused, ${findings.length + open.length} findings`,
);
console.log(`longest run ${longest.toFixed(0)} ms, most memory ${memory.toFixed(0)} MiB above the start`);
if (memory > MOST_MEMORY) console.log(`that is more than ${MOST_MEMORY} MiB`);
process.exitCode = findings.length + open.length === 0 && memory <= MOST_MEMORY ? 0 : 1;

/** Sends inputs of http on connections that the client keeps open. */
async function findOpen(): Promise<readonly string[]> {
  current = 'connections that stay open';
  const ofHttp = new Map([['http' as const, samples.get('http') ?? []]]);
  const inputs = Array.from({ length: OPEN }, (_, index) => makeInput(ofHttp, seed, first + index));
  const problems = await problemsOfOpen(inputs, fixtures);
  for (const problem of problems) console.log(`open connection: ${problem}`);
  return problems;
}
