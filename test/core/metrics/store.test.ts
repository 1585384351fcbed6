import test from 'ava';
import { AgentError } from '../../../core/contract/index.js';
import { createMetricReader, MetricStore } from '../../../core/metrics/index.js';

const HELP = 'A family of the test.';

/** The lines of the own families of a store that match; without HELP and TYPE. */
async function lines(store: MetricStore, pattern: RegExp): Promise<string[]> {
  const { body } = await createMetricReader(store).render('text');
  return body.split('\n').filter((line) => !line.startsWith('#') && pattern.test(line));
}

const invalid = (message: string): { instanceOf: typeof AgentError; code: string; message: string } => ({
  instanceOf: AgentError,
  code: 'METRIC_INVALID',
  message,
});

for (const amount of [NaN, Infinity, -Infinity, -1]) {
  test(`a counter leaves out ${amount} and counts that`, async (t) => {
    const store = new MetricStore(10);
    const counter = store.counter({ name: 'events', help: HELP });
    counter.inc(2);
    counter.inc(amount);
    t.deepEqual(await lines(store, /^events|rejected/), [
      'events 2',
      'metrics_rejected_total{family="events"} 1',
    ]);
  });
}

test('a gauge leaves out NaN, keeps infinity, and does not add what is not finite', async (t) => {
  const store = new MetricStore(10);
  const gauge = store.gauge({ name: 'level', help: HELP });
  gauge.set(4);
  gauge.set(NaN);
  gauge.add(NaN);
  gauge.add(Infinity);
  gauge.add(-1);
  t.deepEqual(await lines(store, /^level|rejected/), ['level 3', 'metrics_rejected_total{family="level"} 3']);
  gauge.set(-Infinity);
  t.deepEqual(await lines(store, /^level/), ['level -Inf']);
});

test('a histogram leaves out NaN and infinite observations, and its listeners do not hear of them', async (t) => {
  const store = new MetricStore(10);
  const heard: number[] = [];
  store.onObservation((_series, value) => heard.push(value));
  const histogram = store.histogram({ name: 'took', help: HELP, buckets: [1] });
  for (const value of [NaN, Infinity, -Infinity, 0.5]) histogram.observe(value);
  t.deepEqual(heard, [0.5]);
  t.deepEqual(await lines(store, /^took|rejected/), [
    'metrics_rejected_total{family="took"} 3',
    'took_bucket{le="1"} 1',
    'took_bucket{le="+Inf"} 1',
    'took_sum 0.5',
    'took_count 1',
  ]);
});

test('a listener that was removed hears nothing any more', (t) => {
  const store = new MetricStore(10);
  const heard: number[] = [];
  const remove = store.onObservation((_series, value) => heard.push(value));
  const histogram = store.histogram({ name: 'took', help: HELP });
  histogram.observe(1);
  remove();
  histogram.observe(2);
  t.deepEqual(heard, [1]);
});

test('labels that are missing or were not declared are errors', (t) => {
  const store = new MetricStore(10);
  const family = store.counter({ name: 'calls', help: HELP, labelNames: ['a', 'constructor'] });
  t.throws(
    () => family.with({ a: 1 } as never),
    invalid(`cannot use metric 'calls': label 'constructor' is missing; its labels are a, constructor`),
  );
  t.throws(
    () => family.with({ a: 1, constructor: 2, b: 3 } as never),
    invalid(`cannot use metric 'calls': label 'b' was not declared; its labels are a, constructor`),
  );
  t.throws(
    () => store.gauge({ name: 'plain', help: HELP }).with({ b: 3 } as never),
    invalid(`cannot use metric 'plain': label 'b' was not declared; it has none`),
  );
});

test('a family with labels cannot be used without them', (t) => {
  const store = new MetricStore(10);
  const message = `cannot use metric 'calls' without its labels: call with() first`;
  const family = store.counter({ name: 'calls', help: HELP, labelNames: ['a'] });
  t.throws(() => family.inc(), invalid(message));
});

