// Adds the values of the agent and of its sources to a batch, as growth or as totals. Each function is a generator that yields after each
// series, so that the cursor can let other code run.

import type { FamilySnapshot, HistogramGrowth, Labels, Sample, SourceFamily } from '../contract/index.js';
import type { FamilyParts, SampleFamily, SampleSource } from '../contract/metric-sink.js';
import type { SourceHistogram } from '../contract/metric-source.js';
import { createSeriesKey } from '../contract/instruments.js';
import type { Acknowledged, OfferedBatch } from './acknowledged.js';
import type { LiveSource } from './sources.js';

/** The lists of a batch. */
export interface BatchLists {
  readonly counters: Sample[];
  readonly histograms: HistogramGrowth[];
  readonly gauges: Sample[];
}

type Steps = Generator<undefined, void>;

/** Adds the growth of a counter of the agent, or the values of a gauge. Batches of growth have histograms of the agent as observations. */
export function* addOwnGrowth(
  family: FamilySnapshot,
  { counters, gauges }: BatchLists,
  acknowledged: Acknowledged,
  batch: OfferedBatch,
): Steps {
  const { name, type, parts } = family;
  if (type !== 'counter' && type !== 'gauge') return;
  const keyOf = createSeriesKey();
  for (const { labels, value } of family.values()) {
    if (type === 'gauge') gauges.push(sampleOf(parts, labels, value));
    else {
      const growth = acknowledged.growth(acknowledged.series(`${name} ${keyOf(labels)}`), value, batch);
      if (growth > 0) counters.push(sampleOf(parts, labels, growth));
    }
    yield;
  }
}

/** Adds a counter, gauge or histogram of the agent. */
export function* addOwnTotals(snapshot: FamilySnapshot, { counters, gauges, histograms }: BatchLists): Steps {
  const { name, help, type, parts } = snapshot;
  const family = { name, help };
  let buckets = emptyBuckets();
  for (const { labels, metricName, value } of snapshot.values()) {
    if (type !== 'histogram')
      (type === 'gauge' ? gauges : counters).push(sampleOf(parts, labels, value, { family }));
    // The values of one histogram are adjacent: the buckets in ascending order, then sum and count.
    else if (metricName === `${name}_bucket`) {
      buckets.bounds.push(labels['le'] === '+Inf' ? Infinity : Number(labels['le']));
      buckets.counts.push(value - buckets.below);
      buckets.below = value;
    } else if (metricName === `${name}_sum`) buckets.sum = value;
    else {
      const { bounds, counts, sum } = buckets;
      histograms.push(histogramOf(parts, labels, bounds, [...counts, sum], { family }));
      buckets = emptyBuckets();
    }
    yield;
  }
}

/** `below`: the number of observations up to the last bound. */
function emptyBuckets(): {
  readonly bounds: number[];
  readonly counts: number[];
  below: number;
  sum: number;
} {
  return { bounds: [], counts: [], below: 0, sum: 0 };
}

/**
 * Adds the growth of the counters and histograms of a source, also of series that have disappeared since the last accepted batch, and its
 * finite gauges.
 */
export function* addGrowth(
  { totals, reading, node, nodeKind }: LiveSource,
  { counters, histograms, gauges }: BatchLists,
  acknowledged: Acknowledged,
  batch: OfferedBatch,
): Steps {
  const origin: SampleOrigin = { node, isOfNode: nodeKind !== undefined };
  for (const { type, parts, byKey } of totals.families())
    for (const series of byKey.values()) {
      if (type === 'counter') {
        const growth = acknowledged.growth(series, series.total(0), batch);
        if (growth > 0) counters.push(sampleOf(parts, series.labels, growth, origin));
      } else {
        const growth = acknowledged.histogramGrowth(series, series.totals(), batch);
        if (growth !== undefined)
          histograms.push(histogramOf(parts, series.labels, series.bounds ?? [], growth, origin));
      }
      yield;
    }
  for (const { type, parts, series } of reading.families) {
    if (!isGauge(type)) continue;
    for (const { labels, value } of series) {
      if (Number.isFinite(value)) gauges.push(sampleOf(parts, labels, value as number, origin));
      yield;
    }
  }
}

/** Adds the unchanged finite values of a source. */
export function* addTotals(live: LiveSource, { counters, histograms, gauges }: BatchLists): Steps {
  const { reading, node } = live;
  const source = sampleSourceOf(live);
  for (const { name, help, type, parts, series } of reading.families) {
    if (type === 'summary') continue;
    const origin = { node, isOfNode: live.nodeKind !== undefined, family: { name, help, source } };
    for (const { labels, value } of series) {
      if (type === 'histogram') {
        const { bounds, counts, sum } = value as SourceHistogram;
        const each = counts.map((count, index) => count - (counts[index - 1] ?? 0));
        if (Number.isFinite(sum)) histograms.push(histogramOf(parts, labels, bounds, [...each, sum], origin));
      } else if (Number.isFinite(value))
        (isGauge(type) ? gauges : counters).push(sampleOf(parts, labels, value as number, origin));
      yield;
    }
  }
}

/** Returns true for gauges and untyped values, which may decrease. */
function isGauge(type: SourceFamily['type']): boolean {
  return type === 'gauge' || type === 'untyped';
}

function sampleSourceOf({ name, nodeKind, reading: { startTime } }: LiveSource): SampleSource {
  return { name, ...(nodeKind !== undefined && { nodeKind }), ...(startTime !== undefined && { startTime }) };
}

/** The origin of a sample in a batch. */
interface SampleOrigin {
  readonly node?: string | undefined;
  readonly isOfNode?: boolean;
  readonly family?: SampleFamily;
}

function sampleOf(
  { namespace, subsystem, name }: FamilyParts,
  labels: Labels,
  value: number,
  { node, isOfNode, family }: SampleOrigin = {},
): Sample {
  return {
    namespace,
    subsystem,
    name,
    labels,
    value,
    ...(node !== undefined && { node }),
    ...(isOfNode === true && { isOfNode }),
    ...(family !== undefined && { family }),
  };
}

/** @param numbers the number of observations in each bucket, then the sum */
function histogramOf(
  { namespace, subsystem, name }: FamilyParts,
  labels: Labels,
  bounds: readonly number[],
  numbers: readonly number[],
  { node, isOfNode, family }: SampleOrigin,
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
    ...(isOfNode === true && { isOfNode }),
    ...(family !== undefined && { family }),
  };
}
