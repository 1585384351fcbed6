// What the store tells of its families and of observations.

import type { Labels } from '../contract/index.js';

/** Where an observation goes besides the histogram itself. The same series is the same object every time. */
export type ObservationListener = (series: ObservedSeries, value: number) => void;

/** The series of a histogram that a value was observed in. */
export interface ObservedSeries extends FamilyParts {
  readonly labels: Labels;
}

/** The parts of a family's name, as a StatsD bucket joins them. */
export interface FamilyParts {
  readonly namespace: string;
  readonly subsystem: string;
  readonly name: string;
}

/** One value of a family as the store keeps it. The same series is the same object from snapshot to snapshot. */
export interface SeriesValue {
  readonly labels: Labels;
  readonly value: number;
  /** The name of the line where it differs from the family's: `_bucket`, `_sum` and `_count` of a histogram. */
  readonly metricName?: string;
  /** Labels that several lines of one histogram share. */
  readonly sharedLabels?: Labels;
}

/** A family and its present values. */
export interface FamilySnapshot {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly parts: FamilyParts;
  /** The values a few at a time, each as it is when its turn comes; a series that is new meanwhile may be among them. */
  slices(): AsyncIterable<readonly SeriesValue[]>;
}