test('series over the limit do nothing, and each call for one is counted', async (t) => {
  const store = new MetricStore(2);
  const family = store.counter({ name: 'calls', help: HELP, labelNames: ['user'] });
  for (const user of ['a', 'b', 'c', 'd', 'c', 'a']) family.with({ user }).inc();
  t.deepEqual(await lines(store, /^calls|dropped/), [
    'calls{user="a"} 2',
    'calls{user="b"} 1',
    'metrics_series_dropped_total{family="calls"} 3',
  ]);
});

test('the families that count what was left out are not limited themselves', async (t) => {
  const store = new MetricStore(1);
  for (const name of ['one', 'two', 'three']) {
    const family = store.gauge({ name, help: HELP, labelNames: ['user'] });
    family.with({ user: 'first' }).set(NaN);
    family.with({ user: 'second' }).set(1);
  }
  t.deepEqual(await lines(store, /^metrics_/), [
    'metrics_rejected_total{family="one"} 1',
    'metrics_rejected_total{family="two"} 1',
    'metrics_rejected_total{family="three"} 1',
    'metrics_series_dropped_total{family="one"} 1',
    'metrics_series_dropped_total{family="two"} 1',
    'metrics_series_dropped_total{family="three"} 1',
  ]);
});

for (const labelNames of [
  ['a', 'b'],
  ['b', 'a'],
] as const) {
  test(`label sets that prom-client cannot tell apart are never added up (declared ${labelNames.join(', ')})`, async (t) => {
    const store = new MetricStore(10);
    const family = store.counter({ name: 'calls', help: HELP, labelNames });
    family.with({ a: '1,b:2', b: '3' }).inc();
    family.with({ a: '1', b: '2,b:3' }).inc(10);
    family.with({ a: '1,b:2', b: '3' }).inc();
    t.deepEqual(await lines(store, /^calls|dropped/), [
      'calls{a="1,b:2",b="3"} 2',
      'metrics_series_dropped_total{family="calls"} 1',
    ]);
  });
}

test('label values are text, well-formed and of bounded length', async (t) => {
  const store = new MetricStore(10);
  const family = store.gauge({ name: 'level', help: HELP, labelNames: ['value'] });
  for (const value of [true, 5, '', '\ud800', 'x'.repeat(2000)]) family.with({ value }).set(1);
  t.deepEqual(await lines(store, /^level/), [
    'level{value="true"} 1',
    'level{value="5"} 1',
    'level{value=""} 1',
    'level{value="\ufffd"} 1',
    `level{value="${'x'.repeat(1024)}"} 1`,
  ]);
});

test('the same definition twice is the same family', async (t) => {
  const store = new MetricStore(10);
  const options = { namespace: 'ledger', subsystem: '', name: 'height', help: HELP };
  store.gauge(options).set(3);
  store.gauge({ ...options, namespace: '', name: 'ledger_height' }).add(1);
  t.deepEqual(await lines(store, /^ledger/), ['ledger_height 4']);
});

test('the same name with another type, other labels or other buckets is an error', (t) => {
  const store = new MetricStore(10);
  const options = { name: 'took', help: HELP, labelNames: ['a'], buckets: [1, 2] } as const;
  store.histogram(options);
  const expected = invalid(
    `cannot create metric 'took': it exists with another type, other labels or other buckets`,
  );
  t.throws(() => store.counter(options), expected);
  t.throws(() => store.histogram({ ...options, labelNames: ['b'] }), expected);
  t.throws(() => store.histogram({ ...options, buckets: [1, 3] }), expected);
});

for (const name of ['1x', 'a-b', 'ä', '', 'a b', '__proto__ ']) {
  test(`a family cannot be called '${name}'`, (t) => {
    const store = new MetricStore(10);
    t.throws(() => store.counter({ name, help: HELP }), {
      code: 'METRIC_INVALID',
      message: new RegExp(`^cannot create metric '${name}': .`),
    });
  });
}

