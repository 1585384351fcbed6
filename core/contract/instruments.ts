/** Label values by label name. Values other than strings are written as text. */
export type Labels = Readonly<Record<string, string | number | boolean>>;

/** What a metric family is called and what it is about. The name is namespace, subsystem and name joined by `_`, empty parts left out. */
export interface FamilyOptions<Name extends string = string> {
  readonly namespace?: string;
  readonly subsystem?: string;
  readonly name: string;
  /** One sentence for the reader of a dashboard. */
  readonly help: string;
  /** The labels each series of the family has. @default none */
  readonly labelNames?: readonly Name[];
}

/** A family of histograms; `buckets` are upper bounds, ascending, without infinity. */
export interface HistogramOptions<Name extends string = string> extends FamilyOptions<Name> {
  /** @default 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10 */
  readonly buckets?: readonly number[];
}

/** A count that only grows. A negative, infinite or NaN amount is left out and counted in `metrics_rejected_total`. */
export interface Counter {
  /** @param amount @default 1 */
  inc(amount?: number): void;
}

/** A value that goes up and down. NaN, and adding what is not finite, is left out and counted in `metrics_rejected_total`. */
export interface Gauge {
  set(value: number): void;
  add(amount: number): void;
}

/** Observations of one quantity, durations in seconds. NaN and infinite ones are left out and counted. */
export interface Histogram {
  observe(value: number): void;
}

/**
 * A family whose series are told apart by labels.
 *
 * A label set that is new when the family already holds as many series as are allowed (`metrics.maxSeries`) is not kept:
 * its instrument does nothing and the call is counted in `metrics_series_dropped_total`.
 */
export interface Family<Instrument, Name extends string = string> {
  /**
   * The instrument of one label set. Keep it where it is used often.
   *
   * @throws AgentError `METRIC_INVALID` when a label is missing or was not declared
   */
  with(labels: Readonly<Record<Name, string | number | boolean>>): Instrument;
}

/** Makes instruments in the one store of the agent. */
export interface MetricFactory {
  /** @throws AgentError `METRIC_INVALID` for a bad name or label, or when the name is taken by another definition */
  counter<Name extends string = never>(options: FamilyOptions<Name>): Counter & Family<Counter, Name>;
  /** @throws AgentError `METRIC_INVALID`, see {@link MetricFactory.counter} */
  gauge<Name extends string = never>(options: FamilyOptions<Name>): Gauge & Family<Gauge, Name>;
  /** @throws AgentError `METRIC_INVALID`, see {@link MetricFactory.counter} */
  histogram<Name extends string = never>(
    options: HistogramOptions<Name>,
  ): Histogram & Family<Histogram, Name>;
}
