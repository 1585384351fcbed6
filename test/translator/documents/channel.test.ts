// Summaries of channels with unusual elements, and their progress.

import test from 'ava';
import { readConfigFile } from '../../../translator/channel/index.js';
import { summariseChannel } from '../../../translator/documents/index.js';
import type { Progress } from '../../../translator/long-call.js';
import { parse, serialize } from '../../fuzz/review/messages.js';
import { application, orderer, org1, type Group } from '../../helpers/changed-config.js';
import { largeChannel } from '../../helpers/large-channel.js';
import { bytesIn, readReviewCases } from '../../helpers/review-cases.js';

const { configs } = readReviewCases();

function changed(change: (channel: Group) => void): ReturnType<typeof readConfigFile> {
  const tree = parse('common.Config', bytesIn(configs.app3!));
  change(tree.channel_group as Group);
  return readConfigFile(serialize('common.Config', tree));
}

test('an element with a mod_policy that names no policy can be changed by nobody', async (t) => {
  const { permissions } = await summariseChannel(
    changed((channel) => {
      org1(channel).values.AnchorPeers!.mod_policy = 'Nobody';
      org1(channel).values.MSP!.mod_policy = '';
    }),
  );
  const found = permissions.filter(({ policy }) => policy === undefined);
  t.deepEqual(
    found.map(({ path, signers, control }) => [path, signers, control]),
    [
      ['/Channel/Application/Org1/AnchorPeers', 'nobody: there is no policy Nobody', found[0]!.control],
      ['/Channel/Application/Org1/MSP', "nobody: there is no policy ''", found[1]!.control],
    ],
  );
});

test('a policy that Fabric refuses has its reason, and is not valid', async (t) => {
  const { policies } = await summariseChannel(
    changed((channel) => {
      application(channel).policies.Bad = { policy: { type: 9 }, mod_policy: 'Admins' };
      application(channel).policies.Empty = { mod_policy: 'Admins' } as never;
    }),
  );
  const found = policies.filter(({ path }) => /\/(?:Bad|Empty)$/.test(path));
  t.deepEqual(
    found.map(({ valid }) => valid),
    [false, false],
  );
  for (const { text } of found) t.regex(text, /polic/);
});

test('a channel with a value that cannot be read has no summary, also if the summary does not contain the value', async (t) => {
  for (const change of [
    (channel: Group) => (channel.values.BlockDataHashingStructure!.value = Buffer.from('ff', 'hex')),
    (channel: Group) => (orderer(channel).values.BatchSize!.value = Buffer.from('ff', 'hex')),
  ])
    await t.throwsAsync(summariseChannel(changed((channel) => void change(channel))), { code: 'BAD_BYTES' });
});

test('a summary reports its search for control, and then each hundredth of its words', async (t) => {
  const reports: Progress[] = [];
  await summariseChannel(readConfigFile(largeChannel(12, 1).config), {
    onProgress: (progress) => reports.push(progress),
  });
  const words = reports.flatMap(({ what, done }) => (what === 'words' ? [done] : []));
  t.deepEqual(reports[0], { done: 0, total: 100, what: 'control' });
  t.deepEqual(
    words,
    Array.from({ length: 41 }, (_, index) => 60 + index),
  );
});
