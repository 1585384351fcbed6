// Sends one batch: samples to lines, lines to packets, packets to the transport.

import {
  createYielder,
  type HistogramGrowth,
  type MetricBatch,
  type Sample,
} from '../../../core/contract/index.js';
import type { LineWriter } from './lines.js';
import type { SinkMetrics } from './metrics.js';
import { Packer } from './packets.js';
import { spreadHistograms } from './relayed-timings.js';
import type { Transport } from './transport.js';

/** How many samples are written between two reads of the clock. */
const SAMPLES_PER_CHECK = 64;

/** Where a batch goes. */
export interface Destination {
  readonly transport: Transport;
  readonly writer: LineWriter;
  /** Called with samples that cannot be sent. */
  readonly dropped: SinkMetrics['dropped'];
  /** Whether a relayed histogram is sent as timings, or as two counters. */
  readonly histograms: 'timings' | 'totals';
  /** How many timings are sent of all relayed histograms in a batch. */
  readonly maxTimings: number;
}

/**
 * Sends counters, then gauges, then timings, in the order of a Fabric node. Other code can run in between.
 *
 * @returns how many timings of relayed histograms were not sent because of `maxTimings`
 * @throws Error when the transport fails
 * @throws the reason of the signal when it is aborted
 */
export async function sendBatch(
  batch: MetricBatch,
  destination: Destination,
  signal: AbortSignal,
): Promise<number> {
  const { transport, writer, dropped } = destination;
  const yieldIfDue = createYielder(SAMPLES_PER_CHECK);
  let packer = new Packer(transport.maxPacket, false);

  await each(batch.counters, (sample) => writer.counter(sample));
  if (destination.histograms === 'totals') await sendTotals(batch.histograms);
  await each(batch.gauges, (sample) => writer.gauge(sample));
  await flush();
  packer = new Packer(transport.maxPacket, true);
  const excess = destination.histograms === 'timings' ? await sendHistograms(batch.histograms) : 0;
  await each(batch.timings, (sample) => writer.timing(sample));
  await flush();
  return excess;

  async function each(samples: readonly Sample[], write: (sample: Sample) => Lines): Promise<void> {
    for (const sample of samples) await send(write(sample));
  }

  async function sendTotals(histograms: readonly HistogramGrowth[]): Promise<void> {
    for (const histogram of histograms) {
      await send(writer.counter({ ...histogram, value: histogram.count }, '.count'));
      await send(writer.counter({ ...histogram, value: histogram.sum * writer.timingFactor }, '.sum'));
    }
  }

  async function sendHistograms(histograms: readonly HistogramGrowth[]): Promise<number> {
    let notSent = 0;
    const all = spreadHistograms(histograms, writer.timingFactor, destination.maxTimings);
    for (const { sample, size, valueAt, excess: more, invalid } of all) {
      for (let index = 0; index < size; index += 1) await send(writer.timingOnWire(sample, valueAt(index)));
      dropped('value', invalid);
      notSent += more;
    }
    return notSent;
  }

  /** Sends the lines of one sample. */
  async function send(lines: Lines): Promise<void> {
    if (lines === undefined) dropped('value', 1);
    else if (!packer.fits(lines)) dropped('length', 1);
    else {
      const packet = packer.add(lines);
      if (packet !== undefined) await transport.send(packet);
    }
    const nextTurn = yieldIfDue();
    if (nextTurn !== undefined) await nextTurn;
    signal.throwIfAborted();
  }

  async function flush(): Promise<void> {
    const rest = packer.take();
    if (rest !== undefined) await transport.send(rest);
  }
}

/** The lines of one sample; undefined when StatsD cannot represent it. */
type Lines = Buffer | undefined;
