// The bounds of a review.

import test from 'ava';
import { readConfigFile, readUpdateFile } from '../../../translator/channel/file.js';
import { review } from '../../../translator/review/index.js';
import { crowdedUpdate, type Crowd } from '../../helpers/crowded-update.js';
import { largeChannel } from '../../helpers/large-channel.js';

const { config } = largeChannel(3, 1);
const block = readConfigFile(config);
const now = new Date('2026-11-22T00:00:00Z');

// Beside the things of which there are many: read set, write set and the Application group.
const BOUNDS: readonly (readonly [crowd: Crowd, most: number, message: string])[] = [
  ['signatures', 1000, 'the update has 1001 signatures; a review takes at most 1000'],
  ['values', 4997, 'the update has 5001 groups, values and policies; a review takes at most 5000'],
  ['policies', 4997, 'the update has 5001 groups, values and policies; a review takes at most 5000'],
  [
    'certificates',
    5000,
    'the update has 5001 certificates, consenters, addresses and ACLs; a review takes at most 5000',
  ],
  [
    'consenters',
    5000,
    'the update has 5001 certificates, consenters, addresses and ACLs; a review takes at most 5000',
  ],
  [
    'addresses',
    5000,
    'the update has 5001 certificates, consenters, addresses and ACLs; a review takes at most 5000',
  ],
  [
    'ACLs',
    5000,
    'the update has 5001 certificates, consenters, addresses and ACLs; a review takes at most 5000',
  ],
];

for (const [crowd, most, message] of BOUNDS) {
  test(`an update with ${most} ${crowd} is reviewed`, async (t) => {
    const { accepted } = await review(readUpdateFile(crowdedUpdate(crowd, most)), block, { now });
    t.false(accepted);
  });

  test(`an update with ${most + 1} ${crowd} is refused`, async (t) => {
    const update = readUpdateFile(crowdedUpdate(crowd, most + 1));
    await t.throwsAsync(review(update, block, { now }), { code: 'TOO_LARGE', message });
  });
}

test('a value with 500,001 addresses is refused', async (t) => {
  const update = readUpdateFile(crowdedUpdate('addresses', 500_001));
  await t.throwsAsync(review(update, block, { now }), {
    code: 'TOO_LARGE',
    message: 'more than 500000 values in one message',
  });
});
