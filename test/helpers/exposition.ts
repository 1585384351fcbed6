import type { MetricReader } from '../../core/contract/index.js';
import { render } from '../../plugins/metrics/prometheus/exposition.js';

/** All metrics in the Prometheus text format. */
export async function textOf(reader: MetricReader): Promise<string> {
  return (await render(reader, 'text')).body.toString();
}
