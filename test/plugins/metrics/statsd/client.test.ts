import test from 'ava';
import type { Sample } from '../../../../core/contract/index.js';
import type { TagStyle } from '../../../../core/kit/lines/buckets.js';
import { MetricStore } from '../../../../core/metrics/index.js';
import { valuesOf } from '../../../helpers/snapshot.js';
import { sentLines } from '../../../helpers/statsd-lines.js';
import { sample } from '../../../helpers/statsd-sink.js';

const OPTIONS = { prefix: '', tags: 'none', timingUnit: 'milliseconds' } as const;

type Kind = 'counter' | 'gauge' | 'timing';

/** The lines of a sample. */
function lineOf(kind: Kind, of: Sample, options: Partial<typeof OPTIONS> | object = {}): string | undefined {
  return sentLines({ ...OPTIONS, ...options }, (client) => void client[kind](of))[0];
}

const seconds = { timingUnit: 'seconds' };
const labelled = sample('blocks_sent', 2, { channel: 'ch1', filtered: 'true', data_type: 'block' }, [
  'deliver',
]);

const FABRIC: readonly (readonly [string, Kind, Sample, object])[] = [
  [
    'org-orderer.logging.entries_checked.info:13.000000|c',
    'counter',
    sample('entries_checked', 13, { level: 'info' }, ['logging']),
    { prefix: 'org-orderer' },
  ],
  [
    'org-orderer.go.mem.gc_last_epoch_nanotime:1795169456308949504.000000|g',
    'gauge',
    sample('gc_last_epoch_nanotime', 1795169456308949504, {}, ['go', 'mem']),
    { prefix: 'org-orderer' },
  ],
  [
    'org-orderer.fabric_version.latest:1.000000|g',
    'gauge',
    sample('fabric_version', 1, { version: 'latest' }),
    { prefix: 'org-orderer' },
  ],
  ['fabric_version.v2_5_12:1.000000|g', 'gauge', sample('fabric_version', 1, { version: 'v2.5.12' }), {}],
  [
    'o.ledger.blockstorage_commit_time.ch1:0.000764|ms',
    'timing',
    sample('blockstorage_commit_time', 0.000764, { channel: 'ch1' }, ['ledger']),
    { prefix: 'o', ...seconds },
  ],
  [
    'o.ledger.blockstorage_commit_time.ch1:0.764000|ms',
    'timing',
    sample('blockstorage_commit_time', 0.000764, { channel: 'ch1' }, ['ledger']),
    { prefix: 'o' },
  ],
  [
    'o.consensus.etcdraft.data_persist_duration.ch1:0.000318|ms',
    'timing',
    sample('data_persist_duration', 0.000318, { channel: 'ch1' }, ['consensus', 'etcdraft']),
    { prefix: 'o', ...seconds },
  ],
  [
    'peer-0.endorser.proposal_duration..cscc.true:0.011084|ms',
    'timing',
    sample('proposal_duration', 0.011084, { channel: '', chaincode: 'cscc', success: 'true' }, ['endorser']),
    { prefix: 'peer-0', ...seconds },
  ],
  [
    'peer-0.ledger.transaction_count.ch1.CONFIG.unknown.VALID:1.000000|c',
    'counter',
    sample(
      'transaction_count',
      1,
      { channel: 'ch1', transaction_type: 'CONFIG', chaincode: 'unknown', validation_code: 'VALID' },
      ['ledger'],
    ),
    { prefix: 'peer-0' },
  ],
  [
    'consensus.etcdraft.is_leader.ch1:1.000000|g',
    'gauge',
    sample('is_leader', 1, { channel: 'ch1' }, ['consensus', 'etcdraft']),
    {},
  ],
  ['deliver.blocks_sent.ch1.true.block:2.000000|c', 'counter', labelled, {}],
  ['a.b.c:0.000000|ms', 'timing', sample('c', 4.9e-7, {}, ['a', 'b']), seconds],
];
for (const [line, kind, of, options] of FABRIC) {
  test(`a ${kind} of ${of.value} with ${JSON.stringify({ ...of.labels, ...options })} is ${line}`, (t) => {
    t.is(lineOf(kind, of, options), line);
  });
}

