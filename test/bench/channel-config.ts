// A check of the configs of many channels without news, after the first one, which reads them.

import { createHash } from 'node:crypto';
import type { OptionValues } from '../../core/contract/index.js';
import { createNodeTestContext } from '../../core/testing/context.js';
import { MetricStore } from '../../core/metrics/index.js';
import channelConfig from '../../plugins/health/channel-config/index.js';
import { parseBlock } from '../../translator/ledger/index.js';
import { networkBlock } from '../helpers/network-block.js';
import { peerLedgers } from '../helpers/stored-ledger.js';
import { row, type Row } from './report.js';

const CHANNELS = 100;
const CHECKS = 50;

export async function benchChannelConfig(): Promise<Row[]> {
  const removals: (() => unknown)[] = [];
  const { directory, append } = peerLedgers({ teardown: (remove) => void removals.push(remove) });
  const block = parseBlock(networkBlock());
  const dataHash = createHash('sha256').update(block.data[0]!).digest();
  for (let index = 0; index < CHANNELS; index += 1) append(`channel${index}`, { ...block, dataHash });
  const options: OptionValues<typeof channelConfig.options> = {
    ledger: directory,
    tlsCert: '',
    kind: 'orderer',
    msp: '',
    listen: '',
    mspid: '',
    minimum: 0,
    allow: [],
  };
  const { context } = createNodeTestContext(channelConfig, options);
  const checker = channelConfig.create({ ...context, metrics: new MetricStore(100_000) });
  const check = async (): Promise<void> => checker.check(new AbortController().signal);
  const first = await cpuTimeOf(check);
  const rounds = await cpuTimeOf(async () => {
    for (let count = 0; count < CHECKS; count += 1) await check();
  });
  await checker.stop?.();
  for (const remove of removals) await remove();
  const note = `the first check, which reads them: ${(first / 1000).toFixed(1)} s`;
  const what = `channel-config: CPU of a check of ${CHANNELS} channels without news, in ms`;
  return [row(what, rounds / CHECKS, '<=', 20, note)];
}

/** The CPU time that work takes, in milliseconds. */
async function cpuTimeOf(work: () => Promise<void>): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
