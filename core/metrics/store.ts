// The one store of metrics, and the only importer of prom-client: replacing that package touches this file.

import * as prom from 'prom-client';
import {
  AgentError,
  reasonOf,
  type Counter,
  type Family,
  type FamilyOptions,
  type Gauge,
  type Histogram,
  type HistogramOptions,
  type Labels,
  type MetricFactory,
} from '../contract/index.js';

/** Where an observation goes besides the histogram itself. */
export type ObservationListener = (parts: FamilyParts, labels: Labels, value: number) => void;

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

/** A family with its present values. */
export interface FamilySnapshot {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly parts: FamilyParts;
  readonly values: readonly SeriesValue[];
}

type PromMetric = prom.Counter | prom.Gauge | prom.Histogram;
type SeriesOf<Instrument> = (labels: Record<string, string>) => Instrument;

interface KnownFamily {
  readonly parts: FamilyParts;
  /** Everything that two definitions of one family must have in common. */
  readonly definition: string;
  readonly instrument: unknown;
}

/** Longest label value kept; a longer one is cut. */
export const MAX_LABEL_LENGTH = 1024;

/** Instruments and their values. One store for each agent; the process-wide registry of prom-client is never used. */
export class MetricStore implements MetricFactory {
  readonly #registry = new prom.Registry();
  readonly #maxSeries: number;
  readonly #families = new Map<string, KnownFamily>();
  readonly #listeners = new Set<ObservationListener>();
  readonly #rejected: Family<Counter, 'family'>;
  readonly #dropped: Family<Counter, 'family'>;

  /** @param maxSeries how many series one family may have */
  constructor(maxSeries: number) {
    this.#maxSeries = maxSeries;
    this.#rejected = this.counter({
      name: 'metrics_rejected_total',
      help: 'Values left out because no metric can hold them (NaN, infinite, a negative count).',
      labelNames: ['family'],
    });
    this.#dropped = this.counter({
      name: 'metrics_series_dropped_total',
      help: 'Calls for a new series left out because the family has as many as are allowed.',
      labelNames: ['family'],
    });
    prom.collectDefaultMetrics({ register: this.#registry });
  }

  counter<Name extends string = never>(options: FamilyOptions<Name>): Counter & Family<Counter, Name> {
    return this.#family<Counter, Name>('counter', options, (name, labelNames) => {
      const metric = this.#create(
        name,
        () => new prom.Counter({ name, help: options.help, labelNames, registers: [this.#registry] }),
      );
      return (labels) => {
        const series = metric.labels(labels);
        return {
          inc: (amount = 1) => (amount >= 0 && amount < Infinity ? series.inc(amount) : this.#reject(name)),
        };
      };
    });
  }

  gauge<Name extends string = never>(options: FamilyOptions<Name>): Gauge & Family<Gauge, Name> {
    return this.#family<Gauge, Name>('gauge', options, (name, labelNames) => {
      const metric = this.#create(
        name,
        () => new prom.Gauge({ name, help: options.help, labelNames, registers: [this.#registry] }),
      );
      return (labels) => {
        const series = metric.labels(labels);
        return {
          set: (value) => (Number.isNaN(value) ? this.#reject(name) : series.set(value)),
          add: (amount) => (Number.isFinite(amount) ? series.inc(amount) : this.#reject(name)),
        };
      };
    });
  }

  histogram<Name extends string = never>(
    options: HistogramOptions<Name>,
  ): Histogram & Family<Histogram, Name> {
    return this.#family<Histogram, Name>('histogram', options, (name, labelNames, parts) => {
      const { help, buckets } = options;
      const metric = this.#create(
        name,
        () =>
          new prom.Histogram({
            name,
            help,
            labelNames,
            registers: [this.#registry],
            ...(buckets && { buckets: [...buckets] }),
          }),
      );
      return (labels) => {
        const series = metric.labels(labels);
        return {
          observe: (value) => {
            if (!Number.isFinite(value)) return this.#reject(name);
            series.observe(value);
            for (const listener of this.#listeners) listener(parts, labels, value);
          },
        };
      };
    });
  }

  /** Calls a listener with every observation from now on; the result ends that. */
  onObservation(listener: ObservationListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The names of all families, sorted. */
  names(): string[] {
    return this.#registry
      .getMetricsAsArray()
      .map(({ name }) => name)
      .sort();
  }

  /** The present values of one family; undefined when it cannot say. */
  async snapshot(name: string): Promise<FamilySnapshot | undefined> {
    const metric = this.#registry.getSingleMetric(name) as
      (PromMetric & { getForPromString?: () => Promise<unknown> }) | undefined;
    try {
      const read = (await (metric?.getForPromString?.() ?? metric?.get())) as
        Omit<FamilySnapshot, 'parts'> | undefined;
      const parts = this.#families.get(name)?.parts ?? { namespace: '', subsystem: '', name };
      return read === undefined
        ? undefined
        : { name, help: read.help, type: read.type, parts, values: read.values };
    } catch {
      // One family that cannot be read (a process metric on an odd system) must not cost the others.
      return undefined;
    }
  }

  #create<Metric>(name: string, create: () => Metric): Metric {
    try {
      return create();
    } catch (error) {
      throw new AgentError('METRIC_INVALID', `cannot create metric '${name}': ${reasonOf(error)}`, {
        cause: error,
      });
    }
  }

  #family<Instrument extends object, Name extends string>(
    type: string,
    options: HistogramOptions<Name>,
    create: (name: string, labelNames: string[], parts: FamilyParts) => SeriesOf<Instrument>,
  ): Instrument & Family<Instrument, Name> {
    const { namespace = '', subsystem = '', labelNames = [] } = options;
    const name = [namespace, subsystem, options.name].filter((part) => part !== '').join('_');
    const definition = JSON.stringify([type, labelNames, options.buckets]);
    const known = this.#families.get(name);
    if (known !== undefined && known.definition !== definition) {
      throw new AgentError(
        'METRIC_INVALID',
        `cannot create metric '${name}': it exists with another type, other labels or other buckets`,
      );
    }
    if (known !== undefined) return known.instrument as Instrument & Family<Instrument, Name>;

    const parts = { namespace, subsystem, name: options.name };
    const family = new LabelledFamily(
      name,
      labelNames,
      create(name, [...labelNames], parts),
      this.#maxSeries,
      () => this.#dropped.with({ family: name }).inc(),
    );
    const instrument = Object.assign(labelNames.length === 0 ? family.with({}) : noInstrument(name), {
      with: (labels: Labels) => family.with(labels),
    }) as unknown as Instrument & Family<Instrument, Name>;
    this.#families.set(name, { parts, definition, instrument });
    return instrument;
  }

  #reject(family: string): void {
    this.#rejected.with({ family }).inc();
  }
}

