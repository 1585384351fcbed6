// The order of the checks, their findings and their progress.

import test from 'ava';
import { readConfigFile, readUpdateFile } from '../../../translator/channel/index.js';
import type { Progress } from '../../../translator/long-call.js';
import { checkConfig, review } from '../../../translator/review/index.js';
import { harmOf, inRaft, inValue, orderer, reviewOf } from '../../helpers/changed-config.js';
import { largeChannel } from '../../helpers/large-channel.js';

const NOW = new Date('2026-11-22T00:00:00Z');
const { config, envelope } = largeChannel(2, 1);

/** The progress at the begin of each part, and the largest step within the checks. */
function shapeOf(reports: readonly Progress[]): {
  readonly begins: Readonly<Record<string, number>>;
  readonly step: number;
} {
  const begins: Record<string, number> = {};
  for (const { what, done } of reports) begins[what] ??= done;
  const checks = reports.flatMap(({ what, done }) => (what === 'rules' ? [done] : []));
  return { begins, step: Math.max(...checks.slice(1).map((done, index) => done - checks[index]!)) };
}

test('a review reports half of its work for the MSPs, and each hundredth of the checks', async (t) => {
  const reports: Progress[] = [];
  await review(readUpdateFile(envelope), readConfigFile(config), {
    now: NOW,
    fabric: ['3.1.5'],
    onProgress: (progress) => reports.push(progress),
  });
  t.deepEqual(shapeOf(reports), { begins: { msps: 0, services: 50, rules: 70 }, step: 1 });
  t.true(reports.some(({ what, done }) => what === 'msps' && done === 25));
  t.is(reports.at(-1)?.done, 100);
});

test('a check of a config reports its checks after its MSPs', async (t) => {
  const reports: Progress[] = [];
  await checkConfig(readConfigFile(config), {
    now: NOW,
    fabric: ['3.1.5'],
    onProgress: (progress) => reports.push(progress),
  });
  t.deepEqual(shapeOf(reports).begins, { msps: 0, rules: 70 });
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
