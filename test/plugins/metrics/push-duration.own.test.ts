// The duration of pushes in the metrics of each push sink. The tests stop the clock.

import test, { type ExecutionContext } from 'ava';
import { parseHostPort } from '../../../core/common/text/host-port.js';
import graphite from '../../../plugins/metrics/graphite/index.js';
import otlp from '../../../plugins/metrics/otlp/index.js';
import statsd from '../../../plugins/metrics/statsd/index.js';
import { stopClock } from '../../helpers/clock.js';
import { otlpOptions, startOtlpReceiver } from '../../helpers/otlp-receiver.js';
import { startPushSink, type PushSinkUnderTest } from '../../helpers/sink-under-test.js';
import { valuesOf } from '../../helpers/snapshot.js';
import { ReceivedLines, startTcpDaemon, startUdpDaemon } from '../../helpers/statsd-daemon.js';
import { batchOf, sample, statsdOptions } from '../../helpers/statsd-sink.js';

const SINKS: readonly (readonly [
  name: string,
  start: (t: ExecutionContext) => Promise<PushSinkUnderTest>,
])[] = [
  [
    'otlp',
    async (t) => {
      const { endpoint } = await startOtlpReceiver(t);
      return startPushSink(t, otlp, otlpOptions({ endpoint }));
    },
  ],
  [
    'statsd',
    async (t) => {
      const { port } = await startUdpDaemon(t, new ReceivedLines());
      return startPushSink(t, statsd, statsdOptions({ address: `127.0.0.1:${port}` }));
    },
  ],
  [
    'graphite',
    async (t) => {
      const { port } = await startTcpDaemon(t, new ReceivedLines());
      const address = parseHostPort(`127.0.0.1:${port}`);
      const lines = { prefix: '', tags: 'none', nodePrefix: 'escaped' } as const;
      return startPushSink(t, graphite, { address, ...lines, writeInterval: 10_000, maxQueuedBytes: 1000 });
    },
  ],
];

for (const [name, start] of SINKS)
  test.serial(`the duration of a push of ${name} is observed in seconds`, async (t) => {
    const { sink, store } = await start(t);
    const clock = stopClock(t);
    const push = sink.push.flush(batchOf({ counters: [sample('a', 1)] }), new AbortController().signal);
    clock.tick(2002);
    await push;
    const family = `fabric_ops_agent_${name}_flush_duration_seconds`;
    const found = (await valuesOf(store, family)).filter(({ metricName = '' }) =>
      /_(?:sum|count)$/.test(metricName),
    );
    t.deepEqual(Object.fromEntries(found.map(({ metricName, value }) => [metricName, value])), {
      [`${family}_sum`]: 2.002,
      [`${family}_count`]: 1,
    });
  });
