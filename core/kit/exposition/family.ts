// Reads the lines of one family.

import { appendTo } from '../../common/group-by.js';
import type { Labels, SourceFamily } from '../../contract/index.js';
import type { SourceSeries } from '../../contract/metric-source.js';
import { layoutOf, type FamilyLayout } from './layout.js';
import { invalid, parseNumber, scanSeries, type Heading, type ScannedSeries } from './scan.js';
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
  /** The type when its first line was read. */
  readonly type: SourceFamily['type'];
  readonly layout: FamilyLayout;
  /** The names that its lines can have. */
  readonly lineNames: readonly string[];
  readonly help: string;
  /** By the names and values of the labels. */
  readonly series: Map<string, KnownSeries>;
  /** In the order of the last reading. */
  readonly lines: readonly KnownLine[];
}

/** By the word after TYPE. The last four are types of OpenMetrics. */
const TYPES: ReadonlyMap<string, SourceFamily['type']> = new Map([
  ['counter', 'counter'],
  ['gauge', 'gauge'],
  ['histogram', 'histogram'],
  ['summary', 'summary'],
  ['untyped', 'untyped'],
  ['unknown', 'untyped'],
  ['info', 'gauge'],
  ['stateset', 'gauge'],
  ['gaugehistogram', 'untyped'],
]);

