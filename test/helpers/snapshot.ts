import type { MetricStore } from '../../core/metrics/index.js';
import type { SeriesValue } from '../../core/contract/metric-sink.js';

/** The present values of one family; none when the store does not have it. */
export async function valuesOf(store: MetricStore, name: string): Promise<readonly SeriesValue[]> {
  const values: SeriesValue[] = [];
  for await (const family of store.families()) if (family.name === name) values.push(...family.values());
  return values;
}
