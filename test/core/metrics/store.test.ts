import test from 'ava';
import { AgentError } from '../../../core/contract/index.js';
import { MetricStore } from '../../../core/metrics/index.js';
import { textOf } from '../../helpers/exposition.js';

const HELP = 'A family of the test.';

/** The sample lines of a store that match a pattern; the families that count rejected and dropped values come first. */
async function lines(store: MetricStore, pattern: RegExp): Promise<string[]> {
  const body = await textOf(store);
  return body.split('\n').filter((line) => !line.startsWith('#') && pattern.test(line));
}

const invalid = (message: string): { instanceOf: typeof AgentError; code: string; message: string } => ({
  instanceOf: AgentError,
  code: 'METRIC_INVALID',
  message,
});

for (const amount of [NaN, Infinity, -Infinity, -1]) {
  test(`a counter ignores ${amount} and counts the rejection`, async (t) => {
    const store = new MetricStore(10);
    const counter = store.counter({ name: 'events', help: HELP });
    counter.inc(2);
    counter.inc(amount);
    t.deepEqual(await lines(store, /^fabric_ops_agent_events|rejected/), [
      'fabric_ops_agent_metrics_rejected_total{family="fabric_ops_agent_events"} 1',
      'fabric_ops_agent_events 2',
    ]);
  });
}

test('a gauge ignores NaN, can be set to infinity, and adds only finite values', async (t) => {
  const store = new MetricStore(10);
  const gauge = store.gauge({ name: 'level', help: HELP });
  gauge.set(4);
  gauge.set(NaN);
  gauge.add(NaN);
  gauge.add(Infinity);
  gauge.add(-1);
  t.deepEqual(await lines(store, /^fabric_ops_agent_level|rejected/), [
    'fabric_ops_agent_metrics_rejected_total{family="fabric_ops_agent_level"} 3',
    'fabric_ops_agent_level 3',
  ]);
  gauge.set(-Infinity);
  t.deepEqual(await lines(store, /^fabric_ops_agent_level/), ['fabric_ops_agent_level -Inf']);
});

test('a histogram and its listeners ignore NaN and infinite observations', async (t) => {
  const store = new MetricStore(10);
  const observed: number[] = [];
  store.onObservation((_series, value) => observed.push(value));
  const histogram = store.histogram({ name: 'took', help: HELP, buckets: [1] });
  for (const value of [NaN, Infinity, -Infinity, 0.5]) histogram.observe(value);
  t.deepEqual(observed, [0.5]);
  t.deepEqual(await lines(store, /^fabric_ops_agent_took|rejected/), [
    'fabric_ops_agent_metrics_rejected_total{family="fabric_ops_agent_took"} 3',
    'fabric_ops_agent_took_bucket{le="1"} 1',
    'fabric_ops_agent_took_bucket{le="+Inf"} 1',
    'fabric_ops_agent_took_sum 0.5',
    'fabric_ops_agent_took_count 1',
  ]);
});

test('a removed listener gets no further observations', (t) => {
  const store = new MetricStore(10);
  const observed: number[] = [];
  const remove = store.onObservation((_series, value) => observed.push(value));
  const histogram = store.histogram({ name: 'took', help: HELP });
  histogram.observe(1);
  remove();
  histogram.observe(2);
  t.deepEqual(observed, [1]);
});

test('missing and undeclared labels are errors', (t) => {
  const store = new MetricStore(10);
  const family = store.counter({ name: 'calls', help: HELP, labelNames: ['a', 'constructor'] });
  t.throws(
    () => family.with({ a: 1 } as never),
    invalid(
      `cannot use metric 'fabric_ops_agent_calls': label 'constructor' is missing; its labels are a, constructor`,
    ),
  );
  t.throws(
    () => family.with({ a: 1, constructor: 2, b: 3 } as never),
    invalid(
      `cannot use metric 'fabric_ops_agent_calls': label 'b' was not declared; its labels are a, constructor`,
    ),
  );
  t.throws(
    () => store.gauge({ name: 'plain', help: HELP }).with({ b: 3 } as never),
    invalid(`cannot use metric 'fabric_ops_agent_plain': label 'b' was not declared; it has none`),
  );
});

