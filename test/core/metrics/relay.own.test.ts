// Relayed families in a scrape.

import test from 'ava';
import type { SourceReading } from '../../../core/contract/index.js';
import { RelayReader } from '../../../core/metrics/index.js';
import { render } from '../../../plugins/metrics/prometheus/exposition.js';
import { textOf } from '../../helpers/exposition.js';
import { FAKE_NODE, FakeSource, family, histogram } from '../../helpers/fake-source.js';
import { createRelay, type Relay } from './relay.js';
import { stopTimeouts } from '../../helpers/clock.js';

/** The lines of families that are not of the agent itself, in the text format or in OpenMetrics. */
async function scrape(relay: Relay, format: 'text' | 'openmetrics' = 'text'): Promise<string[]> {
  const { body } = await render(new RelayReader(relay.store, relay.sources), format);
  return body
    .toString()
    .split('\n')
    .filter(
      (line) =>
        line !== '' && !/^(?:# \w+ )?(?:fabric_ops_agent_|source_|process_|nodejs_|metrics_)/.test(line),
    );
}

function relayOf(
  ...sources: readonly (readonly [name: string, reading: SourceReading, isNode?: boolean])[]
): Relay {
  const relay = createRelay();
  for (const [name, reading, isNode = true] of sources) {
    const source = new FakeSource(isNode ? FAKE_NODE : undefined);
    source.reading = reading;
    relay.add(source, name);
  }
  return relay;
}

test.serial(
  'one node that is always labelled has the label node, and its name is the prefix of StatsD buckets',
  async (t) => {
    // Scrapes wait 6 s for the readings.
    stopTimeouts(t);
    const relay = createRelay(['peer0']);
    for (const [name, node] of [
      ['peer0', FAKE_NODE],
      ['exporter', undefined],
    ] as const) {
      const source = new FakeSource(node);
      source.reading = { families: [family('gauge', `${name}_level`, [[{}, 1]])] };
      relay.add(source, name);
    }
    const lines = await scrape(relay);
    t.deepEqual(
      lines.filter((line) => !line.startsWith('#')),
      ['exporter_level 1', 'peer0_level{node="peer0"} 1'],
    );
    t.deepEqual(
      (await relay.sources.live()).map(({ name, node }) => [name, node]),
      [
        ['peer0', 'peer0'],
        ['exporter', undefined],
      ],
    );
  },
);

test.serial('one node is shown with the names, types, labels and values that it shows itself', async (t) => {
  stopTimeouts(t);
  const value = {
    bounds: [0, 0.00001, 0.25, 1_000_000, Infinity],
    counts: [0, 1, 2, 2, 3],
    sum: 1e6,
    count: 3,
  };
  const summary = { quantiles: [0, 0.5], values: [NaN, 1.5], sum: 3, count: 2 };
  const relay = relayOf([
    'peer0',
    {
      families: [
        family('untyped', 'what', [[{}, -Infinity]]),
        family('counter', 'calls', [[{ zone: 'b', code: 'a"\n\\' }, 2]]),
        family('histogram', 'took', [[{ channel: 'ch1', a: '' }, value]]),
        family('gauge', 'level', [[{}, NaN]]),
        family('summary', 'gc', [[{}, summary]]),
      ],
    },
  ]);
  t.deepEqual(await scrape(relay), [
    '# HELP calls Help of calls.',
    '# TYPE calls counter',
    'calls{code="a\\"\\n\\\\",zone="b"} 2',
    '# HELP gc Help of gc.',
    '# TYPE gc summary',
    'gc{quantile="0"} NaN',
    'gc{quantile="0.5"} 1.5',
    'gc_sum 3',
    'gc_count 2',
    '# HELP level Help of level.',
    '# TYPE level gauge',
    'level NaN',
    '# HELP took Help of took.',
    '# TYPE took histogram',
    'took_bucket{a="",channel="ch1",le="0"} 0',
    'took_bucket{a="",channel="ch1",le="1e-05"} 1',
    'took_bucket{a="",channel="ch1",le="0.25"} 2',
    'took_bucket{a="",channel="ch1",le="1e+06"} 2',
    'took_bucket{a="",channel="ch1",le="+Inf"} 3',
    'took_sum{a="",channel="ch1"} 1000000',
    'took_count{a="",channel="ch1"} 3',
    '# HELP what Help of what.',
    '# TYPE what untyped',
    'what -Inf',
  ]);
});

test.serial('in OpenMetrics a value of unknown type is unknown', async (t) => {
  stopTimeouts(t);
  const relay = relayOf(['peer0', { families: [family('untyped', 'what', [[{}, 1]])] }]);
  t.deepEqual(await scrape(relay, 'openmetrics'), [
    '# HELP what Help of what.',
    '# TYPE what unknown',
    'what 1',
    '# EOF',
  ]);
});

test.serial('several nodes share their families and have the label node', async (t) => {
  stopTimeouts(t);
  const relay = relayOf(
    ['peer0', { families: [family('counter', 'calls', [[{ channel: 'ch1' }, 1]])] }],
    ['peer1', { families: [{ ...family('counter', 'calls', [[{ channel: 'ch1' }, 2]]), help: 'Another.' }] }],
    ['orderer', { families: [family('histogram', 'took', [[{ node: 'own' }, histogram([1, 1, 1], 1)]])] }],
  );
  t.deepEqual(await scrape(relay), [
    '# HELP calls Help of calls.',
    '# TYPE calls counter',
    'calls{channel="ch1",node="peer0"} 1',
    'calls{channel="ch1",node="peer1"} 2',
    '# HELP took Help of took.',
    '# TYPE took histogram',
    'took_bucket{exported_node="own",node="orderer",le="0.1"} 1',
    'took_bucket{exported_node="own",node="orderer",le="1"} 1',
    'took_bucket{exported_node="own",node="orderer",le="+Inf"} 1',
    'took_sum{exported_node="own",node="orderer"} 1',
    'took_count{exported_node="own",node="orderer"} 1',
  ]);
});

test.serial(
  'each scrape has the labels of its own reading, whatever the series of the scrape before',
  async (t) => {
    stopTimeouts(t);
    const ch1 = { channel: 'ch1' };
    const ch2 = { channel: 'ch2' };
    const relay = createRelay();
    const source = new FakeSource(FAKE_NODE);
    relay.add(source, 'peer0');
    relay.add(new FakeSource(FAKE_NODE), 'peer1');
    const scraped = async (...families: SourceReading['families']): Promise<string[]> => {
      source.reading = { families };
      return (await scrape(relay)).filter((line) => line.includes('node="peer0"'));
    };
    const both = ['calls{channel="ch1",node="peer0"} 1', 'calls{channel="ch2",node="peer0"} 2'];
    const calls = family('counter', 'calls', [
      [ch1, 1],
      [ch2, 2],
    ]);
    t.deepEqual(await scraped(calls), both);
    t.deepEqual(await scraped(family('counter', 'calls', [[ch2, 3]])), [
      'calls{channel="ch2",node="peer0"} 3',
    ]);
    t.deepEqual(await scraped(calls), both);
    t.deepEqual(await scraped(family('gauge', 'level', [[ch1, 5]])), ['level{channel="ch1",node="peer0"} 5']);
    t.deepEqual(await scraped(calls), both);
  },
);

test.serial('a family that another node has with another type is skipped and logged once', async (t) => {
  stopTimeouts(t);
  const relay = relayOf(
    ['peer0', { families: [family('counter', 'calls', [[{}, 1]])] }],
    ['peer1', { families: [family('gauge', 'calls', [[{}, 2]])] }],
  );
  await scrape(relay);
  t.deepEqual(await scrape(relay), [
    '# HELP calls Help of calls.',
    '# TYPE calls counter',
    'calls{node="peer0"} 1',
  ]);
  t.deepEqual(relay.log, [
    'warn family calls of source peer1 is not relayed: its type is gauge, its type in source peer0 is counter',
  ]);
});

const HISTOGRAM = { bounds: [1, Infinity], counts: [1, 3], sum: 2, count: 3 };
for (const [first, second, why] of [
  [
    family('histogram', 'took', [[{}, HISTOGRAM]]),
    family('gauge', 'took_sum', [[{}, 2]]),
    'the histogram took of source peer0 has a series of this name',
  ],
  [
    family('gauge', 'took_bucket', [[{}, 2]]),
    family('histogram', 'took', [[{}, HISTOGRAM]]),
    'the gauge took_bucket of source peer0 has the name of its series took_bucket',
  ],
] as const)
  test.serial(
    `of ${first.name} and ${second.name} the one of the later node is skipped, logged and counted once`,
    async (t) => {
      stopTimeouts(t);
      const relay = relayOf(['peer0', { families: [first] }], ['peer1', { families: [second] }]);
      await scrape(relay);
      const lines = await scrape(relay);
      t.deepEqual(
        lines.filter((line) => line.startsWith('# TYPE')),
        [`# TYPE ${first.name} ${first.type}`],
      );
      t.deepEqual(relay.log, [`warn family ${second.name} of source peer1 is not relayed: ${why}`]);
      t.regex(
        await textOf(relay.store),
        /^fabric_ops_agent_source_skipped_families_total\{node="peer1"\} 1$/m,
      );
    },
  );

test.serial('a part of a reading that is not valid is logged and counted once', async (t) => {
  stopTimeouts(t);
  const skipped = [{ what: 'family rows', reason: "line 3: 'x' is not a number" }];
  const relay = relayOf(['peer0', { families: [], skipped }]);
  await scrape(relay);
  await scrape(relay);
  t.deepEqual(relay.log, ["warn family rows of source peer0 is not relayed: line 3: 'x' is not a number"]);
  t.regex(await textOf(relay.store), /^fabric_ops_agent_source_skipped_families_total\{node="peer0"\} 1$/m);
});

test.serial('a family that a source without the label node shares with a node is skipped', async (t) => {
  stopTimeouts(t);
  const relay = relayOf(
    ['peer0', { families: [family('counter', 'calls', [[{}, 1]])] }],
    [
      'database',
      { families: [family('counter', 'calls', [[{}, 2]]), family('gauge', 'rows', [[{}, 3]])] },
      false,
    ],
  );
  t.deepEqual(await scrape(relay), [
    '# HELP calls Help of calls.',
    '# TYPE calls counter',
    'calls 1',
    '# HELP rows Help of rows.',
    '# TYPE rows gauge',
    'rows 3',
  ]);
  t.deepEqual(relay.log, [
    'warn family calls of source database is not relayed: source peer0 has a family of this name',
  ]);
});

test.serial('a family with the name of one of the agent is skipped', async (t) => {
  stopTimeouts(t);
  const relay = createRelay();
  relay.store.counter({ name: 'fabric_ops_agent_own', help: 'Own.' }).inc();
  const source = new FakeSource(FAKE_NODE);
  source.reading = {
    families: [family('gauge', 'fabric_ops_agent_own', [[{}, 5]]), family('gauge', 'zz', [[{}, 6]])],
  };
  relay.add(source);
  t.deepEqual(await scrape(relay), ['# HELP zz Help of zz.', '# TYPE zz gauge', 'zz 6']);
  t.deepEqual(relay.log, [
    'warn family fabric_ops_agent_own of source peer0 is not relayed: the agent has a family of this name',
  ]);
});

test.serial('the series of a node that cannot be read are gone from the next scrape on', async (t) => {
  stopTimeouts(t);
  const relay = createRelay();
  const source = new FakeSource(FAKE_NODE);
  source.reading = { families: [family('gauge', 'level', [[{}, 1]])] };
  relay.add(source);
  t.is((await scrape(relay)).length, 3);
  source.reading = undefined;
  t.deepEqual(await scrape(relay), []);
});

test.serial('many series are shown completely and in order', async (t) => {
  stopTimeouts(t);
  const series = Array.from({ length: 1000 }, (_, index) => [{ n: String(index) }, index] as const);
  const relay = relayOf(['peer0', { families: [family('gauge', 'level', series)] }]);
  t.deepEqual(
    (await scrape(relay)).slice(2),
    series.map(([{ n }, value]) => `level{n="${n}"} ${value}`),
  );
});

for (const [bound, text] of [
  [-Infinity, '-Inf'],
  [-1e6, '-1e+06'],
  [-0.5, '-0.5'],
  [-0.00001, '-1e-05'],
  [1.5e-10, '1.5e-10'],
  [0.0001, '0.0001'],
  [0.000099, '9.9e-05'],
  [123_456, '123456'],
  [999_999, '999999'],
  [1_234_567, '1.234567e+06'],
  [1e100, '1e+100'],
] as const)
  test.serial(`the bound ${bound} of a bucket is written as by a node: ${text}`, async (t) => {
    stopTimeouts(t);
    const value = { bounds: [bound, Infinity], counts: [1, 1], sum: 1, count: 1 };
    const relay = createRelay();
    const source = new FakeSource(FAKE_NODE);
    source.reading = { families: [family('histogram', 'took', [[{}, value]])] };
    relay.add(source, 'peer0', { isChecked: true });
    t.is((await scrape(relay))[2], `took_bucket{le="${text}"} 1`);
  });

test.serial('series of a family with different bounds have their own bounds', async (t) => {
  stopTimeouts(t);
  const of = (...bounds: readonly number[]) => ({ bounds, counts: bounds.map(() => 1), sum: 1, count: 1 });
  const series = [
    [{ n: '1' }, of(1, Infinity)],
    [{ n: '2' }, of(1, 2, Infinity)],
    [{ n: '3' }, of(1, 3, Infinity)],
    [{ n: '4' }, of(1, 3, Infinity)],
  ] as const;
  const relay = relayOf(['peer0', { families: [family('histogram', 'took', series)] }]);
  t.deepEqual(
    (await scrape(relay)).filter((line) => line.includes('_bucket')),
    [
      'took_bucket{n="1",le="1"} 1',
      'took_bucket{n="1",le="+Inf"} 1',
      ...['2', '3', '3'].flatMap((bound, index) =>
        ['1', bound, '+Inf'].map((le) => `took_bucket{n="${index + 2}",le="${le}"} 1`),
      ),
    ],
  );
});

test.serial(
  'a family with the name of a series of a summary is skipped, one that only begins like it is not',
  async (t) => {
    stopTimeouts(t);
    const summary = { quantiles: [0.5], values: [1], sum: 1, count: 1 };
    const relay = relayOf([
      'peer0',
      {
        families: [
          family('summary', 'gc', [[{}, summary]]),
          family('gauge', 'gc_count', [[{}, 1]]),
          family('gauge', 'gc_bucket', [[{}, 2]]),
        ],
      },
    ]);
    const lines = await scrape(relay);
    t.deepEqual(
      lines.filter((line) => line.startsWith('# TYPE')),
      ['# TYPE gc summary', '# TYPE gc_bucket gauge'],
    );
    t.deepEqual(relay.log, [
      'warn family gc_count of source peer0 is not relayed: the summary gc of source peer0 has a series of this name',
    ]);
  },
);

test.serial(
  'of a source without the label node and a later node with the same family, the node is skipped',
  async (t) => {
    stopTimeouts(t);
    const relay = relayOf(
      ['database', { families: [family('counter', 'calls', [[{}, 1]])] }, false],
      ['peer0', { families: [family('counter', 'calls', [[{}, 2]])] }],
      ['peer1', { families: [family('counter', 'rows', [[{}, 3]])] }],
    );
    t.deepEqual(
      (await scrape(relay)).filter((line) => !line.startsWith('#')),
      ['calls 1', 'rows{node="peer1"} 3'],
    );
    t.deepEqual(relay.log, [
      'warn family calls of source peer0 is not relayed: source database has a family of this name',
    ]);
  },
);

test.serial('the families of the agent come before the families of sources, which are sorted', async (t) => {
  stopTimeouts(t);
  const relay = relayOf([
    'peer0',
    { families: ['b', 'a', 'c'].map((name) => family('gauge', name, [[{}, 1]])) },
  ]);
  const names: string[] = [];
  for await (const { name } of new RelayReader(relay.store, relay.sources).families()) names.push(name);
  t.deepEqual(names.slice(-3), ['a', 'b', 'c']);
  t.true(names.slice(0, -3).every((name) => name.startsWith('fabric_ops_agent_')));
});
