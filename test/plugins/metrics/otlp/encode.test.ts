// The content of a push: resources, metrics and data points.

import test, { type ExecutionContext } from 'ava';
import type { HistogramGrowth, MetricBatch, Sample } from '../../../../core/contract/index.js';
import type { SampleFamily } from '../../../../core/contract/metric-sink.js';
import otlp from '../../../../plugins/metrics/otlp/index.js';
import { otlpOptions, startOtlpReceiver, type OtlpBody } from '../../../helpers/otlp-receiver.js';
import { startPushSink } from '../../../helpers/sink-under-test.js';
import { batchOf, sample } from '../../../helpers/statsd-sink.js';

const PEER = { name: 'peer0', nodeKind: 'peer', startTime: 1_700_000_000.25 } as const;
const ORDERER = { name: 'orderer0', nodeKind: 'orderer' } as const;
const MACHINE = { name: 'machine' } as const;

const family = (name: string, source?: SampleFamily['source']): SampleFamily => ({
  name,
  help: `Help of ${name}.`,
  ...(source !== undefined && { source }),
});

const histogram = (parts: Partial<HistogramGrowth>): HistogramGrowth => ({
  namespace: '',
  subsystem: '',
  name: 'took',
  labels: { channel: 'ch1' },
  bounds: [0.1, 1, Infinity],
  counts: [2, 0, 1],
  sum: 3.25,
  count: 3,
  ...parts,
});

/** Pushes a batch and returns the requests. */
async function push(
  t: ExecutionContext,
  batch: Partial<MetricBatch>,
  options: Parameters<typeof otlpOptions>[0] = {},
) {
  const receiver = await startOtlpReceiver(t);
  const { endpoint } = receiver;
  const { sink, counted } = await startPushSink(t, otlp, otlpOptions({ endpoint, ...options }));
  await sink.push.flush(batchOf(batch), new AbortController().signal);
  return { receiver, counted, bodies: receiver.bodies() };
}

/** The resources of a request as `name/instance`, with their metrics as `name kind`. */
function shown(body: OtlpBody | undefined): Record<string, string[]> {
  return Object.fromEntries(
    (body?.resourceMetrics ?? []).map(({ resource, scopeMetrics }) => [
      resource.attributes.map(({ key, value }) => `${key}=${value.stringValue}`).join(),
      scopeMetrics.flatMap(({ metrics }) =>
        metrics.map((metric) => `${String(metric.name)} ${Object.keys(metric)[2]}`),
      ),
    ]),
  );
}

const metricsOf = (body: OtlpBody | undefined): readonly Record<string, unknown>[] =>
  (body?.resourceMetrics ?? []).flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics));

test('each node, each other source and the agent are separate resources', async (t) => {
  const { bodies } = await push(
    t,
    {
      counters: [
        { ...sample('own', 1), family: family('own') },
        { ...sample('calls', 2), family: family('calls', PEER) },
        { ...sample('calls', 3), family: family('calls', ORDERER) },
      ],
      gauges: [{ ...sample('load', 4), family: family('machine_load', MACHINE) }],
      histograms: [histogram({ family: family('took', PEER) })],
    },
    { resource: { 'service.namespace': 'org1' } },
  );
  t.is(bodies.length, 1);
  const id = (service: string, instance: string): string =>
    `service.name=${service},service.instance.id=${instance},service.namespace=org1`;
  t.deepEqual(shown(bodies[0]), {
    [id('fabric-ops-agent', 'agent-1')]: ['own sum'],
    [id('fabric-peer', 'peer0')]: ['calls sum', 'took histogram'],
    [id('fabric-orderer', 'orderer0')]: ['calls sum'],
    [id('machine', 'agent-1')]: ['machine_load gauge'],
  });
});

test('sums and histograms are cumulative since the start of the process of the node', async (t) => {
  const before = Date.now();
  const calls = family('calls', PEER);
  const { bodies } = await push(t, {
    counters: [
      { ...sample('calls', 2.5, { channel: 'ch1' }), family: calls },
      { ...sample('calls', 4, { channel: 'ch2' }), family: calls },
    ],
    gauges: [{ ...sample('height', -7), family: family('height', PEER) }],
    histograms: [histogram({ family: family('took', PEER) })],
  });
  const [sum, gauge, took] = metricsOf(bodies[0]) as [
    { sum: { dataPoints: { timeUnixNano: string }[] } },
    unknown,
    unknown,
  ];
  const { timeUnixNano } = sum.sum.dataPoints[0] ?? { timeUnixNano: '' };
  // A double cannot hold the nanoseconds.
  const time = Number(BigInt(timeUnixNano) / 1_000_000n);
  t.true(time >= before && time <= Date.now());
  const startTimeUnixNano = '1700000000250000000';
  const attributes = (value: string) => [{ key: 'channel', value: { stringValue: value } }];
  t.deepEqual(sum as unknown, {
    name: 'calls',
    description: 'Help of calls.',
    sum: {
      dataPoints: [
        { attributes: attributes('ch1'), startTimeUnixNano, timeUnixNano, asDouble: 2.5 },
        { attributes: attributes('ch2'), startTimeUnixNano, timeUnixNano, asDouble: 4 },
      ],
      aggregationTemporality: 2,
      isMonotonic: true,
    },
  });
  t.deepEqual(gauge, {
    name: 'height',
    description: 'Help of height.',
    gauge: { dataPoints: [{ attributes: [], timeUnixNano, asDouble: -7 }] },
  });
  t.deepEqual(took, {
    name: 'took',
    description: 'Help of took.',
    histogram: {
      dataPoints: [
        {
          attributes: attributes('ch1'),
          startTimeUnixNano,
          timeUnixNano,
          count: '3',
          sum: 3.25,
          bucketCounts: ['2', '0', '1'],
          explicitBounds: [0.1, 1],
        },
      ],
      aggregationTemporality: 2,
    },
  });
});

