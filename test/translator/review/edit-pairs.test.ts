// A finding hides no other one: a sample of two edits at once, and of one after the other. All pairs are in edit-pairs.long.test.ts.

import test from 'ava';
import { createRandom } from '../../fuzz/random.js';
import { CATALOGUE } from '../../helpers/edit-catalogue.js';
import { EDITED_CHANNELS, faultsOfPair, gainsNotTold } from '../../helpers/edit-pairs.js';

/** As many as take 10 seconds. */
const PAIRS = 100;
const SEED = 20_261_128;

for (const [name, channel] of EDITED_CHANNELS)
  test(`each edit of a channel (${name}) that hands over control has a finding with the people who gain`, async (t) => {
    const faults: string[] = [];
    for (const edit of CATALOGUE)
      for (const fault of await gainsNotTold(channel, [edit])) faults.push(`${edit.id}: ${fault}`);
    t.deepEqual(faults, []);
  });

test(`what is found about one edit is found about two, and in steps: ${PAIRS} pairs, seed ${SEED}`, async (t) => {
  const { pick } = createRandom(SEED);
  const channels = [...EDITED_CHANNELS.values()];
  const faults: string[] = [];
  for (let pair = 0; pair < PAIRS; pair++)
    faults.push(...(await faultsOfPair(pick(channels), pick(CATALOGUE), pick(CATALOGUE))));
  t.deepEqual(faults, []);
});
