// The StatsD sink of the benchmarks, without an agent.

import type { PushSink } from '../../core/contract/index.js';
import { createTestContext } from '../../core/testing/index.js';
import statsd from '../../plugins/metrics/statsd/index.js';

/** The largest datagram of every sender, in bytes. */
export const MAX_DATAGRAM = 1432;

/** Starts a sink that sends to a local port over udp. */
export async function startSink(port: number): Promise<PushSink['push']> {
  const options = {
    network: 'udp',
    address: { host: '127.0.0.1', port },
    writeInterval: 10_000,
    prefix: '',
    maxDatagram: MAX_DATAGRAM,
    timingUnit: 'milliseconds',
    tags: 'none',
    nodePrefix: 'escaped',
    maxQueuedBytes: 8_388_608,
    unacknowledged: 'drop',
    maxTimings: 100_000,
    histograms: 'timings',
  } as const;
  const sink = statsd.create(createTestContext(statsd, options).context) as PushSink;
  await sink.start?.(new AbortController().signal);
  return sink.push;
}