/** The series of one family by their labels. */
class LabelledFamily<Instrument extends object> {
  readonly #name: string;
  readonly #labelNames: readonly string[];
  readonly #create: SeriesOf<Instrument>;
  readonly #maxSeries: number;
  readonly #onDropped: () => void;
  /** By the string that prom-client tells series apart with; two label sets can have the same one. */
  readonly #series = new Map<string, { labels: Readonly<Record<string, string>>; instrument: Instrument }>();

  constructor(
    name: string,
    labelNames: readonly string[],
    create: SeriesOf<Instrument>,
    maxSeries: number,
    onDropped: () => void,
  ) {
    this.#name = name;
    this.#labelNames = labelNames;
    this.#create = create;
    this.#maxSeries = maxSeries;
    this.#onDropped = onDropped;
  }

  with(given: Labels): Instrument {
    const labels: Record<string, string> = {};
    let key = '';
    for (const name of this.#labelNames) {
      const value = given[name];
      if (value === undefined) throw this.#labelError(`label '${name}' is missing`);
      labels[name] = String(value).slice(0, MAX_LABEL_LENGTH).toWellFormed();
      key += `${name}:${labels[name]},`;
    }
    const unknown = Object.keys(given).find((name) => !this.#labelNames.includes(name));
    if (unknown !== undefined) throw this.#labelError(`label '${unknown}' was not declared`);

    const known = this.#series.get(key);
    if (known !== undefined && this.#labelNames.every((name) => known.labels[name] === labels[name]))
      return known.instrument;
    if (known !== undefined || this.#series.size >= this.#maxSeries) {
      this.#onDropped();
      return NO_INSTRUMENT as unknown as Instrument;
    }
    const instrument = this.#create(labels);
    this.#series.set(key, { labels, instrument });
    return instrument;
  }

  #labelError(what: string): AgentError {
    const allowed =
      this.#labelNames.length === 0 ? 'it has none' : `its labels are ${this.#labelNames.join(', ')}`;
    return new AgentError('METRIC_INVALID', `cannot use metric '${this.#name}': ${what}; ${allowed}`);
  }
}

const nothing = (): void => undefined;
const NO_INSTRUMENT: Counter & Gauge & Histogram = {
  inc: nothing,
  set: nothing,
  add: nothing,
  observe: nothing,
};

/** The instrument of a family that has labels, used without them. */
function noInstrument(name: string): object {
  const refuse = (): never => {
    throw new AgentError(
      'METRIC_INVALID',
      `cannot use metric '${name}' without its labels: call with() first`,
    );
  };
  return { inc: refuse, set: refuse, add: refuse, observe: refuse };
}
