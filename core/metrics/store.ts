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
import { LabelledFamily, noInstrument, type SeriesOf } from './labelled-family.js';

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

interface KnownFamily {
  readonly parts: FamilyParts;
  /** Everything that two definitions of one family must have in common. */
  readonly definition: string;
  readonly instrument: unknown;
}

const REJECTED = 'metrics_rejected_total';
const DROPPED = 'metrics_series_dropped_total';
const BOOKKEEPING = new Set([REJECTED, DROPPED]);

/** How long, in milliseconds, one reading of the process metrics serves: reading resets what Node measures of the event loop. */
const PROCESS_MAX_AGE = 500;

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
      name: REJECTED,
      help: 'Values left out because no metric can hold them (NaN, infinite, a negative count).',
      labelNames: ['family'],
    });
    this.#dropped = this.counter({
      name: DROPPED,
      help: 'Calls for a new series left out because the family has as many as are allowed.',
      labelNames: ['family'],
    });
    processMetrics ??= new ProcessMetrics();
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
          inc: (amount = 1) => (isCount(amount) ? series.inc(amount) : this.#reject(name)),
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
          set: (value) => (isGaugeValue(value) ? series.set(value) : this.#reject(name)),
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

  /** Every family with its present values, sorted by name. Other work may go on between two of them. */
  async *families(): AsyncGenerator<FamilySnapshot> {
    processMetrics ??= new ProcessMetrics();
    const ofProcess = await processMetrics.read();
    for (const name of [...this.#families.keys(), ...ofProcess.keys()].sort()) {
      const known = this.#families.get(name);
      const metric = this.#registry.getSingleMetric(name);
      if (known !== undefined && metric !== undefined) yield await snapshot(metric, known.parts);
      else if (ofProcess.has(name)) yield ofProcess.get(name) as FamilySnapshot;
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
    checkDefinition(name, options.help, labelNames, options.buckets);

    const parts = { namespace, subsystem, name: options.name };
    const family = new LabelledFamily(
      name,
      labelNames,
      create(name, [...labelNames], parts),
      // The families that count what was left out are bounded by the number of families.
      BOOKKEEPING.has(name) ? Infinity : this.#maxSeries,
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

/** Plugins are JavaScript: what their types say may not be so. */
function isCount(amount: unknown): boolean {
  return typeof amount === 'number' && amount >= 0 && amount < Infinity;
}

function isGaugeValue(value: unknown): boolean {
  return typeof value === 'number' && !Number.isNaN(value);
}

function checkDefinition(
  name: string,
  help: unknown,
  labelNames: readonly string[],
  buckets: readonly number[] = [],
): void {
  const fail = (what: string): never => {
    throw new AgentError('METRIC_INVALID', `cannot create metric '${name}': ${what}`);
  };
  if (typeof help !== 'string' || help === '') fail('its help is not a text');
  if (processMetrics?.has(name) === true) fail('the name is taken by a metric of the process');
  const reserved = labelNames.find((label) => label.startsWith('__'));
  if (reserved !== undefined) fail(`label '${reserved}' is reserved, as is every name that begins with __`);
  const twice = labelNames.find((label, index) => labelNames.indexOf(label) !== index);
  if (twice !== undefined) fail(`label '${twice}' is declared twice`);
  if (buckets.some((bound, index) => !(bound > (buckets[index - 1] ?? -Infinity) && bound < Infinity)))
    fail('its buckets are not finite numbers in ascending order');
}

/** Reads a metric of prom-client. Histograms have a cheaper form for this than the public one. */
async function snapshot(metric: prom.Metric, parts: FamilyParts): Promise<FamilySnapshot> {
  const readable = metric as PromMetric & { getForPromString?: () => Promise<unknown> };
  const read = await (readable.getForPromString?.() ?? readable.get());
  const { name, help, type, values } = read as Omit<FamilySnapshot, 'parts'>;
  return { name, help, type, parts, values };
}

/** What prom-client measures of the process and of Node.js. */
class ProcessMetrics {
  readonly #registry = new prom.Registry();
  #reading: Promise<ReadonlyMap<string, FamilySnapshot>> | undefined;
  #readAt = -Infinity;

  constructor() {
    prom.collectDefaultMetrics({ register: this.#registry });
  }

  has(name: string): boolean {
    return this.#registry.getSingleMetric(name) !== undefined;
  }

  /** The families by name. */
  read(): Promise<ReadonlyMap<string, FamilySnapshot>> {
    const now = performance.now();
    if (this.#reading === undefined || now - this.#readAt > PROCESS_MAX_AGE) {
      this.#readAt = now;
      this.#reading = this.#readAll();
    }
    return this.#reading;
  }

  /** In the order prom-client made them: reading the first of a group sets the values of the others. */
  async #readAll(): Promise<ReadonlyMap<string, FamilySnapshot>> {
    const families = new Map<string, FamilySnapshot>();
    for (const metric of this.#registry.getMetricsAsArray() as unknown as prom.Metric[]) {
      const { name } = metric as unknown as { name: string };
      try {
        const family = await snapshot(metric, { namespace: '', subsystem: '', name });
        families.set(name, { ...family, values: family.values.filter(isMeasured) });
      } catch {
        // One family that cannot be read (on an odd system) must not cost the others.
      }
    }
    return families;
  }
}

/** Whether Node measured anything: the mean of nothing is NaN, its minimum the longest time there is. */
function isMeasured({ value }: SeriesValue): boolean {
  return !Number.isNaN(value) && value !== 2 ** 63 / 1e9;
}

/** There is one process, however many stores, and prom-client never lets go of what it observes. */
let processMetrics: ProcessMetrics | undefined;
