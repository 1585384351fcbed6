// Updates that the channel has already: whether a review knows it, and from which block.

import test from 'ava';
import { readUpdateFile, type ConfigFile, type Envelope } from '../../../translator/channel/index.js';
import { documentText } from '../../../translator/documents/index.js';
import { setByPath, unsignedUpdate } from '../../../translator/edit/index.js';
import { review, reviewDocument, reviewProposals, verdictOf } from '../../../translator/review/index.js';
import { configBlock } from '../../helpers/migration.js';

const NOW = new Date('2026-11-24T00:00:00Z');

/** The update that led to a block. */
const updateOf = (number: number): Envelope => readUpdateFile(configBlock(number).lastUpdate!);

const reviewed = async (update: Envelope, block: ConfigFile): ReturnType<typeof review> =>
  review(update, block, { now: NOW });

for (const [what, update, block, appliedIn, title] of [
  [
    'the block names as its last update',
    updateOf(2),
    configBlock(2),
    { block: '2', isExact: true },
    `block 2; applied: already in block 2`,
  ],
  [
    'an earlier block has brought',
    updateOf(1),
    configBlock(2),
    { block: '2', isExact: false },
    `block 2; applied: already in block 2 or an earlier one`,
  ],
  [
    'a config without a block has',
    updateOf(2),
    { kind: 'config', form: 'config', config: configBlock(2).config },
    { block: null, isExact: false },
    'applied: already in this config',
  ],
] as const)
  test(`an update that ${what} is applied: the review has the block, and nothing to do`, async (t) => {
    const result = await reviewed(update, block);
    t.deepEqual(
      [result.appliedIn, verdictOf(result), result.findings, result.next],
      [appliedIn, 'applied', [], []],
    );
    t.is(
      documentText(reviewDocument(result)),
      `channel ${update.update.channelId}${title.startsWith('block') ? ', ' : '; '}${title}\nfingerprint\n  ${result.fingerprint}\n`,
    );
  });

const { config, channel = '' } = configBlock(2);
const timeout = (value: string): Uint8Array =>
  unsignedUpdate(config, setByPath(config, 'orderer.batchTimeout', value).config, channel).bytes;

for (const [what, update, block] of [
  ['is not in the block', readUpdateFile(timeout('9s')), configBlock(2)],
  ['the block is older than', updateOf(2), configBlock(1)],
  ['is for another channel', updateOf(2), { ...configBlock(2), channel: 'other' }],
  ['is in an envelope for another channel', { ...updateOf(2), channel: 'other' }, configBlock(2)],
] as const)
  test(`an update that ${what} is not applied`, async (t) => {
    const result = await reviewed(update, block);
    t.is(result.appliedIn, null);
    t.not(verdictOf(result), 'applied');
  });

test('an update that the channel has conflicts with no other, and is not refused', async (t) => {
  const files = [
    { name: 'new.pb', bytes: timeout('9s') },
    { name: 'old.pb', bytes: configBlock(2).lastUpdate! },
  ];
  const { proposals, conflicts } = await reviewProposals(files, configBlock(2), { now: NOW });
  t.deepEqual([proposals.map((each) => verdictOf(each.review)), conflicts], [['unsigned', 'applied'], []]);
});
