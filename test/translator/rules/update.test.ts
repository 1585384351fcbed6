// Updates that were not computed from two configs of the channel: compute_update of Fabric reads other messages as an empty config.

import test from 'ava';
import {
  readConfig,
  readConfigFile,
  readUpdateFile,
  writeConfig,
} from '../../../translator/channel/index.js';
import { review, summaryOf, type Review } from '../../../translator/review/index.js';
import { computeUpdate } from '../../../translator/update/index.js';
import { makeGroup } from '../../../translator/channel/make.js';
import { bytesIn, readReviewCases } from '../../helpers/review-cases.js';
import { parse, serialize, type Tree } from '../../fuzz/review/messages.js';

const { now, configs } = readReviewCases();
const config = bytesIn(configs.app3!);
const EMPTY = writeConfig({ sequence: 0n, channelGroup: makeGroup({}) });

/** The config with the changes of a person: another batch timeout. */
const edited = changed(config, (channel) => {
  const { Orderer } = channel.groups as Record<string, { values: Record<string, { value: Uint8Array }> }>;
  Orderer!.values.BatchTimeout!.value = serialize('orderer.BatchTimeout', { timeout: '7s' });
});

function changed(bytes: Uint8Array, change: (channel: Tree) => void): Uint8Array {
  const tree = parse('common.Config', bytes);
  change(tree.channel_group as Tree);
  return serialize('common.Config', tree);
}

/** The read set that an earlier update of the orderers has, in place of a config. */
const PART = changed(config, (channel) => {
  const { Orderer } = channel.groups as Record<string, object>;
  Object.assign(channel, { groups: { Orderer: { ...Orderer, groups: {}, values: {}, policies: {} } } });
  Object.assign(channel, { values: {}, policies: {} });
});

async function reviewOfUpdate(original: Uint8Array, updated: Uint8Array): Promise<Review> {
  const update = computeUpdate(original, updated, 'testchannel');
  return review(readUpdateFile(update), readConfigFile(config), { now: new Date(now) });
}

const refusals = ({ findings }: Review): readonly string[] =>
  findings
    .filter(({ severity, explainedBy }) => severity === 'refused' && explainedBy === undefined)
    .map(({ id }) => id);

test('an update that was computed from a block adds every element again: the cause is the only refusal and in the first line', async (t) => {
  const found = await reviewOfUpdate(EMPTY, edited);
  t.deepEqual(refusals(found), ['update-of-empty-config']);
  t.false(found.fits);
  t.true(
    summaryOf(found).startsWith(
      'refused: the update adds every element of the channel as new, so it was not computed from a config of the channel: compute_update of Fabric, for example, reads a block given as --original as an empty config, without a message',
    ),
    summaryOf(found),
  );
  t.is(
    found.next[0],
    'compute it again with configtxlator edit BLOCK --with UPDATED_CONFIG, which reads blocks; or first extract the config of the block: configtxlator proto_decode --type common.Block, jq .data.data[0].payload.data.config, configtxlator proto_encode --type common.Config',
  );
});

test('an update that was computed from an older update adds most elements again, and the review counts them', async (t) => {
  const found = await reviewOfUpdate(PART, edited);
  t.true(refusals(found).includes('update-of-empty-config'));
  const { added, all } = found.findings.find(({ id }) => id === 'update-of-empty-config')!.data as {
    added: number;
    all: number;
  };
  t.true(added < all && added > 0);
  t.regex(
    summaryOf(found),
    new RegExp(`the update adds ${added} of the ${all} elements of the channel as new`),
  );
});

test('an update to a block in place of a config removes everything: the cause is the only refusal', async (t) => {
  const found = await reviewOfUpdate(config, EMPTY);
  t.deepEqual(refusals(found), ['update-to-empty-config']);
  t.true(
    summaryOf(found).startsWith(
      'refused: the update removes every element of the channel, so it was not computed with an updated config: compute_update of Fabric, for example, reads a block given as --updated as an empty config, without a message',
    ),
    summaryOf(found),
  );
});

test('an update by hand that adds one element again is not taken for an update of an empty config', async (t) => {
  const { channelGroup, sequence } = readConfig(config);
  const values = new Map([...channelGroup.values].filter(([name]) => name !== 'Capabilities'));
  const original = writeConfig({ sequence, channelGroup: { ...channelGroup, values } });
  t.false(refusals(await reviewOfUpdate(original, edited)).includes('update-of-empty-config'));
});

test('an update that was computed from the config of another channel names the element that this channel does not have', async (t) => {
  const other = (bytes: Uint8Array, mspid: string): Uint8Array =>
    changed(bytes, (channel) => {
      const { Application } = channel.groups as Record<string, { groups: Record<string, Tree> }>;
      const { groups } = Application!;
      groups.Org9 = { ...structuredClone(groups.Org1!), mod_policy: mspid };
    });
  const found = await reviewOfUpdate(other(config, 'Admins'), other(config, 'Readers'));
  t.false(found.fits);
  const finding = found.findings.find(({ id }) => id === 'update-read-set');
  t.is(finding?.path, '/Channel/Application/Org9');
  t.is(
    finding?.text,
    'the update was not computed from this config: the channel has no such element, so it was computed from the config of another channel, or the element was removed since',
  );
});
