// The lines of a batch in their order, and the observations that are not sent.

import test from 'ava';
import statsd from '../../../../plugins/metrics/statsd/index.js';
import { startPushSink } from '../../../helpers/sink-under-test.js';
import { ReceivedLines, startUdpDaemon } from '../../../helpers/statsd-daemon.js';
import { batchOf, sample, statsdOptions, type GivenOptions } from '../../../helpers/statsd-sink.js';
import { until } from '../../../helpers/until.js';

const { value: _value, ...TOOK } = sample('took_seconds', 0);
const HISTOGRAM = { ...TOOK, bounds: [1, Infinity], counts: [1, 1], sum: 3, count: 2 };
const BATCH = batchOf({
  counters: [sample('calls', 1)],
  gauges: [sample('level', 2)],
  histograms: [HISTOGRAM, { ...HISTOGRAM, name: 'negative', sum: -1 }],
  timings: [sample('last', 0.5)],
  droppedTimings: 4,
});

const [CALLS, LEVEL, LAST] = ['calls:1.000000|c', 'level:2.000000|g', 'last:500.000000|ms'];
const [FIRST, SECOND] = ['took_milliseconds:500.000000|ms', 'took_milliseconds:2500.000000|ms'];
const totals = (factor: number, unit: string): readonly string[] => [
  `took_${unit}.count:2.000000|c`,
  `took_${unit}.sum:${3 * factor}.000000|c`,
  'negative.count:2.000000|c',
  `negative.sum:-${factor}.000000|c`,
];

for (const [what, options, lines, dropped] of [
  ['timings', {}, [CALLS, LEVEL, FIRST, SECOND, LAST], [4, 2]],
  ['at most one timing', { maxTimings: 1 }, [CALLS, LEVEL, FIRST, LAST], [5, 2]],
  ['totals', { histograms: 'totals' }, [CALLS, ...totals(1000, 'milliseconds'), LEVEL, LAST], [4, 0]],
  [
    'totals in seconds',
    { histograms: 'totals', timingUnit: 'seconds' },
    [CALLS, ...totals(1, 'seconds'), LEVEL, 'last:0.500000|ms'],
    [4, 0],
  ],
] as const satisfies readonly (readonly [
  string,
  GivenOptions,
  readonly string[],
  readonly [number, number],
])[])
  test(`with ${what} a batch has the lines ${lines.join(', ')}`, async (t) => {
    const received = new ReceivedLines();
    const { port } = await startUdpDaemon(t, received);
    const given = statsdOptions({ address: `127.0.0.1:${port}`, ...options });
    const { sink, counted } = await startPushSink(t, statsd, given);
    await sink.push.flush(BATCH, new AbortController().signal);
    await until(() => received.lines.length >= lines.length);
    t.deepEqual(received.lines, lines);
    const reasons = ['timings', 'value'].map((reason) =>
      counted('fabric_ops_agent_statsd_dropped_total', reason),
    );
    t.deepEqual(await Promise.all(reasons), dropped);
  });
