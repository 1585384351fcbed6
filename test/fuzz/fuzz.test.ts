// A short campaign of `npm run fuzz`, and every input that once found a fault.

import test from 'ava';
import { check, runCampaign } from './campaign.js';
import { readCorpus } from './corpus.js';
import { readSamples } from './inputs.js';

const RUNS = 4000;
const SEED = 1;

for (const [file, input] of readCorpus()) {
  test(`${file}: ${input.target} ${input.type} takes it or refuses it in words`, async (t) => {
    const { problem } = await check(input);
    t.is(problem, undefined);
  });
}

test(`${RUNS} random and damaged inputs are taken, or refused in words`, async (t) => {
  const { findings, counts } = await runCampaign(readSamples(), { seed: SEED, first: 0, runs: RUNS });
  t.deepEqual(
    findings.map(({ number, problem }) => `--seed ${SEED} --first ${number} --runs 1: ${problem}`),
    [],
  );
  // A campaign in which nothing gets through, or everything, would say little.
  t.true(counts.taken > RUNS / 10 && counts.refused > RUNS / 10);
});