test('a family with labels cannot be used without labels', (t) => {
  const store = new MetricStore(10);
  const message = `cannot use metric 'fabric_ops_agent_calls' without its labels: call with() first`;
  const family = store.counter({ name: 'calls', help: HELP, labelNames: ['a'] });
  t.throws(() => family.inc(), invalid(message));
});

test('calls for a series over the limit have no effect and are counted', async (t) => {
  const store = new MetricStore(2);
  const family = store.counter({ name: 'calls', help: HELP, labelNames: ['user'] });
  for (const user of ['a', 'b', 'c', 'd', 'c', 'a']) family.with({ user }).inc();
  t.deepEqual(await lines(store, /^fabric_ops_agent_calls|dropped/), [
    'fabric_ops_agent_metrics_series_dropped_total{family="fabric_ops_agent_calls"} 3',
    'fabric_ops_agent_calls{user="a"} 2',
    'fabric_ops_agent_calls{user="b"} 1',
  ]);
});

test('the families that count rejected and dropped values have no limit', async (t) => {
  const store = new MetricStore(1);
  for (const name of ['one', 'two', 'three']) {
    const family = store.gauge({ name, help: HELP, labelNames: ['user'] });
    family.with({ user: 'first' }).set(NaN);
    family.with({ user: 'second' }).set(1);
  }
  t.deepEqual(await lines(store, /^fabric_ops_agent_metrics_/), [
    'fabric_ops_agent_metrics_rejected_total{family="fabric_ops_agent_one"} 1',
    'fabric_ops_agent_metrics_rejected_total{family="fabric_ops_agent_two"} 1',
    'fabric_ops_agent_metrics_rejected_total{family="fabric_ops_agent_three"} 1',
    'fabric_ops_agent_metrics_series_dropped_total{family="fabric_ops_agent_one"} 1',
    'fabric_ops_agent_metrics_series_dropped_total{family="fabric_ops_agent_two"} 1',
    'fabric_ops_agent_metrics_series_dropped_total{family="fabric_ops_agent_three"} 1',
  ]);
});

test('label values are converted to well-formed strings of limited length', async (t) => {
  const store = new MetricStore(10);
  const family = store.gauge({ name: 'level', help: HELP, labelNames: ['value'] });
  for (const value of [true, 5, '', '\ud800', 'x'.repeat(2000)]) family.with({ value }).set(1);
  t.deepEqual(await lines(store, /^fabric_ops_agent_level/), [
    'fabric_ops_agent_level{value="true"} 1',
    'fabric_ops_agent_level{value="5"} 1',
    'fabric_ops_agent_level{value=""} 1',
    'fabric_ops_agent_level{value="\ufffd"} 1',
    `fabric_ops_agent_level{value="${'x'.repeat(1024)}"} 1`,
  ]);
});

const NAMES: readonly (readonly [readonly [string?, string?, string?], string, readonly [string, string]])[] =
  [
    [['disk_free_bytes'], 'fabric_ops_agent_disk_free_bytes', ['', 'disk_free_bytes']],
    [['height', 'ledger'], 'fabric_ops_agent_ledger_height', ['ledger', 'height']],
    [['status', 'health', 'check'], 'fabric_ops_agent_health_check_status', ['health_check', 'status']],
    [['status', '', 'check'], 'fabric_ops_agent_check_status', ['check', 'status']],
    [['fabric_ops_agent_calls'], 'fabric_ops_agent_calls', ['', 'calls']],
    [['calls', 'fabric_ops_agent'], 'fabric_ops_agent_calls', ['', 'calls']],
    [['calls', 'fabric_ops_agent', 'own'], 'fabric_ops_agent_own_calls', ['own', 'calls']],
    [['calls', 'fabric_ops_agent_own'], 'fabric_ops_agent_own_calls', ['own', 'calls']],
    [['agent_calls', 'fabric', 'ops'], 'fabric_ops_agent_calls', ['', 'calls']],
    [['fabric_ops_agents'], 'fabric_ops_agent_fabric_ops_agents', ['', 'fabric_ops_agents']],
  ];
