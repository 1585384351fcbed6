import test from 'ava';
import { MAX_SAMPLES, readingProblem, samplesOf } from '../../../core/contract/reading-problem.js';
import { family, histogram } from '../../helpers/fake-source.js';

const one = (value: unknown, type = 'counter', labels: unknown = {}): unknown => ({
  families: [{ ...family('counter', 'calls', []), type, series: [{ labels, value }] }],
});
const SUMMARY = { quantiles: [0.5, 0.9], values: [1, NaN], sum: 1, count: 1 };

const VALID: readonly (readonly [title: string, reading: unknown])[] = [
  ['without families', { families: [] }],
  ['with a start time', { startTime: 1.5e9, families: [] }],
  ['with a family without series', { families: [family('gauge', 'a:b', [])] }],
  [
    'with NaN and infinite values',
    {
      families: [
        family('gauge', 'level', [
          [{ n: '1' }, NaN],
          [{ n: '2' }, Infinity],
        ]),
      ],
    },
  ],
  ['with a histogram', one(histogram([1, 2, 3], NaN), 'histogram')],
  ['with a histogram whose first buckets are empty', one(histogram([0, 0, 3], 1), 'histogram')],
  ['with a summary', one(SUMMARY, 'summary')],
  ['with a summary without quantiles', one({ quantiles: [], values: [], sum: 1, count: 1 }, 'summary')],
  ['with the labels le and quantile in a gauge', one(1, 'gauge', { le: '1', quantile: '1' })],
  ['with the label le in a summary', one(SUMMARY, 'summary', { le: '1' })],
  ['with the label quantile in a histogram', one(histogram([1, 1, 1], 1), 'histogram', { quantile: '1' })],
  ['with labels that are numbers and booleans', one(1, 'gauge', { a: 1, b: true })],
];
for (const [title, reading] of VALID)
  test(`a reading ${title} is valid`, async (t) => t.is(await readingProblem(reading), undefined));

