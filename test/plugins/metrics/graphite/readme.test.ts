// Checks the table of lines in the plugin README.

import { readFileSync } from 'node:fs';
import test from 'ava';
import type { HistogramGrowth, Sample } from '../../../../core/contract/index.js';
import { LineWriter } from '../../../../plugins/metrics/graphite/lines.js';
import { tableRows } from '../../../helpers/markdown.js';

const README = readFileSync(
  new URL('../../../../../plugins/metrics/graphite/README.md', import.meta.url),
  'utf8',
);
const TIME = 1_700_000_000;

/** The code spans of a cell; the word `empty` stands for an empty string. */
const spans = (cell: string): string[] =>
  [...cell.matchAll(/`([^`]*)`|\bempty\b/g)].map(([, span = '']) => span);

/** The sample of a row: of two name parts the first is the namespace, of three the second is the subsystem. */
function sampleOf(names: readonly string[], labels: readonly string[], value: number): Sample {
  const [namespace = '', subsystem = ''] = names.slice(0, -1);
  const named = Object.fromEntries(labels.map((label, index) => [`l${index + 1}`, label]));
  return { namespace, subsystem, name: names.at(-1) ?? '', labels: named, value };
}

/** A histogram with one observation. */
function histogramOf({ value, ...sample }: Sample): HistogramGrowth {
  const bounds = [0.1, 1, Infinity];
  const bucket = bounds.findIndex((bound) => value <= bound);
  return {
    ...sample,
    bounds,
    counts: bounds.map((_, index) => Number(index === bucket)),
    sum: value,
    count: 1,
  };
}

for (const [index, [sample = '', labels = '', value = '', options = '', lines = '']] of tableRows(
  README,
  'On the wire',
).entries()) {
  test(`row ${index + 1}: ${sample} with the labels ${labels}, the value ${value} and the options ${options} is ${lines}`, (t) => {
    const given = Object.fromEntries(spans(options).map((option) => option.split(': ')));
    const writer = new LineWriter({ prefix: given.prefix ?? '', tags: given.tags ?? 'none' });
    const each = sampleOf(spans(sample), spans(labels), Number(spans(value)[0]));
    const written = sample.startsWith('histogram')
      ? [...writer.histogram(histogramOf(each), TIME)]
      : [writer.value(each, TIME)];
    t.deepEqual(
      written.flatMap((line) => (line === undefined ? [] : [line.toString()])),
      spans(lines),
    );
  });
}
