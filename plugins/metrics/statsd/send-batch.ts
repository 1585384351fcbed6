// Sends one batch: samples to lines, lines to packets, packets to the transport.

import {
  createYielder,
  type HistogramGrowth,
  type MetricBatch,
  type Sample,
} from '../../../core/contract/index.js';
import type { LineWriter } from './lines.js';
import type { SinkMetrics } from './metrics.js';
import { Packer, type Packet } from '../../common/packets.js';
import { spreadHistograms } from './relayed-timings.js';
import type { Transport } from '../../common/transport.js';

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
  return new BatchSender(destination, signal).send(batch);
}

/** Sends the lines of one batch. */
class BatchSender {
  readonly #destination: Destination;
  readonly #signal: AbortSignal;
  readonly #yieldIfDue = createYielder(SAMPLES_PER_CHECK);
  #packer: Packer;

  constructor(destination: Destination, signal: AbortSignal) {
    this.#destination = destination;
    this.#signal = signal;
    this.#packer = new Packer(destination.transport.maxPacket, false);
  }

  async send({ counters, histograms, gauges, timings }: MetricBatch): Promise<number> {
    const { transport, writer, histograms: mode } = this.#destination;
    await this.#each(counters, (sample) => writer.counter(sample));
    if (mode === 'totals') await this.#totals(histograms);
    await this.#each(gauges, (sample) => writer.gauge(sample));
    await this.#flush();
    this.#packer = new Packer(transport.maxPacket, true);
    const excess = mode === 'timings' ? await this.#spread(histograms) : 0;
    await this.#each(timings, (sample) => writer.timing(sample));
    await this.#flush();
    return excess;
  }

  async #each(samples: readonly Sample[], write: (sample: Sample) => Lines): Promise<void> {
    for (const sample of samples) {
      const wait = this.#lines(write(sample));
      if (wait !== undefined) await wait;
    }
  }

  async #totals(histograms: readonly HistogramGrowth[]): Promise<void> {
    const { writer } = this.#destination;
    for (const histogram of histograms) {
      await this.#lines(writer.counter({ ...histogram, value: histogram.count }, '.count'));
      await this.#lines(writer.counter({ ...histogram, value: histogram.sum * writer.timingFactor }, '.sum'));
    }
  }

  async #spread(histograms: readonly HistogramGrowth[]): Promise<number> {
    const { writer, maxTimings, dropped } = this.#destination;
    let notSent = 0;
    for (const each of spreadHistograms(histograms, writer.timingFactor, maxTimings)) {
      for (let index = 0; index < each.size; index += 1) {
        const wait = this.#lines(writer.timingOnWire(each.sample, each.valueAt(index)));
        if (wait !== undefined) await wait;
      }
      dropped('value', each.invalid);
      notSent += each.excess;
    }
    return notSent;
  }

  /** Adds the lines of one sample. Undefined unless there is something to wait for: a promise for each line costs more than the line. */
  #lines(lines: Lines): Promise<void> | undefined {
    const { dropped } = this.#destination;
    let packet: Packet | undefined;
    if (lines === undefined) dropped('value', 1);
    else if (this.#packer.fits(lines)) packet = this.#packer.add(lines);
    else dropped('length', 1);
    const nextTurn = this.#yieldIfDue();
    return packet === undefined && nextTurn === undefined ? undefined : this.#wait(packet, nextTurn);
  }

  async #wait(packet: Packet | undefined, nextTurn: Promise<void> | undefined): Promise<void> {
    if (packet !== undefined) await this.#destination.transport.send(packet);
    await nextTurn;
    this.#signal.throwIfAborted();
  }

  async #flush(): Promise<void> {
    const rest = this.#packer.take();
    if (rest !== undefined) await this.#destination.transport.send(rest);
  }
}

/** The lines of one sample; undefined when StatsD cannot represent it. */
type Lines = Buffer | undefined;
