// A batch waits for its transport.

import test from 'ava';
import type { LineSender } from '../../../../core/kit/metrics.js';
import { LineWriter } from '../../../../plugins/metrics/graphite/lines.js';
import { sendBatch } from '../../../../plugins/metrics/graphite/send-batch.js';
import { batchOf, sample } from '../../../helpers/statsd-sink.js';

const histogram = {
  ...sample('took', 0),
  bounds: [1, Infinity],
  counts: [1, 2],
  sum: 3,
  count: 3,
};

for (const isSlow of [false, true])
  test(`values are sent one after the other, counters first, ${isSlow ? 'and each waits for the one before' : 'without waiting'}`, async (t) => {
    const steps: string[] = [];
    const sender = {
      add: (line: Buffer | undefined) => {
        const name = line?.toString().split(' ')[0] ?? '';
        steps.push(name);
        return isSlow ? Promise.resolve().then(() => void steps.push('sent')) : undefined;
      },
      flush: async () => void steps.push('flush'),
    } as unknown as LineSender;
    const writer = new LineWriter({ prefix: '', tags: 'none' });
    const batch = batchOf({
      counters: [sample('a', 1), sample('b', 2)],
      gauges: [sample('c', 3)],
      histograms: [histogram],
    });
    await sendBatch(batch, writer, sender);
    const names = steps.filter((step) => step !== 'sent' && step !== 'flush');
    t.deepEqual(names.slice(0, 3), ['a', 'b', 'c']);
    t.true(names.length > 3 && names.slice(3).every((name) => name.startsWith('took')), names.join());
    t.deepEqual(steps, [...names.flatMap((name) => (isSlow ? [name, 'sent'] : [name])), 'flush']);
  });