/** Names and labels with characters that queries of receivers use: of the agent, of another source, and of a node. */
const QUERIED = sample('a{b}', 1, { component: 'tls (operations)', paths: '[*?]', other: '/x,y=$z' }, [
  'own',
]);
for (const [tags, isOfNode, line] of [
  ['none', false, 'own.a_b_.tls__operations_.____._x_y__z:1.000000|c'],
  ['none', true, 'own.a{b}.tls_(operations).[*?]./x,y=$z:1.000000|c'],
  ['dogstatsd', true, 'own.a_b_:1.000000|c|#component:tls_(operations),paths:[*?],other:/x_y_$z'],
  ['influx', true, 'own.a_b_,component=tls__operations_,paths=____,other=/x_y__z:1.000000|c'],
  ['graphite', true, 'own.a_b_;component=tls__operations_;paths=____;other=/x_y__z:1.000000|c'],
] as const)
  test(`with tags: ${tags} a counter of ${isOfNode ? 'a node' : 'the agent'} with characters of queries is ${line}`, (t) => {
    t.is(lineOf('counter', isOfNode ? { ...QUERIED, isOfNode } : QUERIED, { tags }), line);
  });

for (const [name, timingUnit, line] of [
  ['duration_seconds', 'milliseconds', 'duration_milliseconds:250.000000|ms'],
  ['seconds', 'milliseconds', 'milliseconds:250.000000|ms'],
  ['duration_seconds', 'seconds', 'duration_seconds:0.250000|ms'],
  ['duration', 'milliseconds', 'duration:250.000000|ms'],
  ['nanoseconds', 'milliseconds', 'nanoseconds:250.000000|ms'],
  ['seconds_used', 'milliseconds', 'seconds_used:250.000000|ms'],
] as const)
  test(`an observation of ${name} with timingUnit: ${timingUnit} is ${line}`, (t) => {
    t.is(lineOf('timing', sample(name, 0.25), { timingUnit }), line);
  });

for (const kind of ['counter', 'gauge'] as const)
  test(`the seconds of a ${kind} stay seconds`, (t) => {
    t.regex(lineOf(kind, sample('lag_seconds', 1)) ?? '', /^lag_seconds:1\.000000/);
  });

for (const [network, line] of [
  ['udp', 'pröfix.nö.wért:1.000000|c|#lábel:välue'],
  ['tcp', 'pr_fix.n_.w_rt:1.000000|c|#l_bel:v_lue'],
]) {
  test(`a line with non-ASCII letters over ${network} is ${line}`, (t) => {
    const of = sample('wért', 1, { lábel: 'välue' }, ['nö']);
    t.is(lineOf('counter', of, { prefix: 'pröfix', tags: 'dogstatsd', network }), line);
  });
}

test('each non-ASCII character over tcp becomes one underscore', (t) => {
  t.is(lineOf('counter', sample('aĊĺ😀', 1), { network: 'tcp' }), 'a___:1.000000|c');
});

const VALUES: readonly (readonly [Kind, number, string | undefined])[] = [
  ['counter', 1, 'x:1.000000|c'],
  ['counter', 0.1 + 0.2, 'x:0.300000|c'],
  ['counter', 2 ** 53, 'x:9007199254740992.000000|c'],
  ['counter', 1e21, 'x:1000000000000000000000.000000|c'],
  ['counter', Infinity, undefined],
  ['gauge', 0, 'x:0.000000|g'],
  ['gauge', -0, 'x:0.000000|g'],
  ['gauge', 1e-7, 'x:0.000000|g'],
  ['gauge', -1.5, 'x:0.000000|g\nx:-1.500000|g'],
  ['gauge', -1e22, 'x:0.000000|g\nx:-10000000000000000000000.000000|g'],
  ['gauge', 1e300, `x:${BigInt(1e300)}.000000|g`],
  ['gauge', Infinity, undefined],
  ['gauge', -Infinity, undefined],
  ['gauge', NaN, undefined],
  ['timing', 0, 'x:0.000000|ms'],
  ['timing', 1.5, 'x:1500.000000|ms'],
  ['timing', 4e-10, 'x:0.000000|ms'],
  ['timing', 1e306, undefined],
  ['timing', NaN, undefined],
];
for (const [kind, value, lines] of VALUES) {
  test(`a ${kind} of ${Object.is(value, -0) ? '-0' : value} has ${lines === undefined ? 'no line' : `the lines ${JSON.stringify(lines.slice(0, 60))}`}`, (t) => {
    t.is(lineOf(kind, sample('x', value)), lines);
  });
}

