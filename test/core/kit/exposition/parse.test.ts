import { readFileSync } from 'node:fs';
import test from 'ava';
import { SourceError, type SourceFamily } from '../../../../core/contract/index.js';
import type { SourceFailure } from '../../../../core/contract/errors.js';
import {
  ExpositionParser,
  type Exposition,
  MAX_LINE_LENGTH,
  MAX_INVALID_LINES,
  MAX_LINES,
  MAX_SAMPLES,
  readExposition,
} from '../../../../core/kit/exposition/parse.js';
import { samplesOfFamilies, samplesOfText } from '../../../helpers/source-samples.js';

const { signal } = new AbortController();
const parseAll = (text: string, parser = new ExpositionParser()): Promise<Exposition> =>
  parser.parse(Buffer.from(text), signal);
const parse = async (text: string, parser?: ExpositionParser): Promise<readonly SourceFamily[]> => {
  const { families, skipped = [] } = await parseAll(text, parser);
  if (skipped.length > 0) throw new Error(`skipped: ${JSON.stringify(skipped)}`);
  return families;
};

for (const node of ['peer', 'orderer']) {
  test(`every sample of a real ${node} is parsed, also with the series of the last text`, async (t) => {
    const text = readFileSync(`test/vectors/node/${node}-metrics.txt`, 'utf8');
    const parser = new ExpositionParser();
    const expected = samplesOfText(text);
    t.true(expected.length > 250);
    t.deepEqual(samplesOfFamilies(await parse(text, parser)), expected);
    const later = text.replaceAll(/ (\d+)\n/g, (_, value: string) => ` ${Number(value) + 1}\n`);
    t.deepEqual(samplesOfFamilies(await parse(later, parser)), samplesOfText(later));
  });

  test(`help and type of each family of a real ${node} are read from the text`, async (t) => {
    const text = readFileSync(`test/vectors/node/${node}-metrics.txt`, 'utf8');
    const headings = (await parse(text)).map(
      ({ name, help, type }) => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`,
    );
    t.is(headings.join(''), [...text.matchAll(/^#.*\n/gm)].join(''));
  });
}

/** Texts and the samples that they contain: name, labels, value. */
const ACCEPTED: readonly (readonly [title: string, text: string, samples: readonly unknown[]])[] = [
  ['an empty text', '', []],
  ['empty lines and comments', '\n# a comment\n#\n\n# EOF\n', []],
  ['a family without samples', '# HELP a b\n# TYPE a counter\n', []],
  ['a sample without a family', 'a 1\n', [['a', {}, 1]]],
  ['TYPE before HELP', '# TYPE a gauge\n# HELP a b\na 1\n', [['a', {}, 1]]],
  ['empty braces', 'a{} 1\n', [['a', {}, 1]]],
  ['whitespace', 'a {\tb = "c" , d="e" , } \t 1\n', [['a', { b: 'c', d: 'e' }, 1]]],
  ['a timestamp, which is ignored', 'a{b="c"} 1 1395066363000\n', [['a', { b: 'c' }, 1]]],
  ['a negative timestamp', 'a 1 -5\n', [['a', {}, 1]]],
  ['escapes in a label', String.raw`a{b="\\x\"y\nz\\"} 1` + '\n', [['a', { b: '\\x"y\nz\\' }, 1]]],
  ['special characters in a label', 'a{b="{},= #é😀\t\r"} 1\n', [['a', { b: '{},= #é😀\t\r' }, 1]]],
  ['an empty label', 'a{b=""} 1\n', [['a', { b: '' }, 1]]],
  ['a name with colons', 'a:b:c 1\n', [['a:b:c', {}, 1]]],
  [
    'exponents',
    'a 1.5e-05\nb 1E3\nc -2e+2\n',
    [
      ['a', {}, 1.5e-5],
      ['b', {}, 1000],
      ['c', {}, -200],
    ],
  ],
  [
    'a number that begins or ends with a point',
    'a .5\nb 1.\n',
    [
      ['a', {}, 0.5],
      ['b', {}, 1],
    ],
  ],
  [
    'special values',
    'a NaN\nb +Inf\nc -Inf\n',
    [
      ['a', {}, NaN],
      ['b', {}, Infinity],
      ['c', {}, -Infinity],
    ],
  ],
  ['no final comma and reordered labels', 'a{c="1",b="2"} 1\n', [['a', { b: '2', c: '1' }, 1]]],
];
for (const [title, text, samples] of ACCEPTED)
  test(`accepted: ${title}`, async (t) => {
    const parser = new ExpositionParser();
    // The second time, lines are compared with the first text.
    for (const families of [await parse(text, parser), await parse(text, parser)])
      t.deepEqual(
        families.flatMap(({ name, series }) =>
          series.map(({ labels, value }) => [name, { ...labels }, value]),
        ),
        samples,
      );
  });

const HISTOGRAM = [
  '# TYPE h histogram',
  'h_bucket{a="b",le="+Inf"} 3',
  'h_bucket{a="b",le="10"} 2',
  'h_bucket{a="b",le="0.5"} 2',
  'h_sum{a="b"} 12.5',
  'h_count{a="b"} 3',
];
const change = (from: string, to: string): string => `${HISTOGRAM.join('\n').replace(from, to)}\n`;

test('a histogram is sorted by its bounds', async (t) => {
  const [family] = await parse(change('', ''));
  t.deepEqual(
    family?.series.map(({ labels, value }) => [{ ...labels }, value]),
    [[{ a: 'b' }, { bounds: [0.5, 10, Infinity], counts: [2, 2, 3], sum: 12.5, count: 3 }]],
  );
});

test('a summary has its quantiles', async (t) => {
  const text = '# TYPE s summary\ns{quantile="1"} 9\ns{quantile="0.5"} NaN\ns_sum 20\ns_count 4\n';
  const [family] = await parse(text);
  t.is(family?.type, 'summary');
  t.deepEqual(
    family?.series.map(({ labels, value }) => [{ ...labels }, value]),
    [[{}, { quantiles: [0.5, 1], values: [NaN, 9], sum: 20, count: 4 }]],
  );
});

/** Texts that Prometheus accepts, and their samples: name, labels, value. */
const LENIENT: readonly (readonly [title: string, text: string, samples: readonly unknown[]])[] = [
  ['a value directly after the labels', 'a{b="c"}6\n', [['a', { b: 'c' }, 6]]],
  [
    'no line end after the last line',
    'a 1\nb 2',
    [
      ['a', {}, 1],
      ['b', {}, 2],
    ],
  ],
  [
    'blanks before a line',
    ' \t a 1\n  # TYPE b gauge\n\tb 2\n  \n',
    [
      ['a', {}, 1],
      ['b', {}, 2],
    ],
  ],
  [
    'lines that end with CRLF',
    '# HELP a b\r\n# TYPE a gauge\r\na 1\r\n\r\nb{c="d"} 2 5\r\n# EOF\r\n',
    [
      ['a', {}, 1],
      ['b', { c: 'd' }, 2],
    ],
  ],
  ['labels without commas', 'a{b="c" d="e"f="g"} 1\n', [['a', { b: 'c', d: 'e', f: 'g' }, 1]]],
  ['an unknown escape', String.raw`a{b="C:\temp"} 1` + '\n', [['a', { b: String.raw`C:\temp` }, 1]]],
  [
    'names in quotes',
    '# TYPE "my.metric" counter\n{"my.metric"} 1\n{"my.metric","a.b"="c", d="e"} 2\n',
    [
      ['my_metric', {}, 1],
      ['my_metric', { a_b: 'c', d: 'e' }, 2],
    ],
  ],
  [
    'a name in quotes that begins with a digit, after labels',
    '{b="c", "1é😀\\"x"}3\n',
    [['____x', { b: 'c' }, 3]],
  ],
  ['an exemplar', 'a_total{b="c"} 1 # {trace_id="x"} 0.5 1520879607.789\n', [['a_total', { b: 'c' }, 1]]],
  ['a timestamp of OpenMetrics', 'a 1 1520879607.789\n', [['a', {}, 1]]],
  [
    'series of a family in several places',
    'a 1\nb 1\na{c="d"} 2\n',
    [
      ['a', {}, 1],
      ['a', { c: 'd' }, 2],
      ['b', {}, 1],
    ],
  ],
  [
    'a duplicate HELP and TYPE',
    '# HELP a b\n# HELP a c\n# TYPE a gauge\n# TYPE a gauge\na 1\n',
    [['a', {}, 1]],
  ],
];
for (const [title, text, samples] of LENIENT)
  test(`accepted as by Prometheus: ${title}`, async (t) => {
    const parser = new ExpositionParser();
    for (const families of [await parse(text, parser), await parse(text, parser)])
      t.deepEqual(
        families.flatMap(({ name, series }) =>
          series.map(({ labels, value }) => [name, { ...labels }, value]),
        ),
        samples,
      );
  });

/** Texts, and the names and types of their families. */
const TYPES: readonly (readonly [title: string, text: string, families: readonly string[]])[] = [
  ['TYPE after the samples of a counter', 'a 1\n# TYPE a counter\n# HELP a b\n', ['a counter b']],
  [
    'TYPE histogram after its lines',
    'h_sum 1\nh_count 1\n# TYPE h histogram\n',
    ['h_sum untyped ', 'h_count untyped '],
  ],
  [
    'TYPE summary after its lines',
    's{quantile="1"} 1\n# TYPE s summary\ns_sum 1\n',
    ['s untyped ', 's_sum untyped '],
  ],
  [
    'a counter of OpenMetrics',
    '# TYPE a counter\n# HELP a b\na_total 1\na_created 5\n# EOF\n',
    ['a_total counter b', 'a_created untyped '],
  ],
  [
    'other types of OpenMetrics',
    '# TYPE a unknown\na 1\n# TYPE b info\nb 1\n# TYPE c stateset\nc{c="d"} 1\n',
    ['a untyped ', 'b gauge ', 'c gauge '],
  ],
  [
    'lines of a histogram after another family',
    '# TYPE h histogram\nh_bucket{le="+Inf"} 1\na 1\nh_sum 1\nh_count 1\n',
    ['h histogram ', 'a untyped '],
  ],
];
for (const [title, text, families] of TYPES)
  test(`types: ${title}`, async (t) => {
    const parser = new ExpositionParser();
    for (const found of [await parse(text, parser), await parse(text, parser)])
      t.deepEqual(
        found.map(({ name, type, help }) => `${name} ${type} ${help}`),
        families,
      );
  });

for (const [without, text] of [
  ['the bucket +Inf', change('h_bucket{a="b",le="+Inf"} 3\n', '')],
  ['_count', change('\nh_count{a="b"} 3', '')],
] as const)
  test(`a histogram without ${without} is complete, because the other line has the same number`, async (t) => {
    const parser = new ExpositionParser();
    for (const [family] of [await parse(text, parser), await parse(text, parser)]) {
      t.is(family?.type, 'histogram');
      t.deepEqual(
        family?.series.map(({ value }) => value),
        [{ bounds: [0.5, 10, Infinity], counts: [2, 2, 3], sum: 12.5, count: 3 }],
      );
    }
  });

/** Histograms and summaries that only Prometheus accepts. */
const IRREGULAR: readonly (readonly [title: string, text: string])[] = [
  ['a histogram without _sum', change('h_sum{a="b"} 12.5\n', '')],
  [
    'a histogram without +Inf and _count',
    change('h_bucket{a="b",le="+Inf"} 3\n', '').replace('\nh_count{a="b"} 3', ''),
  ],
  ['a histogram with a bound that is not a number', change('"10"', '"x"')],
  ['a histogram with a bound NaN', change('"10"', '"NaN"')],
  ['a histogram with a bucket without a bound', change(',le="10"', '')],
  ['a histogram with a line without an ending', change('h_bucket{a="b",le="10"} 2', 'h 2')],
  ['a histogram with a smaller count after a larger one', change('"0.5"} 2', '"0.5"} 5')],
  ['a histogram with a negative count', change('"0.5"} 2', '"0.5"} -1')],
  ['a histogram with a count that is not an integer', change('"0.5"} 2', '"0.5"} 1.5')],
  ['a histogram whose _count differs from its last bucket', change('h_count{a="b"} 3', 'h_count{a="b"} 4')],
  ['a histogram whose _sum has the label le', change('h_sum{a="b"}', 'h_sum{a="b",le="1"}')],
  [
    'a histogram whose _sum and _count have the label le',
    '# TYPE h histogram\nh_sum{le="1"} 2\nh_count{le="1"} 3\n',
  ],
  [
    'a summary whose _sum and _count have the label quantile',
    '# TYPE s summary\ns_sum{quantile="1"} 2\ns_count{quantile="1"} 3\n',
  ],
  ['a summary with a quantile above 1', '# TYPE s summary\ns{quantile="2"} 1\ns_sum 1\ns_count 1\n'],
  ['a summary without a quantile', '# TYPE s summary\ns 1\ns_sum 1\ns_count 1\n'],
  ['a summary without _count', '# TYPE s summary\ns{quantile="1"} 1\ns_sum 1\n'],
  ['a summary whose _sum has the label quantile', '# TYPE s summary\ns_sum{quantile="1"} 1\ns_count 1\n'],
];
for (const [title, text] of IRREGULAR)
  test(`relayed line by line, without a type: ${title}`, async (t) => {
    const parser = new ExpositionParser();
    for (const families of [await parse(text, parser), await parse(text, parser)]) {
      t.deepEqual(new Set(families.map(({ type }) => type)), new Set(['untyped']));
      t.deepEqual(samplesOfFamilies(families), samplesOfText(text));
    }
  });

test('of lines with the same series the first one stays, and the others are reported', async (t) => {
  for (const [text, what] of [
    ['a{b="1",c="2"} 1\na{c="2",b="1"} 2\na 3\n', 'a'],
    [change('h_sum{a="b"} 12.5', 'h_sum{a="b"} 12.5\nh_sum{a="b"} 1'), 'h'],
  ] as const) {
    const parser = new ExpositionParser();
    const line = what === 'a' ? 2 : 6;
    // The second time, lines are compared with the first text.
    for (const { families, skipped } of [await parseAll(text, parser), await parseAll(text, parser)]) {
      t.deepEqual(skipped, [{ what: `a series of ${what}`, reason: `line ${line}: duplicate series` }]);
      t.deepEqual(samplesOfFamilies(families), samplesOfText(text.replace(/^a\{c.*\n|^h_sum.* 1\n/m, '')));
    }
  }
  const { families } = await parseAll(change('"10"', '"0.5"'));
  t.deepEqual(
    families.map(({ name, series }) => [name, series.map(({ value }) => value)]),
    [
      ['h_bucket', [3, 2]],
      ['h_sum', [12.5]],
      ['h_count', [3]],
    ],
  );
});

/** Lines that are not valid, and the reasons. */
const BROKEN: readonly (readonly [line: string, reason: string, what?: string])[] = [
  ['1a 1', 'it does not begin with a valid metric name', 'a line'],
  ['<html>', 'it does not begin with a valid metric name', 'a line'],
  ['\0', 'it does not begin with a valid metric name', 'a line'],
  ['{b="c"} 1', 'it has no metric name', 'a line'],
  ['a{"b"} 1', 'it has two metric names'],
  ['a{""="b"} 1', 'a name in quotes is empty or has no end'],
  ['a', "'' is not a number"],
  ['a x', "'x' is not a number"],
  ['a 0x10', "'0x10' is not a number"],
  ['a 1_0', "'1_0' is not a number"],
  ['a +NaN', "'+NaN' is not a number"],
  ['a 1e999', "'1e999' is not a number"],
  ['a 1 2 3', "'1 2 3' is not a number"],
  ['a{b="c"', 'the labels have no end'],
  ['a{b="c} 1', 'the value of the label b has no end'],
  [String.raw`a{b="c\"} 1`, 'the value of the label b has no end'],
  ['a{b=c} 1', 'the label b has no value in quotes'],
  ['a{b} 1', 'the label b has no value in quotes'],
  ['a{="c"} 1', 'a label has no valid name'],
  ['a{,} 1', 'a label has no valid name'],
  ['a{b:c="d"} 1', 'the label b has no value in quotes'],
  ['a{b="1",b="2"} 1', 'duplicate label b'],
  [`a{${Array.from({ length: 65 }, (_, at) => `l${at}="",`).join('')}} 1`, 'more than 64 labels'],
  ['a{__proto__="1"} 1', 'the label __proto__ is reserved, like every name that begins with __'],
  ['# HELP', 'HELP without a valid metric name', 'a line'],
  ['# TYPE 1 counter', 'TYPE without a valid metric name', 'a line'],
  ['# TYPE a Counter', "unknown type 'Counter' of a"],
  [`a{b="${'x'.repeat(MAX_LINE_LENGTH)}"} 1`, 'it is longer than 16384 characters'],
];
for (const [line, reason, what = 'family a'] of BROKEN)
  test(`not valid: ${JSON.stringify(line).slice(0, 120)}: ${reason}`, async (t) => {
    const message = `line 1: ${reason}`;
    const error = await t.throwsAsync(parse(`${line}\n`), { instanceOf: SourceError, message });
    t.is(error.failure, 'invalid', 'without another family the reading fails');
    const parser = new ExpositionParser();
    const others = await parse('a{other="1"} 1\nb 2\n', parser);
    for (const each of [parser, parser, new ExpositionParser()]) {
      const { families, skipped } = await parseAll(`a{other="1"} 1\nb 2\n${line}\na{other="2"} 1\n`, each);
      t.deepEqual(skipped, [{ what, reason: `line 3: ${reason}` }]);
      t.deepEqual(
        families.map(({ name, series }) => [name, series.length]),
        what === 'a line'
          ? [
              ['a', 2],
              ['b', 1],
            ]
          : [['b', 1]],
      );
    }
    t.is(others.length, 2);
  });

test('a family with a line of another one is skipped', async (t) => {
  const text = 'h_count 1\n# TYPE h histogram\nh_bucket{le="+Inf"} 1\nh_sum 1\nh_count 1\n';
  const { families, skipped } = await parseAll(text);
  t.deepEqual(
    families.map(({ name }) => name),
    ['h_count'],
  );
  t.deepEqual(skipped, [
    { what: 'family h', reason: 'line 2: another family has lines of the name h_count' },
  ]);
});

test('a text with more than 1000 lines that are not valid is refused', async (t) => {
  const lines = (count: number): string => `a 1\n${'b x\n'.repeat(count)}`;
  const { families } = await parseAll(lines(MAX_INVALID_LINES));
  t.is(families.length, 1);
  await t.throwsAsync(parseAll(lines(MAX_INVALID_LINES + 1)), {
    instanceOf: SourceError,
    message: "line 1002: more than 1000 lines are not valid; line 2: 'x' is not a number",
  });
});

test('100 skipped parts are reported', async (t) => {
  const text = Array.from({ length: 300 }, (_, at) => `a${at} x\n`).join('');
  const { skipped } = await parseAll(`b 1\n${text}`);
  t.is(skipped?.length, 100);
});

test('labels named as members of every object are labels like others', async (t) => {
  const names = ['constructor', 'toString', 'hasOwnProperty'];
  const [family] = await parse(`a{${names.map((name) => `${name}="1"`).join()}} 1\n`);
  const labels = family?.series[0]?.labels ?? {};
  t.deepEqual(Object.keys(labels).toSorted(), names.toSorted());
  t.is(labels['constructor'], '1');
  const [other] = await parse('a{b="c"} 1\n');
  t.is(other?.series[0]?.labels['constructor'], undefined);
  t.is(({} as Record<string, unknown>)['1'], undefined);
});

test('names of families as members of every object are names like others', async (t) => {
  const names = (await parse('__proto__ 1\nconstructor 2\n')).map(({ name }) => name);
  t.deepEqual(names, ['__proto__', 'constructor']);
});

test('a series has the same labels object in each text, in any order of the lines', async (t) => {
  const parser = new ExpositionParser();
  const read = async (lines: string): Promise<Map<unknown, unknown>> => {
    const [family] = await parse(lines, parser);
    return new Map(family?.series.map(({ labels }) => [labels['b'], labels]));
  };
  const first = await read('a{b="1"} 1\na{b="2"} 1\na{b="3"} 1\n');
  const second = await read('a{b="0"} 1\na{b="3"} 1\na{b="1"} 1\n');
  const third = await read('a{b="1"} 5\na{b="3"} 5\na{b="2"} 5\n');
  t.is(second.get('1'), first.get('1'));
  t.is(second.get('3'), first.get('3'));
  t.is(third.get('3'), first.get('3'));
  t.not(third.get('2'), first.get('2'), 'it disappeared in between');
});

test('a family that has lost its last series has the others, in each further text', async (t) => {
  const lines = ['a{b="1"} 1\n', 'a{b="2"} 2\n', 'a{b="3"} 3\n'];
  const irregular = ['# TYPE h histogram\nh_sum{b="1"} 1\n', 'h_sum{b="2"} 2\n', 'h_sum{b="3"} 3\n'];
  for (const each of [lines, irregular]) {
    const parser = new ExpositionParser();
    for (const count of [3, 2, 1, 1, 3]) {
      const text = each.slice(0, count).join('');
      t.deepEqual(samplesOfFamilies(await parse(text, parser)), samplesOfText(text), `${count} of ${text}`);
    }
  }
});

test('the values of a text do not change when the next text is parsed', async (t) => {
  const parser = new ExpositionParser();
  const families = await parse(change('', ''), parser);
  const before = structuredClone(families.map(({ series }) => series.map(({ value }) => value)));
  await parse(change('"+Inf"} 3', '"+Inf"} 4').replace('h_count{a="b"} 3', 'h_count{a="b"} 4'), parser);
  t.deepEqual(
    families.map(({ series }) => series.map(({ value }) => value)),
    before,
  );
});

test('a family may change its type', async (t) => {
  const parser = new ExpositionParser();
  await parse(change('', ''), parser);
  const [family] = await parse('# TYPE h gauge\nh 1\n', parser);
  t.is(family?.type, 'gauge');
});

test('a text is parsed after one that was refused', async (t) => {
  const parser = new ExpositionParser();
  await t.throwsAsync(parse('a{b="c"} x\n', parser));
  t.is((await parse('a{b="c"} 1\n', parser)).length, 1);
});

/** Texts that are too large. */
const LARGE: readonly (readonly [title: string, text: string, failure: SourceFailure, reason: string])[] = [
  [
    'samples',
    Array.from({ length: MAX_SAMPLES + 1 }, (_, at) => `a{b="${at}"} 1\n`).join(''),
    'too_large',
    'line 50001: more than 50000 samples',
  ],
  ['lines', '\n'.repeat(MAX_LINES + 1), 'too_large', 'line 100001: more than 100000 lines'],
  [
    'characters in a line after others',
    `\n\n${'x'.repeat(100_000)}\n`,
    'invalid',
    'line 3: it is longer than 16384 characters',
  ],
];
for (const [title, text, failure, message] of LARGE)
  test(`too many ${title} are refused`, async (t) => {
    const error = await t.throwsAsync(parse(text), { instanceOf: SourceError, message });
    t.is(error.failure, failure);
  });

const LARGE_TEXT = Array.from(
  { length: 20_000 },
  (_, at) => `a{b="${at}",channel="ch${at % 7}"} ${at}\n`,
).join('');

test('20,000 lines are parsed in several turns of the event loop', async (t) => {
  const parser = new ExpositionParser();
  let turns = 0;
  const ticking = setInterval(() => (turns += 1), 0);
  const [family] = await parse(LARGE_TEXT, parser);
  clearInterval(ticking);
  t.is(family?.series.length, 20_000);
  t.true(turns > 0);
});

test('a text of 300 KB, decoded in pieces, has the same samples with any bytes at the end of a piece', async (t) => {
  const lines = Array.from(
    { length: 5_000 },
    (_, at) => `a{b="${at} ${'é€😀'.repeat(at % 11)}"} ${at}\n`,
  ).join('');
  for (const comment of ['', '#\n', '# é\n']) {
    const text = comment + lines;
    t.deepEqual(samplesOfFamilies(await parse(text)), samplesOfText(text));
  }
  const { skipped } = await parseAll(`${lines}b`);
  t.deepEqual(skipped, [{ what: 'family b', reason: "line 5001: '' is not a number" }]);
});

test('an aborted signal ends the work', async (t) => {
  const abort = new AbortController();
  const parsing = new ExpositionParser().parse(Buffer.from(LARGE_TEXT.repeat(2)), abort.signal);
  abort.abort(new Error('too late'));
  await t.throwsAsync(parsing, { message: 'too late' });
});

for (const [line, value] of [
  ['a{b="c"} 2 1395066363000', 2],
  ['a{b="c"}  3', 3],
  ['a{b="c"} +Inf', Infinity],
  ['a{b="c"}4', 4],
  ['a{b="c"} x', undefined],
  ['a{b="c"} 1 2.5', 1],
  ['a{b="c"} 1 x', undefined],
] as const)
  test(`in a text with the series of the last one, ${line} ${value === undefined ? 'is refused' : `has the value ${value}`}`, async (t) => {
    const parser = new ExpositionParser();
    await parse('# TYPE a gauge\na{b="c"} 1\n', parser);
    const text = `# TYPE a gauge\n${line}\n`;
    if (value === undefined)
      await t.throwsAsync(parse(text, parser), {
        instanceOf: SourceError,
        message: `line 2: '${line.slice('a{b="c"}'.length).trim()}' is not a number`,
      });
    else t.deepEqual((await parse(text, parser))[0]?.series, [{ labels: { b: 'c' }, value }]);
  });

for (const [text, startTime] of [
  ['process_start_time_seconds 1700000000\n', 1_700_000_000],
  ['process_start_time_seconds 0\n', undefined],
  ['process_start_time_seconds -1\n', undefined],
  ['process_start_time_seconds NaN\n', undefined],
  ['process_start_time_seconds 1e12\n', undefined],
  ['other_start_time_seconds 1700000000\n', undefined],
  ['', undefined],
] as const)
  test(`the start time in ${JSON.stringify(text)} is ${startTime ?? 'unknown'}`, async (t) => {
    const reading = await readExposition(new ExpositionParser(), Buffer.from(text), 'GET /metrics', signal);
    t.is(reading.startTime, startTime);
    t.is('startTime' in reading, startTime !== undefined);
  });

test('an error of a text names its request, and another error stays as it is', async (t) => {
  const read = (bytes: Uint8Array, given = signal): Promise<unknown> =>
    readExposition(new ExpositionParser(), bytes, 'GET /metrics', given, (reason) => reason.toUpperCase());
  await t.throwsAsync(read(Buffer.from([0x61, 0xff])), {
    instanceOf: SourceError,
    message: 'GET /metrics: the text is not UTF-8',
  });
  await t.throwsAsync(read(Buffer.from('a x\n')), {
    instanceOf: SourceError,
    message: "GET /metrics: line 1: 'X' IS NOT A NUMBER",
  });
  const abort = AbortSignal.abort(new Error('too late'));
  await t.throwsAsync(read(Buffer.from(LARGE_TEXT.repeat(2)), abort), { message: 'too late' });
});