for (const [[name = '', namespace = '', subsystem = ''], full, [servedSubsystem, servedName]] of NAMES) {
  test(`namespace '${namespace}', subsystem '${subsystem}' and name '${name}' are served as ${full}`, async (t) => {
    const store = new MetricStore(10);
    store.gauge({ namespace, subsystem, name, help: HELP }).set(1);
    t.deepEqual(await lines(store, new RegExp(`^${full}`)), [`${full} 1`]);
    const parts = [];
    for await (const family of store.families()) if (family.name === full) parts.push(family.parts);
    t.deepEqual(parts, [{ namespace: 'fabric_ops_agent', subsystem: servedSubsystem, name: servedName }]);
  });
}

test('two equal definitions return the same family', async (t) => {
  const store = new MetricStore(10);
  const options = { namespace: 'ledger', subsystem: '', name: 'height', help: HELP };
  store.gauge(options).set(3);
  store.gauge({ ...options, namespace: '', name: 'ledger_height' }).add(1);
  t.deepEqual(await lines(store, /^fabric_ops_agent_ledger/), ['fabric_ops_agent_ledger_height 4']);
});

test('the same name with another type, other labels or other buckets is an error', (t) => {
  const store = new MetricStore(10);
  const options = { name: 'took', help: HELP, labelNames: ['a'], buckets: [1, 2] } as const;
  store.histogram(options);
  const expected = invalid(
    `cannot create metric 'fabric_ops_agent_took': it exists with another type, other labels or other buckets`,
  );
  t.throws(() => store.counter(options), expected);
  t.throws(() => store.histogram({ ...options, labelNames: ['b'] }), expected);
  t.throws(() => store.histogram({ ...options, buckets: [1, 3] }), expected);
});

for (const ending of ['bucket', 'sum', 'count']) {
  const [work, other] = ['fabric_ops_agent_work', `fabric_ops_agent_work_${ending}`];
  test(`a family work_${ending} and a histogram work cannot both be created, in either order`, (t) => {
    const first = new MetricStore(10);
    first.histogram({ name: 'work', help: HELP });
    t.throws(
      () => first.counter({ name: `work_${ending}`, help: HELP }),
      invalid(`cannot create metric '${other}': the histogram '${work}' has series of that name`),
    );
    const second = new MetricStore(10);
    second.gauge({ name: `work_${ending}`, help: HELP });
    t.throws(
      () => second.histogram({ name: 'work', help: HELP }),
      invalid(`cannot create metric '${work}': its series '${other}' has the name of another metric`),
    );
    t.notThrows(() => second.counter({ name: 'work', help: HELP }));
  });
}

for (const name of ['a-b', 'ä', '', 'a b', '__proto__ ']) {
  test(`'${name}' is not a valid family name`, (t) => {
    const store = new MetricStore(10);
    t.throws(() => store.counter({ name, help: HELP }), {
      code: 'METRIC_INVALID',
      message: new RegExp(`^cannot create metric 'fabric_ops_agent(_${name})?': .`),
    });
  });
}

const BAD_LABELS: readonly (readonly [readonly string[], string])[] = [
  [['__name__'], `label '__name__' is reserved, like every name that begins with __`],
  [['__proto__'], `label '__proto__' is reserved, like every name that begins with __`],
  [['a', 'b', 'a'], `duplicate label 'a'`],
  [['a-b'], 'At least one label name is invalid: a-b'],
];
for (const [labelNames, problem] of BAD_LABELS) {
  test(`${labelNames.join(', ')} are not valid labels`, (t) => {
    const store = new MetricStore(10);
    t.throws(() => store.counter({ name: 'calls', help: HELP, labelNames }), {
      code: 'METRIC_INVALID',
      message: /^cannot create metric 'fabric_ops_agent_calls': /,
    });
    t.throws(() => store.counter({ name: 'calls', help: HELP, labelNames }), {
      message: /label '/.test(problem)
        ? `cannot create metric 'fabric_ops_agent_calls': ${problem}`
        : /label name/i,
    });
  });
}

for (const buckets of [[2, 1], [1, 1], [1, Infinity], [NaN]]) {
  test(`${buckets.join(', ')} are not valid buckets`, (t) => {
    const store = new MetricStore(10);
    t.throws(
      () => store.histogram({ name: 'took', help: HELP, buckets }),
      invalid(
        `cannot create metric 'fabric_ops_agent_took': buckets must be finite numbers in ascending order`,
      ),
    );
  });
}

