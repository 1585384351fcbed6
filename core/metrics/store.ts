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
import { checkDefinition } from './definition.js';
import type { FamilyParts, FamilySnapshot, ObservationListener, SeriesValue } from './family.js';
import { LabelledFamily, noInstrument, type SeriesOf } from './labelled-family.js';

type PromMetric = prom.Counter | prom.Gauge | prom.Histogram;

interface KnownFamily {
  readonly snapshot: FamilySnapshot;
  /** Everything that two definitions of one family must have in common. */
  readonly definition: string;
  readonly instrument: unknown;
}

/** What a family is made of. */
interface NewFamily<Instrument> {
  readonly metrics: readonly PromMetric[];
  readonly seriesOf: SeriesOf<Instrument>;
}

const REJECTED = 'metrics_rejected_total';
const DROPPED = 'metrics_series_dropped_total';
const BOOKKEEPING = new Set([REJECTED, DROPPED]);

/** How many series one metric of prom-client holds: it reads all of them in one go. */
const SERIES_PER_METRIC = 256;

/** How long, in milliseconds, one reading of the process metrics serves: reading resets what Node measures of the event loop. */
const PROCESS_MAX_AGE = 500;

/** Instruments and their values. One store for each agent; the process-wide registry of prom-client is never used. */
export class MetricStore implements MetricFactory {
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
      const metric = new SplitMetric(
        name,
        () => new prom.Counter({ name, help: options.help, labelNames, registers: [] }),
      );
      const seriesOf = (labels: Record<string, string>): Counter => {
        const series = metric.next().labels(labels);
        return {
          inc: (amount = 1) => (isCount(amount) ? series.inc(amount) : this.#reject(name)),
        };
      };
      return { metrics: metric.all, seriesOf };
    });
  }

  gauge<Name extends string = never>(options: FamilyOptions<Name>): Gauge & Family<Gauge, Name> {
    return this.#family<Gauge, Name>('gauge', options, (name, labelNames) => {
      const metric = new SplitMetric(
        name,
        () => new prom.Gauge({ name, help: options.help, labelNames, registers: [] }),
      );
      const seriesOf = (labels: Record<string, string>): Gauge => {
        const series = metric.next().labels(labels);
        return {
          set: (value) => (isGaugeValue(value) ? series.set(value) : this.#reject(name)),
          add: (amount) => (Number.isFinite(amount) ? series.inc(amount) : this.#reject(name)),
        };
      };
      return { metrics: metric.all, seriesOf };
    });
  }

  histogram<Name extends string = never>(
    options: HistogramOptions<Name>,
  ): Histogram & Family<Histogram, Name> {
    return this.#family<Histogram, Name>('histogram', options, (name, labelNames, parts) => {
      const { help, buckets } = options;
      const own = { name, help, labelNames, ...(buckets && { buckets: [...buckets] }) };
      const metric = new SplitMetric(name, () => new prom.Histogram({ ...own, registers: [] }));
      const seriesOf = (labels: Record<string, string>): Histogram => {
        const series = metric.next().labels(labels);
        const observed = { ...parts, labels };
        return {
          observe: (value) => {
            if (!Number.isFinite(value)) return this.#reject(name);
            series.observe(value);
            for (const listener of this.#listeners) listener(observed, value);
          },
        };
      };
      return { metrics: metric.all, seriesOf };
    });
  }

  /** Calls a listener with every observation from now on; the result ends that. */
  onObservation(listener: ObservationListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Every family, sorted by name. Other work may go on between two of them. */
  async *families(): AsyncGenerator<FamilySnapshot> {
    processMetrics ??= new ProcessMetrics();
    const ofProcess = await processMetrics.read();
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
    checkDefinition(name, options, processMetrics?.has(name) === true);

    const parts = { namespace, subsystem, name: options.name };
    const { metrics, seriesOf } = create(name, [...labelNames], parts);
    const family = new LabelledFamily(
      name,
      labelNames,
      seriesOf,
      // The families that count what was left out are bounded by the number of families.
      BOOKKEEPING.has(name) ? Infinity : this.#maxSeries,
      () => this.#dropped.with({ family: name }).inc(),
    );
    const instrument = Object.assign(labelNames.length === 0 ? family.with({}) : noInstrument(name), {
      with: (labels: Labels) => family.with(labels),
    }) as unknown as Instrument & Family<Instrument, Name>;
    const snapshot = { name, help: options.help, type, parts, slices: () => readAll(metrics) };
    this.#families.set(name, { snapshot, definition, instrument });
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

/** The metrics of prom-client that hold one family, so that it can be read a few series at a time. */
class SplitMetric<Metric extends PromMetric> {
  readonly #create: () => Metric;
  readonly #all: Metric[];
  #room = SERIES_PER_METRIC;

  /** @throws AgentError `METRIC_INVALID` when prom-client refuses the definition */
  constructor(name: string, create: () => Metric) {
    this.#create = create;
    try {
      this.#all = [create()];
    } catch (error) {
      throw new AgentError('METRIC_INVALID', `cannot create metric '${name}': ${reasonOf(error)}`, {
        cause: error,
      });
    }
  }

  get all(): readonly Metric[] {
    return this.#all;
  }

  /** The one that a new series goes to. */
  next(): Metric {
    if (this.#room === 0) {
      this.#all.push(this.#create());
      this.#room = SERIES_PER_METRIC;
    }
    this.#room -= 1;
    return this.#all.at(-1) as Metric;
  }
}

async function* readAll(metrics: readonly PromMetric[]): AsyncGenerator<readonly SeriesValue[]> {
  for (const metric of metrics) yield (await read(metric)).values;
}

/** Reads a metric of prom-client. Histograms have a cheaper form for this than the public one. */
async function read(
  metric: prom.Metric,
): Promise<Pick<FamilySnapshot, 'help' | 'type'> & { values: readonly SeriesValue[] }> {
  const readable = metric as PromMetric & { getForPromString?: () => Promise<never> };
  return (await (readable.getForPromString?.() ?? readable.get())) as never;
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
        const { help, type, values } = await read(metric);
        const measured = values.filter(isMeasured);
        const parts = { namespace: '', subsystem: '', name };
        families.set(name, {
          name,
          help,
          type,
          parts,
          slices: async function* () {
            yield measured;
          },
        });
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
