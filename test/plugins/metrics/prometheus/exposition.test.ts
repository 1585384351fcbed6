import test from 'ava';
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

test('in the text format prom-client writes the families of the agent', async (t) => {
  t.is(
    await rendered('text'),
    [
      '# HELP fabric_ops_agent_zz_level Back\\\\slash, "quotes"\\nand a newline.',
      '# TYPE fabric_ops_agent_zz_level gauge',
      'fabric_ops_agent_zz_level 1.5',
      '# HELP fabric_ops_agent_aa_calls_total Calls.',
      '# TYPE fabric_ops_agent_aa_calls_total counter',
      'fabric_ops_agent_aa_calls_total{path="a\\\\b\\"c\\nd",code="200"} 3',
      '# HELP fabric_ops_agent_aa_entries Entries.',
      '# TYPE fabric_ops_agent_aa_entries counter',
      'fabric_ops_agent_aa_entries 1',
      '# HELP fabric_ops_agent_aa_b_took Took.',
      '# TYPE fabric_ops_agent_aa_b_took histogram',
      'fabric_ops_agent_aa_b_took_bucket{le="0.5",zone="é",k="x"} 0',
      'fabric_ops_agent_aa_b_took_bucket{le="2",zone="é",k="x"} 1',
      'fabric_ops_agent_aa_b_took_bucket{le="+Inf",zone="é",k="x"} 1',
      'fabric_ops_agent_aa_b_took_sum{zone="é",k="x"} 1',
      'fabric_ops_agent_aa_b_took_count{zone="é",k="x"} 1',
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
      'fabric_ops_agent_aa_b_took_bucket{k="x",le="0.5",zone="é"} 0',
      'fabric_ops_agent_aa_b_took_bucket{k="x",le="2",zone="é"} 1',
      'fabric_ops_agent_aa_b_took_bucket{k="x",le="+Inf",zone="é"} 1',
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