test('a node whose clock is ahead does not start after the time of its values', async (t) => {
  const source = { ...PEER, startTime: Date.now() / 1000 + 3600 };
  const { bodies } = await push(t, {
    counters: [{ ...sample('calls', 2), family: family('calls', source) }],
  });
  const { sum } = metricsOf(bodies[0])[0] as {
    sum: { dataPoints: { startTimeUnixNano: string; timeUnixNano: string }[] };
  };
  t.is(sum.dataPoints[0]?.startTimeUnixNano, sum.dataPoints[0]?.timeUnixNano);
});

const INVALID: readonly (readonly [title: string, batch: Partial<MetricBatch>])[] = [
  ['an infinite gauge', { gauges: [sample('g', Infinity)] }],
  ['a counter that is not a number', { counters: [sample('c', NaN)] }],
  ['a histogram with a fraction of an observation', { histograms: [histogram({ counts: [0.5, 0, 0] })] }],
  ['a histogram with a negative count', { histograms: [histogram({ counts: [-1, 0, 0] })] }],
  ['a histogram with an infinite sum', { histograms: [histogram({ sum: Infinity })] }],
];

for (const [title, batch] of INVALID)
  test(`${title} is dropped and counted`, async (t) => {
    const { counted, receiver } = await push(t, batch);
    t.is(receiver.requests.length, 0);
    t.is(await counted('fabric_ops_agent_otlp_dropped_total', 'value'), 1);
  });

test('names and values of labels are arbitrary text, and half a surrogate pair is replaced', async (t) => {
  const labels = Object.fromEntries([
    ['__proto__', 'a'],
    ['"quoted"', '\u0000\n\\'],
    ['half', 'x\ud800'],
  ]);
  const { bodies } = await push(t, { gauges: [sample('g', 1, labels)] });
  const { gauge } = metricsOf(bodies[0])[0] as { gauge: { dataPoints: { attributes: unknown }[] } };
  t.deepEqual(gauge.dataPoints[0]?.attributes, [
    { key: '__proto__', value: { stringValue: 'a' } },
    { key: '"quoted"', value: { stringValue: '\u0000\n\\' } },
    { key: 'half', value: { stringValue: 'x\ufffd' } },
  ]);
});

test('values without a family are values of the agent, and are named by their parts', async (t) => {
  const { bodies } = await push(t, {
    counters: [sample('c', 1, {}, ['a', 'b'])],
    gauges: [sample('c', 1, {}, ['a', 'b'])],
  });
  t.deepEqual(Object.values(shown(bodies[0])), [['a_b_c sum', 'a_b_c gauge']]);
});

test('20,000 values are sent in four requests, each value once', async (t) => {
  const calls = family('calls', PEER);
  const counters: Sample[] = Array.from({ length: 20_000 }, (_, index) => ({
    ...sample('calls', index, { n: String(index) }),
    family: calls,
  }));
  const { bodies } = await push(t, { counters });
  t.is(bodies.length, 4);
  const values = bodies
    .flatMap(metricsOf)
    .flatMap(({ sum }) => (sum as { dataPoints: { asDouble: number }[] }).dataPoints);
  t.deepEqual(
    values.map(({ asDouble }) => asDouble),
    counters.map(({ value }) => value),
  );
});

for (const [compression, encoding] of [
  ['gzip', 'gzip'],
  ['none', undefined],
] as const)
  test(`with the compression ${compression} the request has the declared headers and its own`, async (t) => {
    const { receiver, bodies, counted } = await push(
      t,
      { counters: [sample('c', 1)] },
      { compression, headers: { 'X-Scope-OrgID': 'org1' } },
    );
    const { headers, method, url, bytes } = receiver.requests[0] ?? t.fail() ?? ({} as never);
    t.is(`${method} ${url}`, 'POST /v1/metrics');
    t.is(headers['content-type'], 'application/json');
    t.is(headers['content-encoding'], encoding);
    t.is(headers['content-length'], String(bytes.length));
    t.is(await counted('fabric_ops_agent_otlp_sent_bytes_total'), bytes.length);
    t.is(headers['x-scope-orgid'], 'org1');
    t.is(headers['accept-encoding'], 'identity');
    t.is(bodies.length, 1);
  });
