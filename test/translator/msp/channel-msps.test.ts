// The MSPs of a channel: the cache, the progress and the end of setting them up.

import test from 'ava';
import { readConfigFile } from '../../../translator/channel/index.js';
import { LongCall, type Progress } from '../../../translator/long-call.js';
import { MspCache, rulesOf, setupChannelMsps } from '../../../translator/msp/index.js';
import { bytesIn, readReviewCases } from '../../helpers/review-cases.js';

const { config } = readConfigFile(bytesIn(readReviewCases().configs.app3!));
const NAMES = ['OrdererBMSP', 'OrdererMSP', 'Org1MSP', 'Org2MSP', 'Org3MSP'];

test('each MSP of a channel is set up once for each program, if there is a cache', async (t) => {
  const cache = new MspCache();
  const [oldest] = rulesOf(['2.5.12']);
  const [first, again, other] = [
    await setupChannelMsps(config, { cache }),
    await setupChannelMsps(config, { cache }),
    await setupChannelMsps(config, { cache, program: oldest }),
  ];
  t.deepEqual([...first.manager.msps.keys()].toSorted(), NAMES);
  for (const name of NAMES) {
    t.is(again.manager.msps.get(name), first.manager.msps.get(name), name);
    t.not(other.manager.msps.get(name), first.manager.msps.get(name), name);
  }
  t.is(other.program, oldest);
  t.is(other.manager.msps.get('Org1MSP')!.rules.program, oldest);
  t.is(first.program.fabric, '3.0');
  const alone = await setupChannelMsps(config);
  t.not(alone.manager.msps.get('Org1MSP'), first.manager.msps.get('Org1MSP'));
});

test('the progress of setting up five MSPs is reported for each', async (t) => {
  const reports: Progress[] = [];
  const call = new LongCall({ onProgress: (progress) => reports.push(progress) });
  call.begin('msps', 50);
  await setupChannelMsps(config, { call });
  t.deepEqual(
    reports.map(({ done, total, what }) => [done, total, what]),
    [0, 10, 20, 30, 40, 50].map((done) => [done, 100, 'msps']),
  );
});

test('a signal ends setting up the MSPs of a channel', async (t) => {
  const reason = new Error('not needed any longer');
  const call = new LongCall({ signal: AbortSignal.abort(reason) });
  t.is(await t.throwsAsync(setupChannelMsps(config, { call })), reason);
});
