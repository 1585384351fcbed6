// The samples of a text and of families, to compare them.

import type { SourceFamily } from '../../core/contract/index.js';

/** Names with labels, and values, sorted. */
export type Samples = readonly (readonly [string, number])[];

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)",?/g;

/** The values of a text by name and sorted labels, read with regular expressions. The text must be valid. */
export function samplesOfText(text: string): Samples {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return sorted(
    lines.map((line) => {
      const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? [];
      const pairs = [...labels.matchAll(LABEL)].map(([, label = '', text_ = '']) => [
        label,
        text_.replaceAll(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped)),
      ]);
      return [keyOf(name, pairs), Number(value.replace('Inf', 'Infinity'))];
    }),
  );
}

/** The values of families by name and sorted labels, as a scrape shows them. */
export function samplesOfFamilies(families: readonly SourceFamily[]): Samples {
  const samples: [string, number][] = [];
  for (const { name, series } of families)
    for (const { labels, value } of series) {
      const pairs = Object.entries(labels).map(([label, text]) => [label, String(text)]);
      const add = (ending: string, more: string[][], sample: number | undefined): void =>
        void samples.push([keyOf(name + ending, [...pairs, ...more]), sample ?? NaN]);
      if (typeof value === 'number') {
        add('', [], value);
        continue;
      }
      add('_sum', [], value.sum);
      add('_count', [], value.count);
      if ('bounds' in value)
        value.bounds.forEach((bound, index) =>
          add('_bucket', [['le', bound === Infinity ? '+Inf' : String(bound)]], value.counts[index]),
        );
      else
        value.quantiles.forEach((quantile, index) =>
          add('', [['quantile', String(quantile)]], value.values[index]),
        );
    }
  return sorted(samples);
}

const keyOf = (name: string, pairs: readonly (readonly string[])[]): string =>
  JSON.stringify([name, ...pairs.toSorted(([first = ''], [second = '']) => (first < second ? -1 : 1))]);

const sorted = (samples: readonly (readonly [string, number])[]): Samples =>
  samples.toSorted(([first], [second]) => (first < second ? -1 : 1));
