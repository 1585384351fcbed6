// Merges the families of several sources: one family per name.

import type { FamilySnapshot, SeriesValue, SourceFamily } from '../contract/index.js';
import type { LiveSource } from './sources.js';
import { valuesOf } from './series-values.js';

/** How many series are in one slice. */
const SERIES_PER_SLICE = 256;

/** A family of one source. */
interface Part {
  readonly source: LiveSource;
  readonly family: SourceFamily;
}

/** A family of all sources that have it. */
export interface MergedFamily {
  readonly snapshot: FamilySnapshot;
  readonly sources: readonly LiveSource[];
}

/**
 * Merges the families of sources, sorted by name. Help and type are those of the first source that has the family. A family of another
 * type is skipped, one without the label `node` that another source has too, and one with the name of a series of another family.
 */
export function mergeFamilies(sources: readonly LiveSource[]): MergedFamily[] {
  const byName = new Map<string, [Part, ...Part[]]>();
  for (const source of sources) {
    source.nodeLabels?.retain(source.reading.families);
    for (const family of source.reading.families) {
      const parts = byName.get(family.name);
      if (parts === undefined) byName.set(family.name, [{ source, family }]);
      else {
        const problem = conflict(parts[0], { source, family });
        if (problem === undefined) parts.push({ source, family });
        else source.skip(family.name, problem);
      }
    }
  }
  skipSeriesNames(byName);
  return [...byName.values()]
    .sort(([a], [b]) => (a.family.name < b.family.name ? -1 : 1))
    .map((parts) => ({ snapshot: snapshotOf(parts), sources: parts.map(({ source }) => source) }));
}

function conflict(first: Part, { source, family }: Part): string | undefined {
  if (family.type !== first.family.type)
    return `its type is ${family.type}, that of source ${first.source.name} is ${first.family.type}`;
  return first.source.node === undefined || source.node === undefined
    ? `source ${first.source.name} has a family of this name`
    : undefined;
}

/** What the names of the series of a family end with, after its name. */
const SERIES_ENDINGS: Readonly<Partial<Record<SourceFamily['type'], readonly string[]>>> = {
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['_sum', '_count'],
};

/** Of two families of which one has the name of a series of the other, skips the later one: Prometheus refuses a response with both. */
function skipSeriesNames(byName: Map<string, [Part, ...Part[]]>): void {
  // A map has its keys in the order in which they were added: that of the sources.
  const taken = new Map<string, string>();
  for (const [name, parts] of byName) {
    const { type } = parts[0].family;
    const names = [name, ...(SERIES_ENDINGS[type] ?? []).map((ending) => `${name}${ending}`)];
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

function snapshotOf(families: readonly [Part, ...Part[]]): FamilySnapshot {
  const { name, help, type, parts } = families[0].family;
  return { name, help, type, parts, slices: () => slices(families) };
}

async function* slices(families: readonly Part[]): AsyncGenerator<readonly SeriesValue[]> {
  for (const { source, family } of families) {
    const toValues = valuesOf(family, source.nodeLabels);
    for (let start = 0; start < family.series.length; start += SERIES_PER_SLICE)
      yield family.series
        .slice(start, start + SERIES_PER_SLICE)
        .flatMap((series, index) => toValues(series, start + index));
  }
}
