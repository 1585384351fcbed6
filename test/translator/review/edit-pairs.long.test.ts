// A finding hides no other one: all pairs of edits.

import test from 'ava';
import { CATALOGUE } from '../../helpers/edit-catalogue.js';
import { EDITED_CHANNELS, faultsOfPair } from '../../helpers/edit-pairs.js';

for (const [name, channel] of EDITED_CHANNELS)
  test.serial(
    `what is found about one edit is found about two, and in steps: all pairs (${name})`,
    async (t) => {
      t.timeout(1_800_000);
      const faults: string[] = [];
      for (const edit of CATALOGUE)
        for (const other of CATALOGUE) faults.push(...(await faultsOfPair(channel, edit, other)));
      t.deepEqual(faults, []);
    },
  );
