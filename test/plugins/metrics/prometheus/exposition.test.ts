import test from 'ava';
import type { FamilySnapshot, MetricReader } from '../../../../core/contract/index.js';
import type { SeriesValue } from '../../../../core/contract/metric-sink.js';
import { MetricStore } from '../../../../core/metrics/index.js';
import { render } from '../../../../plugins/metrics/prometheus/exposition.js';

/** A small store with one family of each type and with characters that must be escaped. */
function smallStore(): MetricStore {
  const store = new MetricStore(10);
  store.gauge({ name: 'zz_level', help: 'Back\\slash, "quotes"\nand a newline.' }).set(1.5);
  const calls = store.counter({
    namespace: 'aa',
    name: 'calls_total',
    help: 'Calls.',
    labelNames: ['path', 'code'],
  });
  calls.with({ path: 'a\\b"c\nd', code: 200 }).inc(3);
  store.counter({ namespace: 'aa', name: 'entries', help: 'Entries.' }).inc();
  const took = store.histogram({
    namespace: 'aa',
    subsystem: 'b',
    name: 'took',
    help: 'Took.',
    labelNames: ['zone', 'k'],
    buckets: [0.5, 2],
  });
  took.with({ zone: 'é', k: 'x' }).observe(1);
  store.gauge({ name: 'aa_unused', help: 'Never set.', labelNames: ['a'] });
  return store;
}

