// The metric of the active silences, for alert rules.

import type { MetricFactory } from '../contract/index.js';
import type { Silence, Silences } from './silences.js';

/** Exposes the end of each active silence. The labels `node` and `channel` are empty if the silence covers all of them. */
export function measureSilences(silences: Silences, metrics: MetricFactory): void {
  const ends = metrics.gauge({
    namespace: 'silence',
    name: 'end_timestamp_seconds',
    help: 'When the silence ends, as a Unix timestamp; node and channel are empty if it covers all of them.',
    labelNames: ['channel', 'id', 'node'],
  });
  const labelsOf = ({ id, node = '', channel = '' }: Silence) => ({ channel, id, node });
  silences.subscribe({
    began: (silence) => ends.with(labelsOf(silence)).set(silence.until / 1000),
    ended: (silence) => ends.remove(labelsOf(silence)),
  });
}