test('a value without a line does not affect the next line', (t) => {
  const lines = sentLines(OPTIONS, (client) => {
    void client.gauge(sample('x', -Infinity));
    void client.gauge(sample('x', 2));
  });
  t.deepEqual(lines, [undefined, 'x:2.000000|g']);
});

const STYLES: readonly (readonly [TagStyle, string])[] = [
  ['none', 'deliver.blocks_sent.ch1.true.block:2.000000|c'],
  ['dogstatsd', 'deliver.blocks_sent:2.000000|c|#channel:ch1,filtered:true,data_type:block'],
  ['influx', 'deliver.blocks_sent,channel=ch1,filtered=true,data_type=block:2.000000|c'],
  ['graphite', 'deliver.blocks_sent;channel=ch1;filtered=true;data_type=block:2.000000|c'],
];
test('a label of the agent with U+202E, which reverses the order of a text, has it as an escape in a tag of DogStatsD', async (t) => {
  const store = new MetricStore(10);
  const family = store.gauge({ name: 'status', help: 'x', labelNames: ['component'] });
  family.with({ component: 'cert/\u202etxt.exe' }).set(1);
  const [series] = await valuesOf(store, 'fabric_ops_agent_status');
  t.is(
    lineOf('gauge', sample('status', 1, { component: String(series?.labels['component']) }), {
      tags: 'dogstatsd',
    }),
    String.raw`status:1.000000|g|#component:cert/\u202etxt.exe`,
  );
});

for (const [tags, line] of STYLES) {
  test(`with tags: ${tags} a labelled counter is ${line}`, (t) => {
    t.is(lineOf('counter', labelled, { tags }), line);
  });

  test(`with tags: ${tags} a family without labels has no tags`, (t) => {
    t.is(lineOf('counter', sample('x', 1), { tags }), 'x:1.000000|c');
  });

  test(`with tags: ${tags} both lines of a negative gauge have the labels`, (t) => {
    const lines = lineOf('gauge', { ...labelled, value: -2 }, { tags })?.split('\n') ?? [];
    t.is(lines.length, 2);
    t.is(lines[0]?.replace('0.000000', '-2.000000'), lines[1]);
    t.is(lines[1]?.replace('-2.000000|g', '2.000000|c'), line);
  });
}

const HOSTILE = [
  'a:1|c\nforged:2|c',
  'a|b',
  'a|#tag:x',
  '#tag@0.1',
  'a|@0.1',
  '\nforged:1|c',
  '\r\nforged:1|c\r\n',
  '\u2028forged\u2029',
  '\0',
  'a,b=c;d=e,f:g',
  '~!#,;=',
  '__proto__',
  'ü😀',
  'x'.repeat(10_240),
  `${'x'.repeat(10_240)}\nforged:1|c`,
];
/** One line of each style, for any name and labels. */
const SHAPES: Readonly<Record<TagStyle, RegExp>> = {
  none: /^[^:|\s]+:1\.000000\|c$/,
  dogstatsd: /^[^:|\s,;=#]+:1\.000000\|c\|#[^:|\s,;=#]+:[^:|\s,;=#]+,z:z$/,
  influx: /^[^:|\s,;=#]+,[^:|\s,;=#]+=[^:|\s,;=#]+,z=z:1\.000000\|c$/,
  graphite: /^[^:|\s,;=#]+;[^:|\s,;=#]+=[^:|\s,;=#]+;z=z:1\.000000\|c$/,
};
for (const [tags] of STYLES) {
  for (const text of HOSTILE) {
    test(`with tags: ${tags} ${JSON.stringify(text.slice(0, 20))} (${text.length} characters) as name or label cannot forge a line or a tag`, (t) => {
      const shape = SHAPES[tags];
      t.regex(lineOf('counter', sample('x', 1, { label: text, z: 'z' }), { tags }) ?? '', shape);
      t.regex(lineOf('counter', sample(text, 1, { label: 'y', z: 'z' }), { tags }) ?? '', shape);
      t.regex(lineOf('counter', sample('x', 1, { [text]: 'y', z: 'z' }), { tags }) ?? '', shape);
      t.regex(lineOf('counter', sample('x', 1, { label: 'y', z: 'z' }, [text, text]), { tags }) ?? '', shape);
      t.notRegex(lineOf('counter', sample(text, 1, { label: text }), { tags }) ?? '', /\0/);
    });
  }
}
