// The metric store: creates instruments and reads their families.

import * as prom from '#prom-client';
import {
  AgentError,
  type Counter,
  type Family,
  type FamilyOptions,
  type FamilyParts,
  type FamilySnapshot,
  type Gauge,
  type Histogram,
  type HistogramOptions,
  type Labels,
  type MetricFactory,
  type MetricReader,
} from '../contract/index.js';
import { checkDefinition, checkSeriesNames } from './definition.js';
import { instrumentNeedingLabels, LabelledFamily, type CreateSeries } from './labelled-family.js';
import { nameOf, ownParts } from './own-name.js';
import { processMetrics } from './process-metrics.js';
import { SplitMetric, type PromMetric } from './split-metric.js';

/** The series of a histogram that a value was observed in. */
export interface ObservedSeries extends FamilyParts {
  readonly labels: Labels;
}

/** Called with every observation. The same series is the same object in every call. */
export type ObservationListener = (series: ObservedSeries, value: number) => void;

interface RegisteredFamily {
  readonly snapshot: FamilySnapshot;
  /** Type, labels and buckets, which must be equal when a family is defined again. */
  readonly definition: string;
  readonly instrument: unknown;
}

interface NewFamily<Instrument> {
  readonly metric: SplitMetric<PromMetric>;
  readonly createSeries: CreateSeries<Instrument>;
}

const REJECTED = { namespace: 'metrics', name: 'rejected_total' };
const DROPPED = { namespace: 'metrics', name: 'series_dropped_total' };
/** These count rejected and dropped values of the other families, so their own series are limited by the number of families. */
const UNLIMITED = new Set([REJECTED, DROPPED].map((family) => nameOf(ownParts(family))));

/** Instruments and their values. Each agent has one store; the global registry of prom-client is not used. */
export class MetricStore implements MetricFactory, MetricReader {
  readonly #maxSeries: number;
  readonly #families = new Map<string, RegisteredFamily>();
  readonly #listeners = new Set<ObservationListener>();
  readonly #rejected: Family<Counter, 'family'>;
  readonly #dropped: Family<Counter, 'family'>;

  /** @param maxSeries how many series one family may have */
  constructor(maxSeries: number) {
    this.#maxSeries = maxSeries;
    this.#rejected = this.counter({
      ...REJECTED,
      help: 'Values rejected because a metric cannot hold them (NaN, infinite, a negative increment).',
      labelNames: ['family'],
    });
    this.#dropped = this.counter({
      ...DROPPED,
      help: 'Calls for a new series dropped because of the limit metrics.maxSeries.',
      labelNames: ['family'],
    });
  }

  counter<Name extends string = never>(options: FamilyOptions<Name>): Counter & Family<Counter, Name> {
    return this.#family<Counter, Name>('counter', options, (name, labelNames) => {
      const metric = new SplitMetric(
        name,
        () => new prom.Counter({ name, help: options.help, labelNames, registers: [] }),
      );
      const createSeries = (labels: Record<string, string>): Counter => {
        const series = metric.next().labels(labels);
        return {
          inc: (amount = 1) => (isCount(amount) ? series.inc(amount) : this.#reject(name)),
        };
      };
      return { metric, createSeries };
    });
  }

  gauge<Name extends string = never>(options: FamilyOptions<Name>): Gauge & Family<Gauge, Name> {
    return this.#family<Gauge, Name>('gauge', options, (name, labelNames) => {
      const metric = new SplitMetric(
        name,
        () => new prom.Gauge({ name, help: options.help, labelNames, registers: [] }),
      );
      const createSeries = (labels: Record<string, string>): Gauge => {
        const series = metric.next().labels(labels);
        return {
          set: (value) => (isGaugeValue(value) ? series.set(value) : this.#reject(name)),
          add: (amount) => (Number.isFinite(amount) ? series.inc(amount) : this.#reject(name)),
        };
      };
      return { metric, createSeries };
    });
  }

  histogram<Name extends string = never>(
    options: HistogramOptions<Name>,
  ): Histogram & Family<Histogram, Name> {
    return this.#family<Histogram, Name>('histogram', options, (name, labelNames, parts) => {
      const { help, buckets } = options;
      const configuration = { name, help, labelNames, ...(buckets && { buckets: [...buckets] }) };
      const metric = new SplitMetric(name, () => new prom.Histogram({ ...configuration, registers: [] }));
      const createSeries = (labels: Record<string, string>): Histogram => {
        const series = metric.next().labels(labels);
        const observed: ObservedSeries = { ...parts, labels };
        return {
          observe: (value) => {
            if (!Number.isFinite(value)) return this.#reject(name);
            series.observe(value);
            for (const listener of this.#listeners) listener(observed, value);
          },
        };
      };
      return { metric, createSeries };
    });
  }

  /** Adds a listener for observations; returns a function that removes it. */
  onObservation(listener: ObservationListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async *families(): AsyncGenerator<FamilySnapshot> {
    const ofProcess = await processMetrics().read();
    for (const name of [...this.#families.keys(), ...ofProcess.keys()].sort()) {
      const family = this.#families.get(name)?.snapshot ?? ofProcess.get(name);
      if (family !== undefined) yield family;
    }
  }

  #family<Instrument extends object, Name extends string>(
    type: 'counter' | 'gauge' | 'histogram',
    options: HistogramOptions<Name>,
    create: (name: string, labelNames: string[], parts: FamilyParts) => NewFamily<Instrument>,
  ): Instrument & Family<Instrument, Name> {
    const { labelNames = [] } = options;
    const parts = ownParts(options);
    const name = nameOf(parts);
    const definition = JSON.stringify([type, labelNames, options.buckets]);
    const existing = this.#families.get(name);
    if (existing?.definition === definition)
      return existing.instrument as Instrument & Family<Instrument, Name>;
    if (existing !== undefined) {
      throw new AgentError(
        'METRIC_INVALID',
        `cannot create metric '${name}': it exists with another type, other labels or other buckets`,
      );
    }
    checkDefinition(name, options, processMetrics().has(name));
    checkSeriesNames(name, type, (other) => this.#families.get(other)?.snapshot.type);

    const { metric, createSeries } = create(name, [...labelNames], parts);
    const family = new LabelledFamily(
      name,
      labelNames,
      createSeries,
      UNLIMITED.has(name) ? Infinity : this.#maxSeries,
      () => this.#dropped.with({ family: name }).inc(),
    );
    const instrument = Object.assign(
      labelNames.length === 0 ? family.with({}) : instrumentNeedingLabels(name),
      { with: (labels: Labels) => family.with(labels) },
    ) as unknown as Instrument & Family<Instrument, Name>;
    const snapshot = { name, help: options.help, type, parts, slices: () => metric.slices() };
    this.#families.set(name, { snapshot, definition, instrument });
    return instrument;
  }

  #reject(family: string): void {
    this.#rejected.with({ family }).inc();
  }
}

/** Plugins may be JavaScript, so the argument can be of any type. */
function isCount(amount: unknown): boolean {
  return typeof amount === 'number' && amount >= 0 && amount < Infinity;
}

function isGaugeValue(value: unknown): boolean {
  return typeof value === 'number' && !Number.isNaN(value);
}
