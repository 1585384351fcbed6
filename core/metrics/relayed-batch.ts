// The relayed values of a batch.

import type {
  createYielder,
  FamilyParts,
  HistogramGrowth,
  Sample,
  SampleFamily,
  SampleSource,
  SourceFamily,
  SourceHistogram,
} from '../contract/index.js';
import type { Acknowledged, OfferedBatch } from './acknowledged.js';
import type { RelayedSeries } from './relayed-series.js';
import type { LiveSource } from './sources.js';

/** The lists that a batch consists of. */
export interface BatchLists {
  readonly counters: Sample[];
  readonly histograms: HistogramGrowth[];
  readonly gauges: Sample[];
}

type YieldIfDue = ReturnType<typeof createYielder>;

/** Adds the finite gauges of a source. A value of unknown type is a gauge: it may fall. */
export async function addGauges(
  { reading, node }: LiveSource,
  { gauges }: BatchLists,
  yieldIfDue: YieldIfDue,
): Promise<void> {
  for (const { type, parts, series } of reading.families) {
    if (!isGauge(type)) continue;
    for (const { labels, value } of series) {
      if (Number.isFinite(value)) gauges.push(sampleOf(parts, labels, node, value as number));
      const nextTurn = yieldIfDue();
      if (nextTurn !== undefined) await nextTurn;
    }
  }
}

/** Adds the growth of the counters and histograms of a source, also of series that are gone since the last accepted batch. */
export async function addGrowth(
  { totals, node }: LiveSource,
  { counters, histograms }: BatchLists,
  acknowledged: Acknowledged,
  batch: OfferedBatch,
  yieldIfDue: YieldIfDue,
): Promise<void> {
  for (const { type, parts, byKey } of totals.families()) {
    for (const series of byKey.values()) {
      if (type === 'counter') {
        const growth = acknowledged.growth(series, series.total(0), batch);
        if (growth > 0) counters.push(sampleOf(parts, series.labels, node, growth));
      } else {
        const growth = acknowledged.histogramGrowth(series, totalsOf(series), batch);
        if (growth !== undefined)
          histograms.push(histogramOf(sampleOf(parts, series.labels, node, 0), series.bounds ?? [], growth));
      }
      const nextTurn = yieldIfDue();
      if (nextTurn !== undefined) await nextTurn;
    }
  }
}

/** Adds the finite values of a source as they were read. */
export async function addTotals(
  live: LiveSource,
  { counters, histograms, gauges }: BatchLists,
  yieldIfDue: YieldIfDue,
): Promise<void> {
  const { reading, node } = live;
  const source = sampleSourceOf(live);
  for (const { name, help, type, parts, series } of reading.families) {
    if (type === 'summary') continue;
    const family = { name, help, source };
    for (const { labels, value } of series) {
      if (type === 'histogram') {
        const { bounds, counts, sum } = value as SourceHistogram;
        const each = counts.map((count, index) => count - (counts[index - 1] ?? 0));
        if (Number.isFinite(sum))
          histograms.push(histogramOf(sampleOf(parts, labels, node, 0, family), bounds, [...each, sum]));
      } else if (Number.isFinite(value)) {
        const list = isGauge(type) ? gauges : counters;
        list.push(sampleOf(parts, labels, node, value as number, family));
      }
      const nextTurn = yieldIfDue();
      if (nextTurn !== undefined) await nextTurn;
    }
  }
}

function isGauge(type: SourceFamily['type']): boolean {
  return type === 'gauge' || type === 'untyped';
}

function sampleSourceOf({ name, nodeKind, reading: { startTime } }: LiveSource): SampleSource {
  return { name, ...(nodeKind !== undefined && { nodeKind }), ...(startTime !== undefined && { startTime }) };
}

function totalsOf(series: RelayedSeries): number[] {
  return Array.from({ length: series.size }, (_, index) => series.total(index));
}

function sampleOf(
  { namespace, subsystem, name }: FamilyParts,
  labels: Sample['labels'],
  node: string | undefined,
  value: number,
  family?: SampleFamily,
): Sample {
  return {
    namespace,
    subsystem,
    name,
    labels,
    value,
    ...(node !== undefined && { node }),
    ...(family !== undefined && { family }),
  };
}

/** @param numbers the number of observations in each bucket, then the sum */
function histogramOf(
  { namespace, subsystem, name, labels, node, family }: Sample,
  bounds: readonly number[],
  numbers: readonly number[],
): HistogramGrowth {
  const counts = numbers.slice(0, -1);
  return {
    namespace,
    subsystem,
    name,
    labels,
    bounds,
    counts,
    sum: numbers.at(-1) ?? 0,
    count: counts.reduce((a, b) => a + b, 0),
    ...(node !== undefined && { node }),
    ...(family !== undefined && { family }),
  };
}
