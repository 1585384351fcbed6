// The metric of the channels at the Admin endpoint.

import type { MetricFactory } from '../../../core/contract/index.js';
import type { ChannelInfo } from './channels.js';

/** The heights of one instance. */
export interface Heights {
  /** Replaces the channels in the metric. */
  show(channels: readonly Pick<ChannelInfo, 'name' | 'height'>[]): void;
}

/** Creates the metric. */
export function createHeights(metrics: MetricFactory, component: string): Heights {
  const gauge = metrics.gauge({
    namespace: 'participation',
    name: 'channel_height',
    help: 'Number of blocks of the channel at the Admin endpoint of the orderer.',
    labelNames: ['component', 'channel'],
  });
  let shown = new Set<string>();
  return {
    show(channels) {
      for (const { name: channel, height } of channels) gauge.with({ component, channel }).set(height);
      const next = new Set(channels.map(({ name }) => name));
      for (const channel of shown) if (!next.has(channel)) gauge.remove({ component, channel });
      shown = next;
    },
  };
}
