// Sends one batch: samples to lines, lines to packets, packets to the transport.

import type { HistogramGrowth, MetricBatch, Sample } from '../../../core/contract/index.js';
import type { Transport } from '../../../core/kit/internal/index.js';
import { LineSender } from '../../../core/kit/metrics.js';
import type { SampleClient } from './client.js';
import type { SinkMetrics } from './metrics.js';
import { spreadHistograms } from './relayed-timings.js';

/** The destination of a batch. */
interface Destination {
  readonly transport: Transport;
  readonly client: SampleClient;
  /** Called with samples that cannot be sent. */
  readonly dropped: SinkMetrics['dropped'];
  /** Whether a relayed histogram is sent as timings, or as two counters. */
  readonly histograms: 'timings' | 'totals';
  /** Most timings of all relayed histograms in a batch. */
  readonly maxTimings: number;
}

/**
 * Sends counters, then gauges, then timings, in the order of a Fabric node. Other code can run in between.
 *
 * @returns the number of timings of relayed histograms that were not sent because of `maxTimings`
 * @throws Error when the transport fails
 * @throws the reason of the signal when it is aborted
 */
export async function sendBatch(
  batch: MetricBatch,
  destination: Destination,
  signal: AbortSignal,
): Promise<number> {
  return new BatchSender(destination, signal).send(batch);
}

/** Sends the lines of one batch. */
class BatchSender {
  readonly #destination: Destination;
  readonly #lines: LineSender;

  constructor(destination: Destination, signal: AbortSignal) {
    this.#destination = destination;
    this.#lines = new LineSender(destination.transport, destination.dropped, signal);
    destination.client.sendTo(this.#lines);
  }

  async send({ counters, histograms, gauges, timings }: MetricBatch): Promise<number> {
    const { client, histograms: mode } = this.#destination;
    await sendEach(counters, (sample) => client.counter(sample));
    if (mode === 'totals') for (const histogram of histograms) await client.totals(histogram);
    await this.#lines.flush('value');
    await sendEach(gauges, (sample) => client.gauge(sample));
    await this.#lines.flush('timing');
    const excess = mode === 'timings' ? await this.#spread(histograms) : 0;
    await sendEach(timings, (sample) => client.timing(sample));
    await this.#lines.flush();
    return excess;
  }

  async #spread(histograms: readonly HistogramGrowth[]): Promise<number> {
    const { client, maxTimings, dropped } = this.#destination;
    let notSent = 0;
    for (const each of spreadHistograms(histograms, client.timingFactor, maxTimings)) {
      for (let index = 0; index < each.size; index += 1) {
        const wait = client.timingOnWire(each.sample, each.valueAt(index));
        if (wait !== undefined) await wait;
      }
      dropped('value', each.invalid);
      notSent += each.excess;
    }
    return notSent;
  }
}

async function sendEach(
  samples: readonly Sample[],
  send: (sample: Sample) => Promise<void> | undefined,
): Promise<void> {
  for (const sample of samples) {
    const wait = send(sample);
    if (wait !== undefined) await wait;
  }
}
