// Performance data of a command as gauges.

import type { MetricFactory } from '../../../core/contract/index.js';
import type { PerformanceValue } from './output.js';

/** Shows performance data as gauges; the series of a value ends when the next data does not contain it. */
export function createGauges(
  metrics: MetricFactory,
  component: string,
): (data: readonly PerformanceValue[]) => void {
  const gauge = metrics.gauge({
    namespace: 'exec',
    name: 'value',
    help: 'Performance data of a command, in seconds, bytes or as a ratio where its unit allows it.',
    labelNames: ['component', 'label', 'unit'],
  });
  let shown: readonly PerformanceValue[] = [];
  return (data) => {
    const isShown = new Set(data.map(({ label, unit }) => `${label} ${unit}`));
    for (const { label, unit } of shown)
      if (!isShown.has(`${label} ${unit}`)) gauge.remove({ component, label, unit });
    for (const { label, unit, value } of data) gauge.with({ component, label, unit }).set(value);
    shown = data;
  };
}
