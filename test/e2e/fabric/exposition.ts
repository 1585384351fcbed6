// Reads and compares texts of /metrics.

/** The values of all series of a text, by name and labels in alphabetical order. */
export type SeriesValues = ReadonlyMap<string, number>;

/** Families of the Go runtime and of the process, which change at any time. */
const RUNTIME = /^(?:go|process|promhttp)_/;

/** Reads the series of a text. A series that occurs twice throws an error. */
export function seriesOf(text: string): SeriesValues {
  const values = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, name, labels = '', value] = /^([a-z_:][\w:]*)(?:\{(.*)\})? (\S+)$/i.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    const pairs = [...labels.matchAll(/\w+="(?:[^"\\]|\\.)*"/g)].map(([pair]) => pair).toSorted();
    const series = pairs.length === 0 ? name : `${name}{${pairs.join(',')}}`;
    if (values.has(series)) throw new Error(`duplicate series: ${line}`);
    values.set(series, value === '+Inf' ? Infinity : Number(value));
  }
  return values;
}

/** The lines with the type of each family, and those with its help. */
export function commentsOf(text: string): ReadonlySet<string> {
  return new Set(text.split('\n').filter((line) => /^# (?:TYPE|HELP) /.test(line)));
}

/** The series of Fabric itself. */
export function fabricSeries(values: SeriesValues): SeriesValues {
  return new Map([...values].filter(([series]) => !RUNTIME.test(series)));
}

/**
 * Compares relayed series with those of the node, read before and after. Each series of the node must be there, with a value
 * between both; series of the runtime only have to be there.
 *
 * @param label a label that the relay adds, such as `node="peer1"`
 * @returns the differences, one line each
 */
export function compareRelay(
  before: SeriesValues,
  relayed: SeriesValues,
  after: SeriesValues,
  label?: string,
): string[] {
  const differences: string[] = [];
  for (const [series, first] of before) {
    const value = relayed.get(label === undefined ? series : withLabel(series, label));
    const last = after.get(series);
    if (value === undefined) differences.push(`missing: ${series}`);
    else if (RUNTIME.test(series) || last === undefined) continue;
    else if (value < Math.min(first, last) || value > Math.max(first, last))
      differences.push(`${series} is ${value}, on the node ${first} and then ${last}`);
  }
  return differences;
}

/** Adds a label to the name of a series. */
export function withLabel(series: string, label: string): string {
  const [name = '', labels = ''] = series.split(/\{|\}$/);
  const pairs = [...labels.matchAll(/\w+="(?:[^"\\]|\\.)*"/g)].map(([pair]) => pair);
  return `${name}{${[...pairs, label].toSorted().join(',')}}`;
}
