// Encodes a batch of totals as requests of OTLP in JSON: opentelemetry/proto/collector/metrics/v1/metrics_service.proto in the JSON
// mapping of Protocol Buffers, where 64-bit integers are strings.

import {
  createYielder,
  type HistogramGrowth,
  type MetricBatch,
  type Sample,
} from '../../../core/contract/index.js';
import type { SampleFamily, SampleSource } from '../../../core/contract/internal/index.js';

/** Most values of one request; a histogram counts once for each bucket. */
const MAX_VALUES = 5_000;
/** How many samples are encoded between two reads of the clock. */
const SAMPLES_PER_CHECK = 64;
/** AGGREGATION_TEMPORALITY_CUMULATIVE */
const CUMULATIVE = 2;

/** The identity of the agent. */
export interface Origin {
  /** `service.instance.id` of the agent. */
  readonly instance: string;
  /** Further attributes of every resource. */
  readonly attributes: Readonly<Record<string, string>>;
  /** When the values of the agent started at zero, in milliseconds since the epoch. */
  readonly startTime: number;
}

/** One request. */
export interface EncodedRequest {
  readonly body: string;
  /** The number of its data points. */
  readonly points: number;
}

type Kind = 'sum' | 'gauge' | 'histogram';

/** The data points of one family of one source. */
interface Metric {
  readonly kind: Kind;
  readonly points: string[];
}

/**
 * Encodes a batch. Other code can run in between.
 *
 * @param time the time of all values, in milliseconds since the epoch
 * @param dropped called with values that OTLP cannot represent
 */
export async function* encodeBatch(
  { counters, gauges, histograms }: MetricBatch,
  origin: Origin,
  time: number,
  dropped: (samples: number) => void,
): AsyncGenerator<EncodedRequest> {
  const yieldIfDue = createYielder(SAMPLES_PER_CHECK);
  let request = new RequestBuilder(origin);
  const kinds = [
    ['sum', counters],
    ['gauge', gauges],
    ['histogram', histograms],
  ] as const;
  for (const [kind, samples] of kinds) {
    for (const sample of samples) {
      const point = pointOf(kind, sample, origin, time);
      if (point === undefined) dropped(1);
      else request.add(kind, sample, point);
      if (request.values >= MAX_VALUES) {
        yield request.take();
        request = new RequestBuilder(origin);
      }
      const nextTurn = yieldIfDue();
      if (nextTurn !== undefined) await nextTurn;
    }
  }
  if (request.values > 0) yield request.take();
}

/** Collects data points by resource and family. */
class RequestBuilder {
  readonly #origin: Origin;
  readonly #resources = new Map<SampleSource | undefined, Map<SampleFamily, Metric>>();
  /** By joined name, for samples without a family. */
  readonly #unnamed = new Map<string, SampleFamily>();
  #points = 0;
  values = 0;

  constructor(origin: Origin) {
    this.#origin = origin;
  }

  add(kind: Kind, sample: Sample | HistogramGrowth, point: string): void {
    const family = sample.family ?? this.#familyOf(kind, sample);
    const metrics = getOrAdd(this.#resources, family.source, () => new Map<SampleFamily, Metric>());
    getOrAdd(metrics, family, () => ({ kind, points: [] })).points.push(point);
    this.#points += 1;
    this.values += 'bounds' in sample ? sample.bounds.length : 1;
  }

  take(): EncodedRequest {
    const resources = [...this.#resources].map(([source, metrics]) => {
      const encoded = [...metrics].map(([family, metric]) => encodeMetric(family, metric));
      const resource = `{"attributes":${attributes(resourceAttributes(source, this.#origin))}}`;
      return `{"resource":${resource},"scopeMetrics":[{"scope":{"name":"fabric-ops-agent"},"metrics":[${encoded.join()}]}]}`;
    });
    return { body: `{"resourceMetrics":[${resources.join()}]}`, points: this.#points };
  }

  #familyOf(kind: Kind, { namespace, subsystem, name }: Sample | HistogramGrowth): SampleFamily {
    const joined = [namespace, subsystem, name].filter((part) => part !== '').join('_');
    return getOrAdd(this.#unnamed, `${kind} ${joined}`, () => ({ name: joined, help: '' }));
  }
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const existing = map.get(key);
  if (existing !== undefined) return existing;
  const created = create();
  map.set(key, created);
  return created;
}

/** A node is a separate service; other sources are services on the host of the agent. */
function resourceAttributes(source: SampleSource | undefined, origin: Origin): [string, string][] {
  const { instance, attributes: further } = origin;
  const service =
    source === undefined
      ? ['fabric-ops-agent', instance]
      : source.nodeKind === undefined
        ? [source.name, instance]
        : [`fabric-${source.nodeKind}`, source.name];
  const [name = '', id = ''] = service;
  return [['service.name', name], ['service.instance.id', id], ...Object.entries(further)];
}

function encodeMetric({ name, help }: SampleFamily, { kind, points }: Metric): string {
  const temporality = kind === 'gauge' ? '' : `,"aggregationTemporality":${CUMULATIVE}`;
  const monotonic = kind === 'sum' ? ',"isMonotonic":true' : '';
  return `{"name":${quoted(name)},"description":${quoted(help)},"${kind}":{"dataPoints":[${points.join()}]${temporality}${monotonic}}}`;
}

/** A data point; undefined for a value that OTLP cannot represent. */
function pointOf(
  kind: Kind,
  sample: Sample | HistogramGrowth,
  origin: Origin,
  time: number,
): string | undefined {
  const start = sample.family?.source?.startTime;
  // The clock of another host may be ahead.
  const from = Math.min(start === undefined ? origin.startTime : start * 1000, time);
  const values = 'bounds' in sample ? histogramValues(sample) : numberValue(sample);
  if (values === undefined) return undefined;
  const startTime = kind === 'gauge' ? '' : `"startTimeUnixNano":"${nanoseconds(from)}",`;
  return `{"attributes":${attributes(Object.entries(sample.labels))},${startTime}"timeUnixNano":"${nanoseconds(time)}",${values}}`;
}

function numberValue({ value }: Sample): string | undefined {
  return Number.isFinite(value) ? `"asDouble":${value}` : undefined;
}

function histogramValues({ bounds, counts, sum, count }: HistogramGrowth): string | undefined {
  const isValid = [count, ...counts].every((each) => Number.isSafeInteger(each) && each >= 0);
  if (!isValid || !Number.isFinite(sum)) return undefined;
  const buckets = counts.map((each) => `"${each}"`);
  return `"count":"${count}","sum":${sum},"bucketCounts":[${buckets.join()}],"explicitBounds":[${bounds.slice(0, -1).join()}]`;
}

function attributes(entries: readonly (readonly [string, string | number | boolean])[]): string {
  const encoded = entries.map(
    ([key, value]) => `{"key":${quoted(key)},"value":{"stringValue":${quoted(String(value))}}}`,
  );
  return `[${encoded.join()}]`;
}

/** A JSON string. Half a surrogate pair is not valid in Protocol Buffers. */
function quoted(text: string): string {
  return JSON.stringify(text.toWellFormed());
}

/** @param time in milliseconds */
function nanoseconds(time: number): string {
  return `${Math.round(time)}000000`;
}
