// The prom-client metrics behind one family.

import type * as prom from '#prom-client';
import { AgentError, reasonOf, type FamilySnapshot, type SeriesValue } from '../contract/index.js';

/** Any metric of prom-client that the store creates. */
export type PromMetric = prom.Counter | prom.Gauge | prom.Histogram;

/** How many series one prom-client metric holds, since prom-client reads a metric in one synchronous step. */
const SERIES_PER_METRIC = 256;

/** One family, split over several prom-client metrics so that it can be read in slices. */
export class SplitMetric<Metric extends PromMetric> {
  readonly #create: () => Metric;
  readonly #metrics: Metric[];
  /** How many more series the last metric can hold. */
  #free = SERIES_PER_METRIC;
  /** Metrics that a series was removed from, once for each of those series. */
  readonly #released: Metric[] = [];

  /** @throws AgentError `METRIC_INVALID` when prom-client rejects the definition */
  constructor(name: string, create: () => Metric) {
    this.#create = create;
    try {
      this.#metrics = [create()];
    } catch (error) {
      throw new AgentError('METRIC_INVALID', `cannot create metric '${name}': ${reasonOf(error)}`, {
        cause: error,
      });
    }
  }

  /** The metric to add a new series to. */
  next(): Metric {
    const released = this.#released.pop();
    if (released !== undefined) return released;
    if (this.#free === 0) {
      this.#metrics.push(this.#create());
      this.#free = SERIES_PER_METRIC;
    }
    this.#free -= 1;
    return this.#metrics.at(-1) as Metric;
  }

  /** Removes a series from the metric that it was added to. */
  remove(metric: Metric, labels: Record<string, string>): void {
    metric.remove(labels);
    this.#released.push(metric);
  }

  /** The values of one metric after the other. */
  async *slices(): AsyncGenerator<readonly SeriesValue[]> {
    for (const metric of this.#metrics) yield (await readMetric(metric)).values;
  }
}

/** Reads a metric of prom-client. For histograms `getForPromString` is cheaper than the public `get`. */
export async function readMetric(
  metric: prom.Metric,
): Promise<Pick<FamilySnapshot, 'help' | 'type'> & { values: readonly SeriesValue[] }> {
  const readable = metric as PromMetric & { getForPromString?: () => Promise<never> };
  return (await (readable.getForPromString?.() ?? readable.get())) as never;
}
