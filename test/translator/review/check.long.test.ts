// Checks of single configs against what happened on real networks: orderers load what they accepted.

import test from 'ava';
import { applyUpdate } from '../../../translator/channel/apply.js';
import { readConfigFile, readUpdateFile } from '../../../translator/channel/file.js';
import { checkConfig } from '../../../translator/review/check.js';
import { bytesIn, readOutcomes } from '../../helpers/review-cases.js';

const { blocks, updates } = readOutcomes();
/** Other transactions, which make no config. */
const NO_UPDATE = /game-type-(?:1-config|3-endorser)$/;

for (const { name, block, envelope, time, fabric } of updates.filter(
  (update) => update.accepted && !NO_UPDATE.test(update.name),
))
  test(`${name}: the config that was accepted is one that orderers load`, async (t) => {
    const before = readConfigFile(bytesIn(blocks[block]!));
    const { config } = applyUpdate(before.config, readUpdateFile(bytesIn(envelope)).update);
    const { findings } = await checkConfig(
      { ...before, config },
      { now: new Date(time * 1000), fabric: [fabric] },
    );
    t.deepEqual(
      findings.filter(({ severity }) => severity === 'refused'),
      [],
    );
  });
