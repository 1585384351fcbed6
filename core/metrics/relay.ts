// Merges the families of the agent and of its sources for scrapes. The families of sources keep their names and labels.

import type { FamilySnapshot, Labels, MetricReader, SourceFamily } from '../contract/index.js';
import type { SeriesValue } from '../contract/metric-sink.js';
import type { SourceHistogram, SourceSeries, SourceSummary } from '../contract/metric-source.js';
import { SERIES_ENDINGS } from './definition.js';
import type { LiveSource, Sources } from './sources.js';
import type { MetricStore } from './store.js';

/** How long a scrape waits for the sources, in milliseconds: the rest of its ten seconds is for writing the response. */
const READ_TIMEOUT = 6_000;

/** Reads the families of the agent, and of all sources that can be read now. */
export class RelayReader implements MetricReader {
  readonly #own: Pick<MetricStore, 'families' | 'has'>;
  readonly #sources: Sources;

  constructor(own: Pick<MetricStore, 'families' | 'has'>, sources: Sources) {
    this.#own = own;
    this.#sources = sources;
  }

  async *families(timeout = READ_TIMEOUT): AsyncGenerator<FamilySnapshot> {
    // Before the families of the agent are read, because it changes some of them.
    const sources = await this.#sources.live(Math.min(timeout, READ_TIMEOUT));
    const relayed = mergeFamilies(sources, (name) => this.#own.has(name));
    yield* this.#own.families();
    yield* relayed;
  }
}

/** A family of one source. */
interface RelayedFamily {
  readonly source: LiveSource;
  readonly family: SourceFamily;
}

/**
 * Merges the families of sources, sorted by name. Help and type come from the first source with the family. A family is skipped if it has
 * another type, if it has no label `node` and another source has it too, if it has the name of a series of another family, or if the agent
 * has a family with this name.
 */
function mergeFamilies(sources: readonly LiveSource[], isOwn: (name: string) => boolean): FamilySnapshot[] {
  const byName = new Map<string, [RelayedFamily, ...RelayedFamily[]]>();
  for (const source of sources)
    for (const family of source.reading.families) {
      const parts = byName.get(family.name);
      const part = { source, family };
      const problem = isOwn(family.name) ? 'the agent has a family of this name' : conflict(parts?.[0], part);
      if (problem !== undefined) source.skip(family.name, problem);
      else if (parts === undefined) byName.set(family.name, [part]);
      else parts.push(part);
    }
  skipSeriesNames(byName);
  return [...byName.values()]
    .sort(([a], [b]) => (a.family.name < b.family.name ? -1 : 1))
    .map((parts) => {
      const { name, help, type, parts: names } = parts[0].family;
      return { name, help, type, parts: names, values: () => valuesOf(parts) };
    });
}

function conflict(first: RelayedFamily | undefined, { source, family }: RelayedFamily): string | undefined {
  if (first === undefined) return undefined;
  if (family.type !== first.family.type)
    return `its type is ${family.type}, its type in source ${first.source.name} is ${first.family.type}`;
  return first.source.node === undefined || source.node === undefined
    ? `source ${first.source.name} has a family of this name`
    : undefined;
}

/** If a family has the name of a series of another family, skips the later one: Prometheus refuses a response with both. */
function skipSeriesNames(byName: Map<string, [RelayedFamily, ...RelayedFamily[]]>): void {
  // The map is in the order of the sources.
  const taken = new Map<string, string>();
  for (const [name, parts] of byName) {
    const { type } = parts[0].family;
    const endings = type === 'histogram' || type === 'summary' ? SERIES_ENDINGS[type] : [];
    const names = [name, ...endings.map((ending) => `${name}${ending}`)];
    const clash = names.find((each) => taken.has(each));
    if (clash === undefined) {
      for (const each of names) taken.set(each, `${type} ${name} of source ${parts[0].source.name}`);
      continue;
    }
    byName.delete(name);
    for (const { source } of parts)
      source.skip(
        name,
        `the ${taken.get(clash) ?? ''} has ${clash === name ? 'a series of this name' : `the name of its series ${clash}`}`,
      );
  }
}

/** The lines of the series of a family. */
function* valuesOf(parts: readonly RelayedFamily[]): Generator<SeriesValue> {
  for (const { source, family } of parts) {
    const labelsOf = createBoundLabels();
    for (const { labels: own, value } of family.series) {
      const labels = source.node === undefined ? own : withNode(own, source.node);
      if (typeof value === 'number') yield { labels, value };
      else yield* distributionValues(family.name, labels, value, labelsOf);
    }
  }
}

/** Adds the label `node`. An existing label `node` is renamed, as Prometheus does with labels of a target. */
function withNode(labels: Labels, node: string): Labels {
  if (!Object.hasOwn(labels, 'node')) return { ...labels, node };
  const { node: own, ...others } = labels;
  return { ...others, exported_node: own as string, node };
}

const NO_LABELS: Labels = {};

/** The lines of a histogram or summary. */
function* distributionValues(
  name: string,
  sharedLabels: Labels,
  value: Exclude<SourceSeries['value'], number>,
  labelsOf: BoundLabels,
): Generator<SeriesValue> {
  if ('bounds' in value) yield* bucketValues(name, sharedLabels, value, labelsOf);
  else yield* quantileValues(sharedLabels, value, labelsOf);
  yield { metricName: `${name}_sum`, labels: NO_LABELS, sharedLabels, value: value.sum };
  yield { metricName: `${name}_count`, labels: NO_LABELS, sharedLabels, value: value.count };
}

function* bucketValues(
  name: string,
  sharedLabels: Labels,
  { bounds, counts }: SourceHistogram,
  labelsOf: BoundLabels,
): Generator<SeriesValue> {
  const metricName = `${name}_bucket`;
  for (const [index, labels] of labelsOf('le', bounds).entries())
    yield { metricName, labels, sharedLabels, value: counts[index] as number };
}

function* quantileValues(
  sharedLabels: Labels,
  { quantiles, values }: SourceSummary,
  labelsOf: BoundLabels,
): Generator<SeriesValue> {
  for (const [index, labels] of labelsOf('quantile', quantiles).entries())
    yield { labels, sharedLabels, value: values[index] as number };
}

type BoundLabels = (label: string, numbers: readonly number[]) => readonly Labels[];

/** Creates the labels of bounds or quantiles. The series of a family usually have the same ones, so they are created once. */
function createBoundLabels(): BoundLabels {
  let last: readonly number[] = [];
  let labels: readonly Labels[] = [];
  return (label, numbers) => {
    if (numbers.length !== last.length || !numbers.every((number, index) => number === last[index])) {
      last = numbers;
      labels = numbers.map((number) => ({ [label]: goNumber(number) }));
    }
    return labels;
  };
}

/** Go writes an exponent from this power of ten. */
const EXPONENT_FROM = 6;
/** Go writes an exponent below this power of ten. */
const EXPONENT_BELOW = -4;

/** Formats a bound or a quantile as Go does: `1e+06`, `1e-05`, `+Inf`. */
function goNumber(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const [digits = '', power = ''] = value.toExponential().split('e');
  const exponent = Number(power);
  if (value === 0 || (exponent >= EXPONENT_BELOW && exponent < EXPONENT_FROM)) return String(value);
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}