test('a family cannot have the name of a process metric', (t) => {
  const store = new MetricStore(10);
  t.throws(
    () => store.counter({ name: 'process_cpu_seconds_total', help: HELP }),
    invalid(
      `cannot create metric 'fabric_ops_agent_process_cpu_seconds_total': the name is used by a process metric`,
    ),
  );
});

test('values that are not numbers are ignored and counted', async (t) => {
  const store = new MetricStore(10);
  const values = ['5', 5n, true, null, {}] as unknown as number[];
  for (const value of values) {
    store.counter({ name: 'events', help: HELP }).inc(value);
    store.gauge({ name: 'level', help: HELP }).set(value);
    store.histogram({ name: 'times', help: HELP }).observe(value);
  }
  t.deepEqual(await lines(store, /^fabric_ops_agent_(events|level|times_count)|rejected/), [
    ...['events', 'level', 'times'].map(
      (name) => `fabric_ops_agent_metrics_rejected_total{family="fabric_ops_agent_${name}"} 5`,
    ),
    'fabric_ops_agent_events 0',
    'fabric_ops_agent_level 0',
    'fabric_ops_agent_times_count 0',
  ]);
});

test('a help that is not a string is an error, and the store still works', async (t) => {
  const store = new MetricStore(10);
  t.throws(
    () => store.counter({ name: 'events', help: 5 as unknown as string }),
    invalid("cannot create metric 'fabric_ops_agent_events': help must be a non-empty string"),
  );
  t.deepEqual(await lines(store, /^fabric_ops_agent_events/), []);
});

for (const type of ['counter', 'gauge', 'histogram'] as const) {
  test(`a ${type} of 1,000 series is one family with its series in the order of their first use`, async (t) => {
    const store = new MetricStore(1000);
    const options = { name: 'many', help: HELP, labelNames: ['n'], buckets: [1] } as const;
    const use = {
      counter: (n: number) => store.counter(options).with({ n }).inc(n),
      gauge: (n: number) => store.gauge(options).with({ n }).set(n),
      histogram: (n: number) => store.histogram(options).with({ n }).observe(n),
    }[type];
    for (let n = 1; n <= 1000; n += 1) use(n);
    const body = await textOf(store);
    t.is(body.match(/^# TYPE fabric_ops_agent_many /gm)?.length, 1);
    const name = type === 'histogram' ? 'fabric_ops_agent_many_sum' : 'fabric_ops_agent_many';
    t.deepEqual(
      body.split('\n').filter((line) => line.startsWith(`${name}{`)),
      Array.from({ length: 1000 }, (_, n) => `${name}{n="${n + 1}"} ${n + 1}`),
    );
    use(1001);
    t.deepEqual(await lines(store, /dropped/), [
      'fabric_ops_agent_metrics_series_dropped_total{family="fabric_ops_agent_many"} 1',
    ]);
  });
}

test('a removed series of a gauge is no longer served, its instrument does nothing, and it can be created again', async (t) => {
  const store = new MetricStore(300);
  const gauge = store.gauge({ name: 'files', help: 'Files.', labelNames: ['path'] });
  const values = async (): Promise<Record<string, number>> => {
    const found: Record<string, number> = {};
    for await (const family of store.families())
      if (family.name === 'fabric_ops_agent_files')
        for (const { labels, value } of family.values()) found[String(labels['path'])] = value;
    return found;
  };
  for (let index = 0; index < 300; index += 1) gauge.with({ path: String(index) }).set(index);
  const kept = gauge.with({ path: '7' });
  gauge.remove({ path: '7' });
  gauge.remove({ path: 'unknown' });
  kept.set(1);
  kept.add(1);
  t.is(Object.keys(await values()).length, 299);
  gauge.with({ path: 'new' }).set(5);
  gauge.with({ path: 'too many' }).set(5);
  const now = await values();
  t.is(now['new'], 5);
  t.is(Object.keys(now).length, 300);
  t.false('7' in now || 'too many' in now);
  t.throws(() => gauge.remove({} as { path: string }), {
    message: "cannot use metric 'fabric_ops_agent_files': label 'path' is missing; its labels are path",
  });
});
