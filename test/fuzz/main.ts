// `npm run fuzz [-- --runs N --seed N --first N --keep]`: random and damaged input for decode, encode and the reader of forms.

import { parseArgs } from 'node:util';
import { runCampaign, type Finding } from './campaign.js';
import { keep, readCorpus } from './corpus.js';
import { readSamples } from './inputs.js';

/** Most memory that the runs may take above the start, in MiB. */
const MOST_MEMORY = 512;
/** Longest run, in milliseconds. */
const LONGEST_RUN = 1000;
const SHOWN = 300;
const MIB = 1024 * 1024;

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    first: { type: 'string', default: '0' },
    /** Keeps what was found in the corpus. */
    keep: { type: 'boolean', default: false },
  },
});
const [runs, seed, first] = [Number(options.runs), Number(options.seed), Number(options.first)];

function report({ number, input, problem }: Finding): void {
  const where = options.keep ? ` ${keep(input)}` : '';
  console.log(`--seed ${seed} --first ${number} --runs 1: ${input.target} ${input.type}${where}`);
  console.log(`  ${problem.slice(0, SHOWN)}`);
}

const samples = [...readSamples(), ...readCorpus().map(([, input]) => input)];
const before = process.memoryUsage.rss();
console.log(`seed ${seed}, ${runs} runs from ${samples.length} samples`);
const { counts, findings, longest } = await runCampaign(
  samples,
  { seed, first, runs, limit: LONGEST_RUN },
  report,
);
const memory = (process.resourceUsage().maxRSS * 1024 - before) / MIB;
console.log(`${counts.taken} taken, ${counts.refused} refused, ${findings.length} findings`);
console.log(`longest run ${longest.toFixed(0)} ms, most memory ${memory.toFixed(0)} MiB above the start`);
if (memory > MOST_MEMORY) console.log(`that is more than ${MOST_MEMORY} MiB`);
process.exitCode = findings.length === 0 && memory <= MOST_MEMORY ? 0 : 1;
