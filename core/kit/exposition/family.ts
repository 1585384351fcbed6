// Reads the lines of one family.

import type { Labels, SourceFamily, SourceSeries } from '../../contract/index.js';
import { layoutOf, type FamilyLayout } from './layout.js';
import { parseNumber } from './scan.js';
import { invalid, type Heading, type ScannedSeries } from './scan.js';
import {
  addValue,
  toHistogram,
  toSummary,
  type DistributionValues,
  type KnownSeries,
  type LinePart,
} from './series.js';

/** A line before its value, with its meaning. */
export interface KnownLine {
  readonly text: string;
  readonly series: KnownSeries;
  readonly part: LinePart;
  /** The bound of a bucket or the quantile; otherwise NaN. */
  readonly bound: number;
}

/** The data of a family that is kept from one reading to the next. */
export interface KnownFamily {
  readonly name: string;
  readonly type: SourceFamily['type'];
  readonly layout: FamilyLayout;
  readonly help: string;
  /** By the names and values of the labels. */
  readonly series: Map<string, KnownSeries>;
  /** In the order of the last reading. */
  readonly lines: readonly KnownLine[];
}

const TYPES: ReadonlySet<string> = new Set<SourceFamily['type']>([
  'counter',
  'gauge',
  'histogram',
  'summary',
  'untyped',
]);
const isType = (text: string): text is SourceFamily['type'] => TYPES.has(text);

/** The endings of line names by the type of the family. */
const PARTS: Readonly<Record<SourceFamily['type'], ReadonlyMap<string, LinePart>>> = {
  counter: new Map([['', 'value']]),
  gauge: new Map([['', 'value']]),
  untyped: new Map([['', 'value']]),
  histogram: new Map([
    ['_bucket', 'bucket'],
    ['_sum', 'sum'],
    ['_count', 'count'],
  ]),
  summary: new Map([
    ['', 'quantile'],
    ['_sum', 'sum'],
    ['_count', 'count'],
  ]),
};
const BOUND_LABELS: Readonly<Partial<Record<LinePart, string>>> = { bucket: 'le', quantile: 'quantile' };

/** A family of the reading in progress. */
export class FamilyReader {
  readonly name: string;
  readonly #reading: number;
  readonly #last: KnownFamily | undefined;
  #type: SourceFamily['type'] | undefined;
  #help: string | undefined;
  #known: KnownFamily | undefined;
  /** Undefined while the lines are the same as in the last reading. */
  #lines: KnownLine[] | undefined;
  readonly #values: SourceSeries[] = [];
  readonly #distributions: DistributionValues[] = [];
  /** The names of the labels of the last series. */
  #names: readonly string[] = [];
  /** The index of the line of the last reading that is expected next. */
  #next = 0;

  /**
   * @param last the family in the last reading
   * @param reading a number that no other reading has
   */
  constructor(name: string, last: KnownFamily | undefined, reading: number) {
    this.name = name;
    this.#last = last;
    this.#reading = reading;
  }

