// The metrics of the orderers of a peer. Series end when their channel or orderer is removed.

import type { MetricFactory } from '../../../core/contract/index.js';
import { highestOf, lagOf, type LinkReport } from './judge.js';

/** The metrics of one instance. */
interface LinkGauges {
  /** Replaces the links in the metrics. */
  show(links: readonly LinkReport[]): void;
}

/** Creates the metrics. @param component the name of the instance */
export function createGauges(metrics: MetricFactory, component: string): LinkGauges {
  const common = { namespace: 'orderer_link' } as const;
  const up = metrics.gauge({
    ...common,
    name: 'up',
    help: 'Whether the orderer serves the peer in the channel: 1 if it does, else 0.',
    labelNames: ['component', 'channel', 'orderer'],
  });
  const height = metrics.gauge({
    ...common,
    name: 'channel_height',
    help: 'Number of blocks of the channel at the highest orderer.',
    labelNames: ['component', 'channel'],
  });
  const lag = metrics.gauge({
    ...common,
    name: 'lag',
    help: 'Number of blocks by which the ledger of the peer is behind the highest orderer.',
    labelNames: ['component', 'channel'],
  });
  let ends = new Map<string, () => void>();
  return {
    show(links) {
      const next = new Map<string, () => void>();
      for (const link of links) {
        const { channel, responses } = link;
        for (const response of responses) {
          if ('isUnseen' in response && response.isUnseen) continue;
          const labels = { component, channel, orderer: response.address };
          up.with(labels).set('height' in response ? 1 : 0);
          next.set(JSON.stringify([channel, response.address]), () => up.remove(labels));
        }
        const highest = highestOf(link);
        if (highest === undefined) continue;
        const labels = { component, channel };
        height.with(labels).set(Number(highest));
        lag.with(labels).set(lagOf(link) ?? 0);
        next.set(JSON.stringify([channel]), () => {
          height.remove(labels);
          lag.remove(labels);
        });
      }
      for (const [key, end] of ends) if (!next.has(key)) end();
      ends = next;
    },
  };
}
