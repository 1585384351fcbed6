// A short fuzzing campaign for each target, and every input of the corpus.

import test from 'ava';
import { check, runCampaign } from './campaign.js';
import { readCorpus } from './corpus.js';
import { makeInput, readSamples } from './inputs.js';
import { startFixtures } from './fixtures.js';
import { TARGETS, type TargetName } from './target.js';
import { problemsOfOpen } from './targets/http.js';

const RUNS: Readonly<Record<TargetName, number>> = {
  decode: 600,
  encode: 600,
  message: 600,
  form: 400,
  logspec: 400,
  'put-logspec': 120,
  config: 150,
  'channel-config': 300,
  http: 150,
  statsd: 600,
  exposition: 400,
  certificate: 600,
  envelope: 300,
  policy: 600,
};
const OPEN = 40;
const SEED = 2;

const SAMPLES = readSamples();
const fixtures = await startFixtures();
test.after.always(() => fixtures.close());

for (const [file, input] of readCorpus()) {
  test.serial(`${file}: ${input.target} ${input.type} accepts it or refuses it with a message`, async (t) => {
    const { problem } = await check(input, fixtures);
    t.is(problem, undefined);
  });
}

for (const target of TARGETS) {
  const runs = RUNS[target];
  test.serial(
    `${runs} random and corrupted inputs of ${target} are accepted or refused with a message`,
    async (t) => {
      const samples = new Map([[target, SAMPLES.get(target) ?? []]]);
      const { findings, counts } = await runCampaign(samples, fixtures, { seed: SEED, first: 0, runs });
      t.deepEqual(
        findings.map(
          ({ number, problem }) => `--target ${target} --seed ${SEED} --first ${number} --runs 1: ${problem}`,
        ),
        [],
      );
      // A campaign that accepts or refuses nearly everything tests little.
      t.true(counts.accepted > runs / 20 && counts.refused > runs / 20, JSON.stringify(counts));
    },
  );
}

test.serial(
  `${OPEN} corrupted requests on connections that stay open get a response or are closed`,
  async (t) => {
    const samples = new Map([['http', SAMPLES.get('http') ?? []]] as const);
    const inputs = Array.from({ length: OPEN }, (_, number) => makeInput(samples, SEED, number));
    t.deepEqual(await problemsOfOpen(inputs, fixtures), []);
  },
);
