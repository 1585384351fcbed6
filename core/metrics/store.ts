// The metrics of the agent: creates instruments in a registry of prom-client, and reads them.

import * as prom from 'prom-client';
import {
  AgentError,
  createYielder,
  reasonOf,
  type Counter,
  type FamilySnapshot,
  type Gauge,
  type Histogram,
  type Labels,
  type MetricFactory,
  type MetricReader,
} from '../contract/index.js';
import type { Family, FamilyOptions, GaugeFamily, HistogramOptions } from '../contract/instruments.js';
import type { FamilyParts, SeriesValue } from '../contract/metric-sink.js';
import { checkDefinition, checkSeriesNames, nameOf, ownParts } from './definition.js';
import { instrumentNeedingLabels, LabelledFamily, type CreateSeries } from './labelled-family.js';
import { processMetrics } from './process-metrics.js';

/** The histogram series of an observation. */
export interface ObservedSeries extends FamilyParts {
  readonly labels: Labels;
}

/** Called with every observation. A series is the same object in every call. */
type ObservationListener = (series: ObservedSeries, value: number) => void;

interface RegisteredFamily {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly parts: FamilyParts;
  /** Type, labels and buckets, which must be equal when a family is defined again. */
  readonly definition: string;
  readonly instrument: unknown;
}

/** The configuration of a metric of prom-client. */
interface MetricConfiguration {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  readonly registers: prom.Registry[];
}

const REJECTED = { namespace: 'metrics', name: 'rejected_total' };
const DROPPED = { namespace: 'metrics', name: 'series_dropped_total' };
/** The families without a limit. They have one series per family, so the number of families limits them. */
const UNLIMITED = new Set([REJECTED, DROPPED].map((family) => nameOf(ownParts(family))));

/** Instruments and their values. Each agent has one store; the global registry of prom-client is not used. */
export class MetricStore implements MetricFactory, MetricReader {
  readonly #maxSeries: number;
  readonly #registry = new prom.Registry();
  readonly #families = new Map<string, RegisteredFamily>();
  readonly #listeners = new Set<ObservationListener>();
  /** By gauge, the function that removes its series. */
  readonly #removals = new WeakMap<object, () => void>();
  readonly #rejected: Family<Counter, 'family'>;
  readonly #dropped: Family<Counter, 'family'>;

  /** @param maxSeries maximum number of series of one family */
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
    return this.#family<Counter, Name>('counter', options, (configuration) => {
      const metric = new prom.Counter(configuration);
      return (labels) => {
        const series = metric.labels(labels);
        return {
          inc: (amount = 1) => (isCount(amount) ? series.inc(amount) : this.#reject(configuration.name)),
        };
      };
    });
  }

  gauge<Name extends string = never>(options: FamilyOptions<Name>): Gauge & GaugeFamily<Name> {
    const family = this.#family<Gauge, Name>('gauge', options, (configuration) => {
      const metric = new prom.Gauge(configuration);
      const reject = (): void => this.#reject(configuration.name);
      return (labels) => {
        const series = metric.labels(labels);
        const gauge: Gauge = {
          set: (value) => (isGaugeValue(value) ? series.set(value) : reject()),
          add: (amount) => (Number.isFinite(amount) ? series.inc(amount) : reject()),
        };
        this.#removals.set(gauge, () => {
          const ignore = (): void => undefined;
          Object.assign(gauge, { set: ignore, add: ignore });
          metric.remove(labels);
        });
        return gauge;
      };
    });
    return family as Gauge & GaugeFamily<Name>;
  }

  histogram<Name extends string = never>(
    options: HistogramOptions<Name>,
  ): Histogram & Family<Histogram, Name> {
    const { buckets } = options;
    return this.#family<Histogram, Name>('histogram', options, (configuration, parts) => {
      const metric = new prom.Histogram({ ...configuration, ...(buckets && { buckets: [...buckets] }) });
      return (labels) => {
        const series = metric.labels(labels);
        const observed: ObservedSeries = { ...parts, labels };
        return {
          observe: (value) => {
            if (!Number.isFinite(value)) return this.#reject(configuration.name);
            series.observe(value);
            for (const listener of this.#listeners) listener(observed, value);
          },
        };
      };
    });
  }

  /** Adds a listener for observations; returns a function that removes it. */
  onObservation(listener: ObservationListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Returns true if there is a family with this name. */
  has(name: string): boolean {
    return this.#families.has(name) || processMetrics().has(name);
  }

  /** Does not use `getMetricsAsJSON` of prom-client, which reads all families in one turn of the event loop. */
  async *families(): AsyncGenerator<FamilySnapshot> {
    const yieldIfDue = createYielder(1);
    for (const [name, { type, parts }] of this.#families) {
      const { help, values } = await (this.#registry.getSingleMetric(name) as prom.Metric).get();
      yield { name, help, type, parts, values: () => values as Iterable<SeriesValue> };
      await yieldIfDue();
    }
    yield* await processMetrics().families();
  }

  #family<Instrument extends object, Name extends string>(
    type: RegisteredFamily['type'],
    options: HistogramOptions<Name>,
    create: (configuration: MetricConfiguration, parts: FamilyParts) => CreateSeries<Instrument>,
  ): Instrument & Family<Instrument, Name> {
    const { help, labelNames = [] } = options;
    const parts = ownParts(options);
    const name = nameOf(parts);
    const definition = JSON.stringify([type, labelNames, options.buckets]);
    const existing = this.#families.get(name);
    if (existing?.definition === definition)
      return existing.instrument as Instrument & Family<Instrument, Name>;
    const fail = (reason: string, cause?: unknown): never => {
      throw new AgentError('METRIC_INVALID', `cannot create metric '${name}': ${reason}`, { cause });
    };
    if (existing !== undefined) fail('it exists with another type, other labels or other buckets');
    checkDefinition(name, options, processMetrics().has(name));
    checkSeriesNames(name, type, (other) => this.#families.get(other)?.type);

    const configuration = { name, help, labelNames: [...labelNames], registers: [this.#registry] };
    let createSeries: CreateSeries<Instrument>;
    try {
      createSeries = create(configuration, parts);
    } catch (error) {
      return fail(reasonOf(error), error);
    }
    const family = new LabelledFamily(
      name,
      labelNames,
      createSeries,
      UNLIMITED.has(name) ? Infinity : this.#maxSeries,
      () => this.#dropped.with({ family: name }).inc(),
    );
    const instrument = Object.assign(
      labelNames.length === 0 ? family.with({}) : instrumentNeedingLabels(name),
      {
        with: (labels: Labels) => family.with(labels),
        ...(type === 'gauge' && {
          remove: (labels: Labels) => this.#removals.get(family.remove(labels) ?? family)?.(),
        }),
      },
    ) as unknown as Instrument & Family<Instrument, Name>;
    this.#families.set(name, { type, parts, definition, instrument });
    return instrument;
  }

  #reject(family: string): void {
    this.#rejected.with({ family }).inc();
  }
}

/** Returns true for a valid increment. Plugins may be JavaScript, so the argument can have any type. */
function isCount(amount: unknown): boolean {
  return typeof amount === 'number' && amount >= 0 && amount < Infinity;
}

function isGaugeValue(value: unknown): boolean {
  return typeof value === 'number' && !Number.isNaN(value);
}
