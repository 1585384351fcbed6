import type { Labels } from './instruments.js';

/** The parts of a family name. A Prometheus name joins them with underscores, a StatsD bucket with dots; a part may be empty. */
export interface FamilyParts {
  readonly namespace: string;
  readonly subsystem: string;
  readonly name: string;
}

/**
 * One value of a family. A counter or gauge has one per series; a histogram or summary has several: one per bucket or quantile,
 * the sum and the count. The same series is the same object in every snapshot.
 */
export interface SeriesValue {
  /** The labels of this value; for a histogram only those that `sharedLabels` does not have, such as `le`. */
  readonly labels: Labels;
  readonly value: number;
  /** The name of the exposition line where it differs from the family name: with `_bucket`, `_sum` or `_count` at its end. */
  readonly metricName?: string;
  /** The labels that the values of one histogram series have in common; the same object for all of them. */
  readonly sharedLabels?: Labels;
}

/** A metric family. Read its values at once: they change while other code runs. */
export interface FamilySnapshot {
  /** The Prometheus name: the parts joined by `_`. */
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary' | 'untyped';
  readonly parts: FamilyParts;
  /** The values in slices, series in the order of their first use. Each slice has the values at the time it is read. */
  slices(): AsyncIterable<readonly SeriesValue[]>;
}

/** Reads all metrics of the agent. */
export interface MetricReader {
  /**
   * The families sorted by name.
   *
   * @param timeout how long to wait for the sources, in milliseconds; those that have not been read by then are not shown. @default 6000
   */
  families(timeout?: number): AsyncIterable<FamilySnapshot>;
}
