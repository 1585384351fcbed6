import test from 'ava';
import type { SourceReading } from '../../../core/contract/index.js';
import { RemovedChannels } from '../../../core/metrics/removed-channels.js';
import { channelReading } from '../../helpers/checker.js';

const READING = channelReading({ ledger_blockchain_height: { ch1: 1, ch2: 2 }, cluster_size: { ch2: 3 } });

const channelsIn = ({ families }: SourceReading): string[] =>
  families.flatMap(({ series }) => series.map(({ labels }) => String(labels['channel'])));

test('a channel that the node does not list is omitted, and the other series are the same objects', (t) => {
  const removed = new RemovedChannels();
  t.true(removed.record(['ch1'], READING, true));
  t.deepEqual(removed.names, ['ch2']);
  const reading = removed.without(READING);
  t.deepEqual(channelsIn(reading), ['ch1']);
  t.is(reading.families[0]?.series[0], READING.families[0]?.series[0]);
  t.false(removed.record(['ch1'], READING, true));
});

test('a channel in a reading that is newer than the list is not omitted, until the next list does not have it either', (t) => {
  const removed = new RemovedChannels();
  t.false(removed.record(['ch1'], READING, false));
  t.is(removed.without(READING), READING);
  t.true(removed.record(['ch1'], READING, false));
  t.deepEqual(removed.names, ['ch2']);
});

test('a removed channel stays removed with a newer reading, until the node lists it or no longer shows it', (t) => {
  const removed = new RemovedChannels();
  removed.record(['ch1'], READING, true);
  t.false(removed.record(['ch1'], READING, false));
  t.deepEqual(removed.names, ['ch2']);
  t.true(removed.record(['ch1', 'ch2'], READING, true));
  t.deepEqual(removed.names, []);
  removed.record([], READING, true);
  t.true(removed.record([], channelReading({}), true));
  t.deepEqual(removed.names, []);
});

test('series without a channel are kept', (t) => {
  const removed = new RemovedChannels();
  const reading: SourceReading = {
    families: [
      {
        name: 'a',
        help: '',
        type: 'gauge',
        parts: { namespace: '', subsystem: '', name: 'a' },
        series: [{ labels: {}, value: 1 }],
      },
    ],
  };
  t.false(removed.record([], reading, true));
  t.is(removed.without(reading), reading);
});
