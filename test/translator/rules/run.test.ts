// The order of the checks, their findings and their progress.

import test from 'ava';
import { readConfigFile, readUpdateFile } from '../../../translator/channel/index.js';
import type { Progress } from '../../../translator/long-call.js';
import { review } from '../../../translator/review/index.js';
import { harmOf, inRaft, inValue, orderer, reviewOf } from '../../helpers/changed-config.js';
import { largeChannel } from '../../helpers/large-channel.js';

const NOW = new Date('2026-11-22T00:00:00Z');
const { config, envelope } = largeChannel(2, 1);

test('a review reports half of its work for the MSPs, and each hundredth of the checks', async (t) => {
  const reports: Progress[] = [];
  await review(readUpdateFile(envelope), readConfigFile(config), {
    now: NOW,
    fabric: ['3.1.5'],
    onProgress: (progress) => reports.push(progress),
  });
  const doneOf = (part: string): number[] =>
    reports.flatMap(({ what, done }) => (what === part ? [done] : []));
  t.is(doneOf('msps').at(-1), 50);
  t.deepEqual(
    doneOf('rules'),
    Array.from({ length: 31 }, (_, index) => 70 + index),
  );
});

test('dangers come before warnings, whatever their checks are', async (t) => {
  const found = await harmOf('app3', (channel) => {
    inValue(orderer(channel), 'BatchSize', 'orderer.BatchSize', (message) => {
      message.absolute_max_bytes = 524_287;
      message.preferred_max_bytes = 1000;
    });
    inRaft(channel, ({ options }) => void (options.tick_interval = '9ms'));
  });
  t.deepEqual(
    found.map((text) => text.split(':')[0]),
    ['danger raft-election-short', 'warning absolute-max-bytes-low'],
  );
});

test('a fault from before the update is found only where the update changes its element', async (t) => {
  const set = (changes: Readonly<Record<string, unknown>>) => (channel: Parameters<typeof orderer>[0]) =>
    inRaft(channel, ({ options }) => void Object.assign(options, changes));
  const prepare = set({ tick_interval: '9ms' });
  const elsewhere = await reviewOf(
    'app3',
    (channel) =>
      inValue(orderer(channel), 'BatchTimeout', 'orderer.BatchTimeout', (message) => {
        message.timeout = '3s';
      }),
    prepare,
  );
  t.false(elsewhere.findings.some(({ id }) => id === 'raft-election-short'));
  const same = await reviewOf('app3', set({ snapshot_interval_size: 100_000 }), prepare);
  t.true(same.findings.some(({ id }) => id === 'raft-election-short'));
});