/** The rendered families of {@link smallStore}, without those that every store has. */
async function rendered(format: 'text' | 'openmetrics'): Promise<string> {
  const { body } = await render(smallStore(), format);
  return body
    .toString()
    .replace(/^(# (HELP|TYPE) )?fabric_ops_agent_(process|nodejs|metrics)_.*\n/gm, '')
    .replace(/^\n/gm, '');
}

test('the families of the agent in the text format, with labels in the order of the Go client library', async (t) => {
  t.is(
    await rendered('text'),
    [
      '# HELP fabric_ops_agent_zz_level Back\\\\slash, "quotes"\\nand a newline.',
      '# TYPE fabric_ops_agent_zz_level gauge',
      'fabric_ops_agent_zz_level 1.5',
      '# HELP fabric_ops_agent_aa_calls_total Calls.',
      '# TYPE fabric_ops_agent_aa_calls_total counter',
      'fabric_ops_agent_aa_calls_total{code="200",path="a\\\\b\\"c\\nd"} 3',
      '# HELP fabric_ops_agent_aa_entries Entries.',
      '# TYPE fabric_ops_agent_aa_entries counter',
      'fabric_ops_agent_aa_entries 1',
      '# HELP fabric_ops_agent_aa_b_took Took.',
      '# TYPE fabric_ops_agent_aa_b_took histogram',
      'fabric_ops_agent_aa_b_took_bucket{k="x",zone="é",le="0.5"} 0',
      'fabric_ops_agent_aa_b_took_bucket{k="x",zone="é",le="2"} 1',
      'fabric_ops_agent_aa_b_took_bucket{k="x",zone="é",le="+Inf"} 1',
      'fabric_ops_agent_aa_b_took_sum{k="x",zone="é"} 1',
      'fabric_ops_agent_aa_b_took_count{k="x",zone="é"} 1',
      '# HELP fabric_ops_agent_aa_unused Never set.',
      '# TYPE fabric_ops_agent_aa_unused gauge',
      '',
    ].join('\n'),
  );
});

for (const format of ['text', 'openmetrics'] as const)
  test(`a label of the agent with U+202E, which reverses the order of a text, has it as an escape in ${format}`, async (t) => {
    const store = new MetricStore(10);
    const family = store.gauge({ name: 'status', help: 'x', labelNames: ['component'] });
    family.with({ component: 'cert/\u202etxt.exe' }).set(1);
    const { body } = await render(store, format);
    t.regex(body.toString(), /^fabric_ops_agent_status\{component="cert\/\\\\u202etxt\.exe"\} 1$/m);
    t.notRegex(body.toString(), /\u202e/);
  });

test('OpenMetrics has the same names, and a counter without _total has the type unknown', async (t) => {
  t.is(
    await rendered('openmetrics'),
    [
      '# HELP fabric_ops_agent_zz_level Back\\\\slash, \\"quotes\\"\\nand a newline.',
      '# TYPE fabric_ops_agent_zz_level gauge',
      'fabric_ops_agent_zz_level 1.5',
      '# HELP fabric_ops_agent_aa_calls Calls.',
      '# TYPE fabric_ops_agent_aa_calls counter',
      'fabric_ops_agent_aa_calls_total{code="200",path="a\\\\b\\"c\\nd"} 3',
      '# HELP fabric_ops_agent_aa_entries Entries.',
      '# TYPE fabric_ops_agent_aa_entries unknown',
      'fabric_ops_agent_aa_entries 1',
      '# HELP fabric_ops_agent_aa_b_took Took.',
      '# TYPE fabric_ops_agent_aa_b_took histogram',
      'fabric_ops_agent_aa_b_took_bucket{k="x",zone="é",le="0.5"} 0',
      'fabric_ops_agent_aa_b_took_bucket{k="x",zone="é",le="2"} 1',
      'fabric_ops_agent_aa_b_took_bucket{k="x",zone="é",le="+Inf"} 1',
      'fabric_ops_agent_aa_b_took_sum{k="x",zone="é"} 1',
      'fabric_ops_agent_aa_b_took_count{k="x",zone="é"} 1',
      '# HELP fabric_ops_agent_aa_unused Never set.',
      '# TYPE fabric_ops_agent_aa_unused gauge',
      '# EOF',
      '',
    ].join('\n'),
  );
});

test('each format has its content type', async (t) => {
  const store = new MetricStore(10);
  t.is((await render(store, 'text')).contentType, 'text/plain; version=0.0.4; charset=utf-8');
  t.is(
    (await render(store, 'openmetrics')).contentType,
    'application/openmetrics-text; version=1.0.0; charset=utf-8',
  );
});

test('each family is once in a text, also the families of the process', async (t) => {
  const { body } = await render(smallStore(), 'text');
  const names = [...body.toString().matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name);
  t.true(names.includes('fabric_ops_agent_process_cpu_seconds_total'));
  t.is(new Set(names).size, names.length);
});

test('other code runs while 20,000 series are rendered in OpenMetrics', async (t) => {
  const store = new MetricStore(100_000);
  const family = store.gauge({ name: 'many', help: 'Many.', labelNames: ['user', 'host'] });
  for (let user = 0; user < 20_000; user += 1) family.with({ user, host: 'localhost' }).set(user);
  let turns = 0;
  let isDone = false;
  const turn = (): void => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  const { body } = await render(store, 'openmetrics');
  isDone = true;
  t.is(body.toString().match(/^fabric_ops_agent_many\{/gm)?.length, 20_000);
  t.true(turns >= 2, `other code ran ${turns} times`);
});

/** A reader with families of nodes. */
const readerOf = (...families: readonly FamilySnapshot[]): MetricReader => ({
  async *families() {
    yield* families;
  },
});

const familyOf = (type: FamilySnapshot['type'], ...values: readonly SeriesValue[]): FamilySnapshot => ({
  name: 'took',
  help: 'a',
  type,
  parts: { namespace: '', subsystem: '', name: 'took' },
  values: () => values,
});

const shared = { zone: 'a', channel: 'c\\' };
const RELAYED: readonly (readonly [
  what: string,
  values: readonly SeriesValue[],
  lines: readonly string[],
])[] = [
  [
    'labels in the order of their names, with escapes',
    [{ labels: { b: '"', a: 1 }, value: 1 }],
    ['took{a="1",b="\\""} 1'],
  ],
  [
    'other label names than the series before',
    [
      { labels: { a: 'x' }, value: 1 },
      { labels: { b: 'y', a: 'x' }, value: 2 },
      { labels: {}, value: 3 },
    ],
    ['took{a="x"} 1', 'took{a="x",b="y"} 2', 'took 3'],
  ],
  [
    'the shared labels of a histogram before le',
    [
      { metricName: 'took_bucket', sharedLabels: shared, labels: { le: '0.5' }, value: 1 },
      { metricName: 'took_bucket', sharedLabels: shared, labels: { le: '+Inf' }, value: 2 },
      { metricName: 'took_count', sharedLabels: shared, labels: {}, value: 2 },
      { metricName: 'took_bucket', sharedLabels: { zone: 'b' }, labels: { le: '+Inf' }, value: 3 },
      { metricName: 'took_bucket', sharedLabels: {}, labels: { le: '+Inf' }, value: 4 },
      { metricName: 'took_count', sharedLabels: {}, labels: {}, value: 4 },
    ],
    [
      'took_bucket{channel="c\\\\",zone="a",le="0.5"} 1',
      'took_bucket{channel="c\\\\",zone="a",le="+Inf"} 2',
      'took_count{channel="c\\\\",zone="a"} 2',
      'took_bucket{zone="b",le="+Inf"} 3',
      'took_bucket{le="+Inf"} 4',
      'took_count 4',
    ],
  ],
  [
    'values that are not finite',
    [Infinity, -Infinity, NaN, 1e21, -0.5].map((value) => ({ labels: {}, value })),
    ['took +Inf', 'took -Inf', 'took NaN', 'took 1e+21', 'took -0.5'],
  ],
];
for (const [what, values, lines] of RELAYED)
  for (const format of ['text', 'openmetrics'] as const)
    test(`a series of a node with ${what} in ${format}`, async (t) => {
      const { body } = await render(readerOf(familyOf('gauge', ...values)), format);
      const heading = ['# HELP took a', '# TYPE took gauge'];
      const end = format === 'openmetrics' ? ['# EOF'] : [];
      t.is(body.toString(), [...heading, ...lines, ...end, ''].join('\n'));
    });

for (const [type, inText, inOpenMetrics] of [
  ['untyped', 'untyped', 'unknown'],
  ['counter', 'counter', 'unknown'],
  ['gauge', 'gauge', 'gauge'],
] as const)
  test(`a family of a node with the type ${type} has the type ${inOpenMetrics} in OpenMetrics`, async (t) => {
    const reader = readerOf(familyOf(type));
    const [text, open] = await Promise.all([render(reader, 'text'), render(reader, 'openmetrics')]);
    t.is(text.body.toString(), `# HELP took a\n# TYPE took ${inText}\n`);
    t.is(open.body.toString(), `# HELP took a\n# TYPE took ${inOpenMetrics}\n# EOF\n`);
  });

for (const count of [255, 256, 257, 513])
  test(`a family with ${count} series has each of them once`, async (t) => {
    const values = Array.from({ length: count }, (_, value) => ({ labels: {}, value }));
    const { body } = await render(readerOf(familyOf('gauge', ...values)), 'text');
    t.deepEqual(
      body.toString().trim().split('\n').slice(2),
      values.map(({ value }) => `took ${value}`),
    );
  });

test('the reader gets the timeout of a rendering', async (t) => {
  const timeouts: unknown[] = [];
  const reader: MetricReader = {
    families(timeout) {
      timeouts.push(timeout);
      return readerOf().families();
    },
  };
  await render(reader, 'text', { timeout: 1 });
  await render(reader, 'openmetrics', { timeout: 2 });
  await render(reader, 'text');
  t.deepEqual(timeouts, [1, 2, undefined]);
});
