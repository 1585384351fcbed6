// A review of a large update.

import test from 'ava';
import { readConfigFile, readUpdateFile } from '../../../translator/channel/file.js';
import { review } from '../../../translator/review/index.js';
import { largeChannel } from '../../helpers/large-channel.js';

test('an update of the MSPs of 12 organisations is accepted with 7 signatures, not with 6', async (t) => {
  for (const [signatures, accepted] of [
    [7, true],
    [6, false],
  ] as const) {
    const { config, envelope } = largeChannel(12, signatures);
    const result = await review(readUpdateFile(envelope), readConfigFile(config), {
      now: new Date('2026-11-22T00:00:00Z'),
    });
    t.is(result.accepted, accepted, JSON.stringify(result.findings, undefined, 1));
    t.is(result.elements.length, 12);
    const [policy] = result.policies;
    t.deepEqual([policy!.have, policy!.need], [signatures, 7]);
  }
});
