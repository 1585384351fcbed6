// Sends a batch of totals as lines of Graphite.

import type { MetricBatch } from '../../../core/contract/index.js';
import type { LineSender } from '../../../core/kit/metrics.js';
import type { LineWriter } from './lines.js';

/**
 * Sends a batch of totals. All values have the same time. Other code can run in between.
 *
 * @throws Error when the transport fails
 * @throws the reason of the signal of the sender when it is aborted
 */
export async function sendBatch(
  { counters, gauges, histograms }: MetricBatch,
  writer: LineWriter,
  sender: LineSender,
): Promise<void> {
  const time = Math.floor(Date.now() / 1000);
  for (const samples of [counters, gauges]) {
    for (const sample of samples) {
      const wait = sender.add(writer.value(sample, time));
      if (wait !== undefined) await wait;
    }
  }
  for (const histogram of histograms) {
    for (const line of writer.histogram(histogram, time)) {
      const wait = sender.add(line);
      if (wait !== undefined) await wait;
    }
  }
  await sender.flush();
}