const BAD_LABELS: readonly (readonly [readonly string[], string])[] = [
  [['__name__'], `label '__name__' is reserved, as is every name that begins with __`],
  [['__proto__'], `label '__proto__' is reserved, as is every name that begins with __`],
  [['a', 'b', 'a'], `label 'a' is declared twice`],
  [['a-b'], 'At least one label name is invalid: a-b'],
];
for (const [labelNames, problem] of BAD_LABELS) {
  test(`a family cannot have the labels ${labelNames.join(', ')}`, (t) => {
    const store = new MetricStore(10);
    t.throws(() => store.counter({ name: 'calls', help: HELP, labelNames }), {
      code: 'METRIC_INVALID',
      message: /^cannot create metric 'calls': /,
    });
    t.throws(() => store.counter({ name: 'calls', help: HELP, labelNames }), {
      message: problem.startsWith('label') ? `cannot create metric 'calls': ${problem}` : /label name/i,
    });
  });
}

for (const buckets of [[2, 1], [1, 1], [1, Infinity], [NaN]]) {
  test(`a histogram cannot have the buckets ${buckets.join(', ')}`, (t) => {
    const store = new MetricStore(10);
    t.throws(
      () => store.histogram({ name: 'took', help: HELP, buckets }),
      invalid(`cannot create metric 'took': its buckets are not finite numbers in ascending order`),
    );
  });
}

test('names of process metrics cannot be taken', (t) => {
  const store = new MetricStore(10);
  t.throws(
    () => store.counter({ name: 'process_cpu_seconds_total', help: HELP }),
    invalid(`cannot create metric 'process_cpu_seconds_total': the name is taken by a metric of the process`),
  );
});

test('what is no number at all is left out and counted, whatever the types say', async (t) => {
  const store = new MetricStore(10);
  const odd = ['5', 5n, true, null, {}] as unknown as number[];
  for (const value of odd) {
    store.counter({ name: 'events', help: HELP }).inc(value);
    store.gauge({ name: 'level', help: HELP }).set(value);
    store.histogram({ name: 'times', help: HELP }).observe(value);
  }
  t.deepEqual(await lines(store, /^events|^level|^times_count|rejected/), [
    'events 0',
    'level 0',
    ...['events', 'level', 'times'].map((name) => `metrics_rejected_total{family="${name}"} 5`),
    'times_count 0',
  ]);
});

test('a help that is no text is refused, and costs nobody else', async (t) => {
  const store = new MetricStore(10);
  t.throws(
    () => store.counter({ name: 'events', help: 5 as unknown as string }),
    invalid("cannot create metric 'events': its help is not a text"),
  );
  t.deepEqual(await lines(store, /^events/), []);
});

for (const type of ['counter', 'gauge', 'histogram'] as const) {
  test(`a ${type} of 1,000 series is one family, its series in the order of their first use`, async (t) => {
    const store = new MetricStore(1000);
    const options = { name: 'many', help: HELP, labelNames: ['n'], buckets: [1] } as const;
    const use = {
      counter: (n: number) => store.counter(options).with({ n }).inc(n),
      gauge: (n: number) => store.gauge(options).with({ n }).set(n),
      histogram: (n: number) => store.histogram(options).with({ n }).observe(n),
    }[type];
    for (let n = 1; n <= 1000; n += 1) use(n);
    const { body } = await createMetricReader(store).render('text');
    t.is(body.match(/^# TYPE many /gm)?.length, 1);
    const name = type === 'histogram' ? 'many_sum' : 'many';
    t.deepEqual(
      body.split('\n').filter((line) => line.startsWith(`${name}{`)),
      Array.from({ length: 1000 }, (_, n) => `${name}{n="${n + 1}"} ${n + 1}`),
    );
    use(1001);
    t.deepEqual(await lines(store, /dropped/), ['metrics_series_dropped_total{family="many"} 1']);
  });
}
