// The metrics of the file systems.

import type { MetricFactory } from '../../../core/contract/index.js';
import type { Space } from './space.js';

/** The metrics of one instance. */
export interface DiskGauges {
  show(path: string, space: Space): void;
  /** Ends the series of a path that cannot be read. */
  end(path: string): void;
}

/** Creates the metrics. */
export function createGauges(metrics: MetricFactory): DiskGauges {
  const gauge = (name: string, help: string) =>
    metrics.gauge({ namespace: 'disk', name, help, labelNames: ['path'] });
  const gauges = {
    bytes: gauge('size_bytes', 'Size of the file system of the path.'),
    freeBytes: gauge(
      'free_bytes',
      'Free space of the file system of the path, without what only root may use.',
    ),
    inodes: gauge('inodes', 'Inodes of the file system of the path; 0 when their number is not fixed.'),
    freeInodes: gauge('free_inodes', 'Free inodes of the file system of the path.'),
  };
  return {
    show(path, space) {
      for (const name of ['bytes', 'freeBytes', 'inodes', 'freeInodes'] as const)
        gauges[name].with({ path }).set(space[name]);
    },
    end(path) {
      for (const each of Object.values(gauges)) each.remove({ path });
    },
  };
}
