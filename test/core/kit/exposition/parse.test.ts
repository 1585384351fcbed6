import { readFileSync } from 'node:fs';
import test from 'ava';
import { SourceError, type SourceFailure, type SourceFamily } from '../../../../core/contract/index.js';
import {
  ExpositionParser,
  MAX_LINE_LENGTH,
  MAX_LINES,
  MAX_SAMPLES,
} from '../../../../core/kit/exposition/parse.js';
import { samplesOfFamilies, samplesOfText } from '../../../helpers/source-samples.js';

const { signal } = new AbortController();
const parse = (text: string, parser = new ExpositionParser()): Promise<SourceFamily[]> =>
  parser.parse(Buffer.from(text), signal);

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

/** Texts and why they are refused. */
const REFUSED: readonly (readonly [text: string, reason: string])[] = [
  ['a 1', 'line 1: the last line has no line end'],
  ['\na 1\nb 2', 'line 3: the last line has no line end'],
  ['1a 1\n', 'line 1: it does not begin with a valid metric name'],
  [' a 1\n', 'line 1: it does not begin with a valid metric name'],
  ['<html>\n', 'line 1: it does not begin with a valid metric name'],
  ['\0\n', 'line 1: it does not begin with a valid metric name'],
  ['a\n', "line 1: '' is not a number"],
  ['a{b="c"}1\n', "line 1: '1' is not a number"],
  ['a 1\r\n', "line 1: '1' is not a number"],
  ['a x\n', "line 1: 'x' is not a number"],
  ['a 0x10\n', "line 1: '0x10' is not a number"],
  ['a 1_0\n', "line 1: '1_0' is not a number"],
  ['a +NaN\n', "line 1: '+NaN' is not a number"],
  ['a 1e999\n', "line 1: '1e999' is not a number"],
  ['a 1 2 3\n', "line 1: '1 2 3' is not a number"],
  ['a 1 2.5\n', "line 1: '1 2.5' is not a number"],
  ['a{b="c"\n', "line 1: a label is not followed by ',' or '}'"],
  ['a{b="c" d="e"} 1\n', "line 1: a label is not followed by ',' or '}'"],
  ['a{b="c} 1\n', 'line 1: the value of the label b has no end'],
  ['a{b="c\\"} 1\n', 'line 1: the value of the label b has no end'],
  ['a{b=c} 1\n', 'line 1: the label b has no value in quotes'],
  ['a{b} 1\n', 'line 1: the label b has no value in quotes'],
  ['a{="c"} 1\n', 'line 1: a label has no valid name'],
  ['a{,} 1\n', 'line 1: a label has no valid name'],
  ['a{b:c="d"} 1\n', 'line 1: the label b has no value in quotes'],
  ['a{b="\\t"} 1\n', 'line 1: invalid escape \\t'],
  ['a{b="1",b="2"} 1\n', 'line 1: duplicate label b'],
  [`a{${Array.from({ length: 65 }, (_, at) => `l${at}="",`).join('')}} 1\n`, 'line 1: more than 64 labels'],
  ['a 1\na 2\n', 'line 2: duplicate series'],
  ['a{b="1",c="2"} 1\na{c="2",b="1"} 2\n', 'line 2: duplicate series'],
  ['a 1\nb 1\na{c="d"} 1\n', 'line 3: a appears again after another family'],
  ['# HELP a b\n# HELP a b\n', 'line 2: duplicate HELP of a'],
  ['# HELP a \\x\n', 'line 1: invalid escape \\x'],
  ['# HELP\n', 'line 1: HELP without a valid metric name'],
  ['# TYPE 1 counter\n', 'line 1: TYPE without a valid metric name'],
  ['# TYPE a counter\n# TYPE a counter\n', 'line 2: TYPE of a is duplicate, or comes after its first sample'],
  ['a 1\n# TYPE a counter\n', 'line 2: TYPE of a is duplicate, or comes after its first sample'],
  ['# TYPE a Counter\n', "line 1: unknown type 'Counter' of a"],
  ['# TYPE h histogram\nh 1\n', 'line 2: h appears again after another family'],
  ['h_count 1\n# TYPE h histogram\nh_count 1\n', 'line 4: h_count belongs to two families'],
  [change('h_sum{a="b"} 12.5\n', ''), 'line 6: a series has no h_sum'],
  [change('\nh_count{a="b"} 3', ''), 'line 6: a series has no h_count'],
  [change('h_bucket{a="b",le="+Inf"} 3\n', ''), 'line 6: a histogram of h has no bucket with le="+Inf"'],
  [change('"10"', '"0.5"'), 'line 7: duplicate le in a series of h'],
  [change('"10"', '"x"'), 'line 3: the label le is missing or not a number'],
  [change('"10"', '"NaN"'), 'line 3: the label le is missing or not a number'],
  [change(',le="10"', ''), 'line 3: the label le is missing or not a number'],
  [change('"0.5"} 2', '"0.5"} 5'), 'line 7: the counts of a histogram of h are not ascending integers'],
  [change('"0.5"} 2', '"0.5"} -1'), 'line 7: the counts of a histogram of h are not ascending integers'],
  [change('"0.5"} 2', '"0.5"} NaN'), 'line 7: the counts of a histogram of h are not ascending integers'],
  [change('"0.5"} 2', '"0.5"} 1.5'), 'line 7: the counts of a histogram of h are not ascending integers'],
  [change('h_count{a="b"} 3', 'h_count{a="b"} 4'), 'line 7: h_count differs from the last bucket'],
  [change('h_sum{a="b"} 12.5', 'h_sum{a="b"} 1\nh_sum{a="b"} 1'), 'line 6: duplicate _sum'],
  [
    '# TYPE s summary\ns{quantile="2"} 1\ns_sum 1\ns_count 1\n',
    'line 5: a quantile of s is not a number from 0 to 1',
  ],
  ['# TYPE s summary\ns 1\n', 'line 2: the label quantile is missing or not a number'],
  ['# TYPE s summary\ns_sum{quantile="1"} 1\n', 'line 2: the _sum of a summary has the label quantile'],
  ['# TYPE s summary\ns_count{quantile="1"} 1\n', 'line 2: the _count of a summary has the label quantile'],
  ['a{__proto__="1"} 1\n', 'line 1: the label __proto__ is reserved, like every name that begins with __'],
];
for (const [text, reason] of REFUSED)
  test(`refused: ${JSON.stringify(text).slice(0, 120)}: ${reason}`, async (t) => {
    const error = await t.throwsAsync(parse(text), { instanceOf: SourceError, message: reason });
    t.is(error.failure, 'invalid');
    // Also after a valid text with the same lines.
    const parser = new ExpositionParser();
    await parse(change('', ''), parser);
    await t.throwsAsync(parse(text, parser), { message: reason });
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
  await t.throwsAsync(parse('a{b="c"} 1\na{b="c"} 1\n', parser));
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
    'characters in a line',
    `a{b="${'x'.repeat(MAX_LINE_LENGTH)}"} 1\n`,
    'invalid',
    'line 1: it is longer than 16384 characters',
  ],
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
  await t.throwsAsync(parse(`${lines}a 1`), { message: 'line 5001: the last line has no line end' });
});

test('an aborted signal ends the work', async (t) => {
  const abort = new AbortController();
  const parsing = new ExpositionParser().parse(Buffer.from(LARGE_TEXT.repeat(2)), abort.signal);
  abort.abort(new Error('too late'));
  await t.throwsAsync(parsing, { message: 'too late' });
});
