// The time of calls without a time: the current one.

import test from 'ava';
import { readConfigFile, readUpdateFile } from '../../translator/channel/index.js';
import { channelDocument, summariseChannel } from '../../translator/documents/index.js';
import { expiryReport, certificatesInChannel } from '../../translator/expiry/index.js';
import { explainIdentities, readIdentities } from '../../translator/identity/index.js';
import { checkConfig, review, reviewProposals } from '../../translator/review/index.js';
import { largeChannel } from '../helpers/large-channel.js';

const CHANNEL = largeChannel(3, 7);
const BLOCK = readConfigFile(CHANNEL.config);
const UPDATE = readUpdateFile(CHANNEL.envelope);
const FILES = [{ name: 'update.pb', bytes: CHANNEL.envelope }];

for (const [name, call] of [
  ['review', async (now?: Date) => review(UPDATE, BLOCK, now && { now })],
  ['reviewProposals', async (now?: Date) => reviewProposals(FILES, BLOCK, now && { now })],
  ['checkConfig', async (now?: Date) => checkConfig(BLOCK, now && { now })],
  [
    'explainIdentities',
    async (now?: Date) => explainIdentities(readIdentities(CHANNEL.envelope), BLOCK, now && { now }),
  ],
  [
    'expiryReport',
    async (now?: Date) => expiryReport(await certificatesInChannel(BLOCK, 'b'), now && { now }).entries,
  ],
  ['channelDocument', async (now?: Date) => channelDocument(await summariseChannel(BLOCK), now)],
] as const)
  test(`${name} without a time uses the current one`, async (t) => {
    const result = await call();
    t.deepEqual(result, await call(new Date()));
    t.notDeepEqual(result, await call(new Date('2100-01-01')));
  });

test('an expiry report lists what expires within 30 days as due, unless it is given another time', async (t) => {
  const found = await certificatesInChannel(BLOCK, 'b');
  t.is(expiryReport(found).within, 30 * 86_400);
});