/** The endings of line names by the type of the family. A line of a histogram without an ending is a bucket without a bound. */
const PARTS: Readonly<Record<SourceFamily['type'], ReadonlyMap<string, LinePart>>> = {
  counter: new Map([['', 'value']]),
  gauge: new Map([['', 'value']]),
  untyped: new Map([['', 'value']]),
  histogram: new Map([
    ['', 'bucket'],
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

/** How many lines of a histogram or summary without valid values are handled in a row. */
const LINES_PER_STEP = 128;

/** The families of the lines of one family, and what is kept for the next reading. */
export interface FinishedFamily {
  readonly families: readonly SourceFamily[];
  readonly known: KnownFamily;
}

/** A family of the reading in progress. */
export class FamilyReader {
  readonly name: string;
  /** The number of its first line in the text. */
  readonly line: number;
  /** Whether a line is not valid: the family is not part of the reading. */
  isBroken = false;
  readonly #reading: number;
  readonly #last: KnownFamily | undefined;
  #type: SourceFamily['type'] | undefined;
  /** The type in a TYPE after the first sample. */
  #laterType: SourceFamily['type'] | undefined;
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
   * @param line the number of its first line in the text
   * @param last the family in the last reading
   * @param reading a number that no other reading has
   */
  constructor(name: string, line: number, last: KnownFamily | undefined, reading: number) {
    this.name = name;
    this.line = line;
    this.#last = last;
    this.#reading = reading;
  }

  /** @throws SourceError for an unknown type */
  describe({ keyword, text }: Heading): void {
    if (keyword === 'HELP') {
      this.#help ??= text;
      return;
    }
    const type = TYPES.get(text);
    if (type === undefined) throw invalid(`unknown type '${text}' of ${this.name}`);
    if (!this.#hasSamples) {
      this.#type = type;
      this.#known = undefined;
    } else if (isSingle(type) && isSingle(this.#type)) {
      this.#laterType = type;
    }
  }

  /** Whether a line with this name is the counter that OpenMetrics describes without the ending `_total`. */
  describesCounter(name: string): boolean {
    return !this.#hasSamples && this.#type === 'counter' && name === `${this.name}_total`;
  }

  /** Takes the headings of another family. */
  adoptHeadings(other: FamilyReader): void {
    this.#type = other.#type;
    this.#help = other.#help;
  }

  /** The part in a line with this name; undefined if the line belongs to another family. */
  partOf(name: string): LinePart | undefined {
    return name.startsWith(this.name)
      ? PARTS[this.#type ?? 'untyped'].get(name.slice(this.name.length))
      : undefined;
  }

  /** The line of the last reading that is expected next. */
  expected(): KnownLine | undefined {
    if (this.isBroken) return undefined;
    if (this.#known === undefined && this.#last?.type === (this.#type ?? 'untyped')) this.#known = this.#last;
    return this.#known?.lines[this.#next];
  }

  /** Adds the expected line. Returns false if the family has its series already; the first value stays. */
  addExpected(line: KnownLine, value: number): boolean {
    this.#next += 1;
    this.#lines?.push(line);
    return this.#add(line, value);
  }

  /**
   * Adds any line. Returns false if the family has its series already; the first value stays.
   *
   * @param text the text of the series
   * @throws SourceError
   */
  addScanned(part: LinePart, { labels }: ScannedSeries, text: string, value: number): boolean {
    if (this.isBroken) return true;
    const { series: all, layout, lines } = this.#knownFamily();
    const boundLabel = BOUND_LABELS[part];
    const bound = boundLabel === undefined ? NaN : (parseNumber(labels.get(boundLabel) ?? '') ?? NaN);
    const names = this.#orderNames(labels, layout.labels);
    let key = '';
    // The length makes the key unique.
    for (const name of names) {
      const label = labels.get(name) ?? '';
      if (name !== boundLabel) key += `${name}=${label.length} ${label}`;
    }
    let series = all.get(key);
    if (series === undefined) {
      checkLabels(names);
      series = {
        labels: toLabels(names, labels, boundLabel),
        isIrregular: hasBoundLabel(this.#type, boundLabel, names),
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
    return this.#add(line, value);
  }

  /**
   * Ends the family. A histogram or summary that has no valid values, for example because a `_sum` is missing, becomes one family without a
   * type for each name of its lines, as Prometheus stores them. It yields after some lines, so that other code can run.
   *
   * @returns undefined for a family without samples, and a broken one
   */
  *finish(): Generator<void, FinishedFamily | undefined> {
    if (this.#known === undefined || this.isBroken) return undefined;
    const { type, layout, lineNames, series: all } = this.#known;
    const lines = this.#lines ?? firstOf(this.#known.lines, this.#next);
    if (lines.length === 0) return undefined;
    const help = this.#help === this.#last?.help ? (this.#last?.help ?? '') : copyOf(this.#help ?? '');
    const series = this.#distributionSeries(type);
    const families =
      series === undefined
        ? yield* separateLines(this.name, help, lines)
        : [{ name: this.name, help, type: this.#laterType ?? type, parts: layout.parts, series }];
    for (const { series: each } of this.#distributions) each.values = undefined;
    // Series that have disappeared.
    if (all.size > this.#values.length + this.#distributions.length)
      for (const [key, { reading }] of all) if (reading !== this.#reading) all.delete(key);
    return { families, known: { name: this.name, type, layout, lineNames, help, series: all, lines } };
  }

  get #hasSamples(): boolean {
    return this.#next > 0 || this.#lines !== undefined;
  }

  /** All series; undefined if a histogram or summary has no valid values. */
  #distributionSeries(type: SourceFamily['type']): SourceSeries[] | undefined {
    const series = this.#values;
    const toValue = type === 'histogram' ? toHistogram : toSummary;
    for (const values of this.#distributions) {
      const value = toValue(values);
      if (value === undefined) return undefined;
      series.push({ labels: values.series.labels, value });
    }
    return series;
  }

  #add(line: KnownLine, value: number): boolean {
    const { series, part, bound } = line;
    const isFirst = series.reading !== this.#reading;
    series.reading = this.#reading;
    if (part === 'value') {
      if (!isFirst) return false;
      if (series.last?.value !== value) series.last = { labels: series.labels, value };
      this.#values.push(series.last);
      return true;
    }
    if (isFirst || series.values === undefined) {
      series.values = { series, bounds: [], counts: [], sum: undefined, count: undefined };
      this.#distributions.push(series.values);
    }
    return addValue(series.values, part, bound, value);
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
            lineNames: [...PARTS[this.#type].keys()].map((ending) => this.name + ending),
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
function checkLabels(names: readonly string[]): void {
  const reserved = names.find((name) => name.startsWith('__'));
  if (reserved !== undefined)
    throw invalid(`the label ${reserved} is reserved, like every name that begins with __`);
}

/** Whether a line that is not a bucket or quantile has the label of one. */
const hasBoundLabel = (
  type: SourceFamily['type'] | undefined,
  boundLabel: string | undefined,
  names: readonly string[],
): boolean =>
  boundLabel === undefined &&
  ((type === 'histogram' && names.includes('le')) || (type === 'summary' && names.includes('quantile')));

/** Whether each series of a family of this type is one line. */
const isSingle = (type: SourceFamily['type'] = 'untyped'): boolean =>
  type !== 'histogram' && type !== 'summary';

/** The lines of a histogram or summary as families without a type, by their names. */
function* separateLines(
  family: string,
  help: string,
  lines: readonly KnownLine[],
): Generator<void, SourceFamily[]> {
  const all = new Map<string, SourceSeries[]>();
  const keys = new Set<string>();
  const used = new Map<KnownSeries, number>();
  for (const [index, { text, series, part }] of lines.entries()) {
    if (index % LINES_PER_STEP === LINES_PER_STEP - 1) yield;
    const { name, labels } = scanSeries(text);
    const names = [...labels.keys()];
    const at = used.get(series) ?? 0;
    const isBound = BOUND_LABELS[part] !== undefined;
    if (isBound) used.set(series, at + 1);
    const value = isBound ? series.values?.counts[at] : series.values?.[part as 'sum' | 'count'];
    const key = JSON.stringify([name, names.toSorted().map((label) => [label, labels.get(label)])]);
    if (keys.has(key)) continue;
    keys.add(key);
    appendTo(all, name, { labels: toLabels(names, labels, undefined), value: value as number });
  }
  return [...all].map(([name, series]) => ({
    name: name === family ? family : copyOf(name),
    help,
    type: 'untyped',
    parts: layoutOf(name).parts,
    series,
  }));
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