const NESTED = JSON.parse('{"__proto__":"x"}') as unknown;
const INVALID: readonly (readonly [title: string, reading: unknown, problem: string])[] = [
  [
    'a skipped part without a reason',
    { families: [], skipped: [{ what: 'family a' }] },
    'skipped is not an array of objects with what and reason',
  ],
  ['that is undefined', undefined, 'the reading is undefined'],
  ['that is null', null, 'the reading is null'],
  ['with a start time in text', { startTime: '1', families: [] }, 'the start time is "1"'],
  ['with the start time NaN', { startTime: NaN, families: [] }, 'the start time is NaN'],
  ['with an infinite start time', { startTime: Infinity, families: [] }, 'the start time is Infinity'],
  ['with a negative start time', { startTime: -1, families: [] }, 'the start time is -1'],
  [
    'with a start time that no Date has',
    { startTime: 9e15, families: [] },
    'the start time is 9000000000000000',
  ],
  [
    'with a start time in the year 2200',
    { startTime: 7_258_118_400, families: [] },
    'the start time is 7258118400',
  ],
  ['without an array of families', { families: {} }, 'families is not an array'],
  ['with a family that is null', { families: [null] }, 'a family is null'],
  [
    'with an invalid family name',
    { families: [{ ...family('gauge', 'a-b', []) }] },
    'invalid family name "a-b"',
  ],
  [
    'without help',
    { families: [{ ...family('gauge', 'a', []), help: 1 }] },
    'family a: help is not a string',
  ],
  [
    'of an unknown type',
    { families: [{ ...family('gauge', 'a', []), type: 'set' }] },
    'family a: unknown type "set"',
  ],
  [
    'without parts',
    { families: [{ ...family('gauge', 'a', []), parts: null }] },
    'family a: the parts are not strings',
  ],
  [
    'without series',
    { families: [{ ...family('gauge', 'a', []), series: 1 }] },
    'family a: series is not an array',
  ],
  [
    'with a duplicate family',
    { families: [family('gauge', 'a', []), family('gauge', 'a', [])] },
    'duplicate family a',
  ],
  [
    'with a series that is a number',
    { families: [{ ...family('gauge', 'a', []), series: [1] }] },
    'family a: a series is 1',
  ],
  ['with labels that are text', one(1, 'gauge', 'a'), 'family calls: labels is not an object'],
  ['with an invalid label name', one(1, 'gauge', { 'a b': '' }), 'family calls: invalid label name "a b"'],
  [
    'with the label __proto__',
    one(1, 'gauge', NESTED),
    "family calls: label '__proto__' is reserved, like every name that begins with __",
  ],
  [
    'with the label le in a histogram',
    one(histogram([1, 1, 1], 1), 'histogram', { le: '1' }),
    "family calls: label 'le' is reserved in a histogram",
  ],
  [
    'with the label quantile in a summary',
    one(SUMMARY, 'summary', { quantile: '1' }),
    "family calls: label 'quantile' is reserved in a summary",
  ],
  ['with labels that are null', one(1, 'gauge', null), 'family calls: labels is not an object'],
  [
    'with a series that is null',
    { families: [{ ...family('gauge', 'a', []), series: [null] }] },
    'family a: a series is null',
  ],
  [
    'with a skipped part without a name',
    { families: [], skipped: [{ reason: 'too long' }] },
    'skipped is not an array of objects with what and reason',
  ],
  [
    'with skipped parts that are no array',
    { families: [], skipped: 'none' },
    'skipped is not an array of objects with what and reason',
  ],
  ['with a family that is a number', { families: [1] }, 'a family is 1'],
  [
    'with a family name that is a number',
    { families: [{ ...family('gauge', 'a', []), name: 1 }] },
    'invalid family name 1',
  ],
  [
    'with a part that is a number',
    { families: [{ ...family('gauge', 'a', []), parts: { namespace: '', subsystem: '', name: 1 } }] },
    'family a: the parts are not strings',
  ],
  [
    'with a histogram without bounds',
    one({ bounds: [], counts: [], sum: 1, count: 0 }, 'histogram'),
    'family calls: the bounds of a histogram are not ascending up to Infinity',
  ],
  [
    'with a histogram with two equal bounds',
    one({ bounds: [1, 1, Infinity], counts: [1, 1, 1], sum: 1, count: 1 }, 'histogram'),
    'family calls: the bounds of a histogram are not ascending up to Infinity',
  ],
  [
    'with a histogram with a count that is no integer',
    one(histogram([1, 1.5, 3], 1), 'histogram'),
    'family calls: the counts of a histogram are not ascending integers',
  ],
  [
    'with a histogram with a negative count',
    one(histogram([-1, 1, 3], 1), 'histogram'),
    'family calls: the counts of a histogram are not ascending integers',
  ],
  [
    'with a histogram whose counts are no array',
    one({ ...histogram([1, 2, 3], 1), counts: 3 }, 'histogram'),
    'family calls: a value is not a histogram',
  ],
  [
    'with a summary whose values are no array',
    one({ ...SUMMARY, values: 3 }, 'summary'),
    'family calls: a value is not a summary',
  ],
  [
    'with a summary with two equal quantiles',
    one({ ...SUMMARY, quantiles: [0.5, 0.5] }, 'summary'),
    'family calls: the quantiles of a summary are not ascending',
  ],
  [
    'with a summary with a value in text',
    one({ ...SUMMARY, values: [1, '2'] }, 'summary'),
    'family calls: the values of a summary are not numbers',
  ],
  [
    'with a label value that is an object',
    one(1, 'gauge', { a: {} }),
    "family calls: label 'a' has a value that is not a string",
  ],
  [
    'with a duplicate series, labels reordered',
    {
      families: [
        family('gauge', 'a', [
          [{ x: '1', y: '2' }, 1],
          [{ y: '2', x: '1' }, 1],
        ]),
      ],
    },
    'family a: duplicate series {"y":"2","x":"1"}',
  ],
  ['with a value in text', one('1'), 'family calls: a value is "1", not a number'],
  [
    'with a number in a family of histograms',
    one(1, 'histogram'),
    'family calls: a value is not a histogram',
  ],
  [
    'with a histogram with too few counts',
    one({ bounds: [1, Infinity], counts: [1], sum: 1, count: 1 }, 'histogram'),
    'family calls: a histogram does not have one count per bound',
  ],
  [
    'with a histogram without the bound Infinity',
    one({ bounds: [1], counts: [1], sum: 1, count: 1 }, 'histogram'),
    'family calls: the bounds of a histogram are not ascending up to Infinity',
  ],
  [
    'with a histogram with descending bounds',
    one({ bounds: [2, 1, Infinity], counts: [1, 1, 1], sum: 1, count: 1 }, 'histogram'),
    'family calls: the bounds of a histogram are not ascending up to Infinity',
  ],
  [
    'with a histogram with descending counts',
    one(histogram([2, 1, 3], 1), 'histogram'),
    'family calls: the counts of a histogram are not ascending integers',
  ],
  [
    'with a histogram with another count',
    one({ ...histogram([1, 2, 3], 1), count: 4 }, 'histogram'),
    'family calls: the count of a histogram is not the count of its last bucket',
  ],
  [
    'with a histogram without a sum',
    one({ ...histogram([1, 2, 3], 1), sum: '1' }, 'histogram'),
    'family calls: the sum of a histogram is not a number',
  ],
  ['with a number in a family of summaries', one(1, 'summary'), 'family calls: a value is not a summary'],
  [
    'with a summary with too few values',
    one({ ...SUMMARY, values: [1] }, 'summary'),
    'family calls: a summary does not have one value per quantile',
  ],
  [
    'with a summary with descending quantiles',
    one({ ...SUMMARY, quantiles: [1, 0] }, 'summary'),
    'family calls: the quantiles of a summary are not ascending',
  ],
  [
    'with a summary without a count',
    one({ ...SUMMARY, count: null }, 'summary'),
    'family calls: the values of a summary are not numbers',
  ],
];
for (const [title, reading, problem] of INVALID)
  test(`a reading ${title} is invalid`, async (t) => t.is(await readingProblem(reading), problem));

test('a reading with too many values is invalid', async (t) => {
  const series = Array.from({ length: MAX_SAMPLES }, (_, index) => [{ n: String(index) }, 1] as const);
  t.is(await readingProblem({ families: [family('gauge', 'a', series)] }), undefined);
  t.is(
    await readingProblem({ families: [family('gauge', 'a', series), family('gauge', 'b', [[{}, 1]])] }),
    'more than 50000 values',
  );
});

test('label values cannot imitate the end of a label', async (t) => {
  const series = [
    [{ a: '1,b=1:2', b: '' }, 1],
    [{ a: '1', b: '2,b=0:' }, 1],
  ] as const;
  t.is(await readingProblem({ families: [family('gauge', 'a', series)] }), undefined);
});

test('a histogram and a summary count as their lines in the Prometheus text format', (t) => {
  t.is(samplesOf(7), 1);
  t.is(samplesOf(histogram([1, 2, 3], 1)), 5);
  t.is(samplesOf(SUMMARY), 4);
});
