// The instruments of the agent's own metrics, and their labels.

/** Label values by label name. Numbers and booleans are converted to strings. */
export type Labels = Readonly<Record<string, string | number | boolean>>;

/**
 * Describes a metric family. Its name is `fabric_ops_agent`, namespace, subsystem and name joined by `_`, without empty parts:
 * `disk_free_bytes` is served as `fabric_ops_agent_disk_free_bytes`. A name that already begins with the prefix is not prefixed again.
 */
export interface FamilyOptions<Name extends string = string> {
  readonly namespace?: string;
  readonly subsystem?: string;
  readonly name: string;
  /** One sentence for dashboards. */
  readonly help: string;
  /** The labels of each series. @default none */
  readonly labelNames?: readonly Name[];
}

/** Describes a family of histograms; `buckets` are finite upper bounds in ascending order. */
export interface HistogramOptions<Name extends string = string> extends FamilyOptions<Name> {
  /** @default 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10 */
  readonly buckets?: readonly number[];
}

/**
 * A count that only increases. A negative, infinite or NaN amount is ignored and counted in
 * `fabric_ops_agent_metrics_rejected_total`.
 */
export interface Counter {
  /** @param amount @default 1 */
  inc(amount?: number): void;
}

/**
 * A value that goes up and down. NaN, or adding a value that is not finite, is ignored and counted in
 * `fabric_ops_agent_metrics_rejected_total`.
 */
export interface Gauge {
  set(value: number): void;
  add(amount: number): void;
}

/**
 * Observations of one quantity, durations in seconds. NaN and infinite values are ignored and counted in
 * `fabric_ops_agent_metrics_rejected_total`.
 */
export interface Histogram {
  observe(value: number): void;
}

/**
 * A family with labels.
 *
 * A new label set is not kept when the family already has `metrics.maxSeries` series: its instrument ignores every call, and each
 * `with` for it is counted in `fabric_ops_agent_metrics_series_dropped_total`.
 */
export interface Family<Instrument, Name extends string = string> {
  /**
   * Returns the instrument of one label set. Keep a reference if it is used often.
   *
   * @throws AgentError `METRIC_INVALID` when a label is missing or was not declared
   */
  with(labels: Readonly<Record<Name, string | number | boolean>>): Instrument;
}

/** A family of gauges with labels. */
export interface GaugeFamily<Name extends string = string> extends Family<Gauge, Name> {
  /**
   * Removes the series of one label set, for example of a deleted file: it is no longer served or pushed, and its instrument
   * ignores every call. Has no effect if there is no such series.
   *
   * @throws AgentError `METRIC_INVALID` as {@link Family.with}
   */
  remove(labels: Readonly<Record<Name, string | number | boolean>>): void;
}

/** Creates instruments in the metric store of the agent. */
export interface MetricFactory {
  /** @throws AgentError `METRIC_INVALID` for an invalid name or label, or when the name has another definition */
  counter<Name extends string = never>(options: FamilyOptions<Name>): Counter & Family<Counter, Name>;
  /** @throws AgentError `METRIC_INVALID`, see {@link MetricFactory.counter} */
  gauge<Name extends string = never>(options: FamilyOptions<Name>): Gauge & GaugeFamily<Name>;
  /** @throws AgentError `METRIC_INVALID`, see {@link MetricFactory.counter} */
  histogram<Name extends string = never>(
    options: HistogramOptions<Name>,
  ): Histogram & Family<Histogram, Name>;
}

const ignore = (): void => undefined;

/** An instrument of any type that ignores every call. */
export const NO_OP_INSTRUMENT: Counter & Gauge & Histogram = {
  inc: ignore,
  set: ignore,
  add: ignore,
  observe: ignore,
};

const NO_OP_FAMILY = { ...NO_OP_INSTRUMENT, with: () => NO_OP_INSTRUMENT, remove: ignore };

/** Makes instruments that ignore every call. */
export const NO_OP_METRICS: MetricFactory = {
  counter: () => NO_OP_FAMILY,
  gauge: () => NO_OP_FAMILY,
  histogram: () => NO_OP_FAMILY,
};

/** Returns true if labels have these names in this order. Called for every series, so unlike `Object.keys` it creates no array. */
export function hasNames(labels: Labels, names: readonly string[]): boolean {
  let index = 0;
  for (const name in labels) {
    if (name !== names[index]) return false;
    index += 1;
  }
  return index === names.length;
}

/**
 * Creates a function that returns the same key for equal labels, in any order, and different keys for different labels. The label names
 * are sorted only when they differ from the previous call.
 */
export function createSeriesKey(): (labels: Labels) => string {
  let names: readonly string[] = [];
  let sorted: readonly string[] = [];
  return (labels) => {
    if (!hasNames(labels, names)) {
      names = Object.keys(labels);
      sorted = names.toSorted();
    }
    let key = '';
    for (const name of sorted) {
      const value = String(labels[name]);
      // With the length, because a value can contain any characters.
      key += `${name}=${value.length}:${value},`;
    }
    return key;
  };
}
