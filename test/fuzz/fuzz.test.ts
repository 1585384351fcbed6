// A short campaign of `npm run fuzz` for each target, and every input that once found a fault.

import test from 'ava';
import { check, runCampaign } from './campaign.js';
import { readCorpus } from './corpus.js';
import { makeInput, readSamples } from './inputs.js';
import { startFixtures } from './fixtures.js';
import { TARGETS, type TargetName } from './target.js';
import { problemsOfOpen } from './targets/http.js';

const RUNS: Readonly<Record<TargetName, number>> = {
  decode: 1500,
  encode: 1500,
  form: 1000,
  logspec: 1000,
  'put-logspec': 120,
  config: 150,
  http: 150,
  statsd: 2000,
};
const OPEN = 40;
const SEED = 2;

const SAMPLES = readSamples();
const fixtures = await startFixtures();
test.after.always(() => fixtures.close());

for (const [file, input] of readCorpus()) {
  test.serial(`${file}: ${input.target} ${input.type} takes it or refuses it in words`, async (t) => {
    const { problem } = await check(input, fixtures);
    t.is(problem, undefined);
  });
}

for (const target of TARGETS) {
  const runs = RUNS[target];
  test.serial(`${runs} random and damaged inputs of ${target} are taken, or refused in words`, async (t) => {
    const samples = new Map([[target, SAMPLES.get(target) ?? []]]);
    const { findings, counts } = await runCampaign(samples, fixtures, { seed: SEED, first: 0, runs });
    t.deepEqual(
      findings.map(
        ({ number, problem }) => `--target ${target} --seed ${SEED} --first ${number} --runs 1: ${problem}`,
      ),
      [],
    );
    // A campaign in which nothing gets through, or everything, would say little.
    t.true(counts.taken > runs / 20 && counts.refused > runs / 20, JSON.stringify(counts));
  });
}

test.serial(`${OPEN} damaged requests on connections that stay open are answered or cut`, async (t) => {
  const samples = new Map([['http', SAMPLES.get('http') ?? []]] as const);
  const inputs = Array.from({ length: OPEN }, (_, number) => makeInput(samples, SEED, number));
  t.deepEqual(await problemsOfOpen(inputs, fixtures), []);
});