  /** @throws SourceError when the heading is not allowed here */
  describe({ keyword, text }: Heading): void {
    if (keyword === 'HELP') {
      if (this.#help !== undefined) throw invalid(`duplicate HELP of ${this.name}`);
      this.#help = text;
      return;
    }
    if (this.#type !== undefined)
      throw invalid(`TYPE of ${this.name} is duplicate, or comes after its first sample`);
    if (!isType(text)) throw invalid(`unknown type '${text}' of ${this.name}`);
    this.#type = text;
  }

  /** The part in a line with this name; undefined if the line belongs to another family. */
  partOf(name: string): LinePart | undefined {
    return name.startsWith(this.name)
      ? PARTS[this.#type ?? 'untyped'].get(name.slice(this.name.length))
      : undefined;
  }

  /** The names of its lines. */
  lineNames(): string[] {
    return [...PARTS[this.#type ?? 'untyped'].keys()].map((ending) => this.name + ending);
  }

  /** The line of the last reading that is expected next. */
  expected(): KnownLine | undefined {
    if (this.#known === undefined && this.#last?.type === (this.#type ?? 'untyped')) this.#known = this.#last;
    return this.#known?.lines[this.#next];
  }

  /** Adds the expected line. */
  addExpected(line: KnownLine, value: number): void {
    this.#next += 1;
    this.#lines?.push(line);
    this.#add(line, value);
  }

  /**
   * Adds any line.
   *
   * @param text the text of the series
   * @throws SourceError
   */
  addScanned(part: LinePart, { labels }: ScannedSeries, text: string, value: number): void {
    const { series: all, layout, lines } = this.#knownFamily();
    const boundLabel = BOUND_LABELS[part];
    const bound = boundLabel === undefined ? NaN : boundOf(labels, boundLabel);
    const names = this.#orderNames(labels, layout.labels);
    let key = '';
    // The length makes the key unique.
    for (const name of names) {
      const label = labels.get(name) ?? '';
      if (name !== boundLabel) key += `${name}=${label.length} ${label}`;
    }
    let series = all.get(key);
    if (series === undefined) {
      checkLabels(this.#type, part, names);
      series = {
        labels: toLabels(names, labels, boundLabel),
        reading: 0,
        last: undefined,
        bounds: [],
        values: undefined,
      };
      all.set(copyOf(key), series);
    }
    const line = { text: copyOf(text), series, part, bound };
    this.#lines ??= lines.slice(0, this.#next);
    this.#lines.push(line);
    this.#add(line, value);
  }

  /**
   * Ends the family.
   *
   * @returns undefined for a family without samples
   * @throws SourceError when histograms or summaries are not valid
   */
  finish(): { family: SourceFamily; known: KnownFamily } | undefined {
    if (this.#known === undefined) return undefined;
    const { type, layout, series: all } = this.#known;
    const lines = this.#lines ?? firstOf(this.#known.lines, this.#next);
    if (lines.length === 0) return undefined;
    const series = this.#values;
    const toValue = type === 'histogram' ? toHistogram : toSummary;
    for (const values of this.#distributions) {
      values.series.values = undefined;
      series.push({ labels: values.series.labels, value: toValue(this.name, values) });
    }
    // Series that have disappeared.
    if (all.size > series.length)
      for (const [key, { reading }] of all) if (reading !== this.#reading) all.delete(key);
    const help = this.#help === this.#last?.help ? (this.#last?.help ?? '') : copyOf(this.#help ?? '');
    return {
      family: { name: this.name, help, type, parts: layout.parts, series },
      known: { name: this.name, type, layout, help, series: all, lines },
    };
  }

  #add(line: KnownLine, value: number): void {
    const { series, part, bound } = line;
    const isFirst = series.reading !== this.#reading;
    series.reading = this.#reading;
    if (part === 'value') {
      if (!isFirst) throw invalid('duplicate series');
      if (series.last?.value !== value) series.last = { labels: series.labels, value };
      this.#values.push(series.last);
      return;
    }
    if (isFirst || series.values === undefined) {
      series.values = { series, bounds: [], counts: [], sum: undefined, count: undefined };
      this.#distributions.push(series.values);
    }
    addValue(series.values, part, bound, value);
  }

  /** The names of labels in the order of a StatsD bucket. Nearly all series of a family have the same ones. */
  #orderNames(labels: ReadonlyMap<string, string>, layout: readonly string[]): readonly string[] {
    const last = this.#names;
    if (last.length === labels.size && last.every((name) => labels.has(name))) return last;
    const others = [...labels.keys()].filter((name) => !layout.includes(name)).sort();
    this.#names = [...layout.filter((name) => labels.has(name)), ...others];
    return this.#names;
  }

  /** Called at the first sample, when the type is certain. */
  #knownFamily(): KnownFamily {
    this.#type ??= 'untyped';
    const last = this.#last;
    this.#known ??=
      last?.type === this.#type
        ? last
        : {
            name: this.name,
            type: this.#type,
            layout: layoutOf(this.name),
            help: '',
            series: new Map(),
            lines: [],
          };
    return this.#known;
  }
}

/** The first elements of an array: the array itself if it has no others. */
const firstOf = <T>(array: readonly T[], length: number): readonly T[] =>
  array.length === length ? array : array.slice(0, length);

/** @throws SourceError when a label is reserved */
function checkLabels(type: SourceFamily['type'] | undefined, part: LinePart, names: readonly string[]): void {
  const reserved = names.find((name) => name.startsWith('__'));
  if (reserved !== undefined)
    throw invalid(`the label ${reserved} is reserved, like every name that begins with __`);
  if (type === 'summary' && part !== 'quantile' && names.includes('quantile'))
    throw invalid(`the _${part} of a summary has the label quantile`);
}

function boundOf(labels: ReadonlyMap<string, string>, label: string): number {
  const bound = parseNumber(labels.get(label) ?? '');
  if (bound === undefined || Number.isNaN(bound))
    throw invalid(`the label ${label} is missing or not a number`);
  return bound;
}

/** Creates objects without inherited members, such as `constructor`. V8 stores objects of Object.create(null) in a slower form. */
const LabelSet = function () {} as unknown as new () => Record<string, string>;
LabelSet.prototype = Object.create(null);

function toLabels(
  names: readonly string[],
  values: ReadonlyMap<string, string>,
  boundLabel: string | undefined,
): Labels {
  const labels = new LabelSet();
  for (const name of names) if (name !== boundLabel) labels[copyOf(name)] = copyOf(values.get(name) ?? '');
  return labels;
}

/** Copies a substring, which would otherwise keep the whole string in memory. */
export const copyOf = (text: string): string => Buffer.from(text).toString();
