// Sends one batch: samples to lines, lines to packets, packets to the transport.

import { createYielder, type MetricBatch, type Sample } from '../../../core/contract/index.js';
import type { LineWriter } from './lines.js';
import type { SinkMetrics } from './metrics.js';
import { Packer } from './packets.js';
import type { Transport } from './transport.js';

/** How many samples are written between two reads of the clock. */
const SAMPLES_PER_CHECK = 64;

/** Where a batch goes. */
export interface Destination {
  readonly transport: Transport;
  readonly writer: LineWriter;
  /** Called with samples that cannot be sent. */
  readonly dropped: SinkMetrics['dropped'];
}

/**
 * Sends counters, then gauges, then timings, in the order of a Fabric node. Other code can run in between.
 *
 * @throws Error when the transport fails
 * @throws the reason of the signal when it is aborted
 */
export async function sendBatch(
  { counters, gauges, timings }: MetricBatch,
  { transport, writer, dropped }: Destination,
  signal: AbortSignal,
): Promise<void> {
  const yieldIfDue = createYielder(SAMPLES_PER_CHECK);
  await send(counters, (sample) => writer.counter(sample), false);
  await send(gauges, (sample) => writer.gauge(sample), false);
  await send(timings, (sample) => writer.timing(sample), true);

  async function send(
    samples: readonly Sample[],
    write: (sample: Sample) => Buffer | undefined,
    isTiming: boolean,
  ): Promise<void> {
    const packer = new Packer(transport.maxPacket, isTiming);
    for (const sample of samples) {
      const lines = write(sample);
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
    const rest = packer.take();
    if (rest !== undefined) await transport.send(rest);
  }
}
