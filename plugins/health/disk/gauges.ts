// The metrics of the file systems.

import type { MetricFactory } from '../../../core/contract/index.js';
import { untilFull, walNeeds, type FileSystem } from './judge.js';

const DAY = 86_400_000;

/** The metrics of one instance. */
interface DiskGauges {
  show(path: string, system: FileSystem): void;
  /** Ends the series of a path that cannot be read. */
  end(path: string): void;
}

/** Creates the metrics. */
export function createGauges(metrics: MetricFactory): DiskGauges {
  const gauge = (name: string, help: string, value: (system: FileSystem) => number | undefined) => ({
    value,
    values: metrics.gauge({ namespace: 'disk', name, help, labelNames: ['path'] }),
  });
  const all = [
    gauge('size_bytes', 'Size of the file system of the path.', ({ space }) => space.bytes),
    gauge(
      'free_bytes',
      'Free space of the file system of the path, without the space reserved for root.',
      ({ space }) => space.freeBytes,
    ),
    gauge(
      'inodes',
      'Inodes of the file system of the path; 0 when their number is not fixed.',
      ({ space }) => space.inodes,
    ),
    gauge('free_inodes', 'Free inodes of the file system of the path.', ({ space }) => space.freeInodes),
    gauge(
      'growth_bytes_per_day',
      'Growth of the used space of the file system of the path, in bytes per day.',
      ({ growth }) => growth && growth * DAY,
    ),
    gauge(
      'seconds_until_full',
      'Seconds until the file system of the path is full at its current growth.',
      (system) => {
        const left = untilFull(system);
        return left && left / 1000;
      },
    ),
    gauge(
      'wal_needed_bytes',
      'Bytes that the raft WALs of the orderer in the file system of the path can need: the next segment of each channel and a new channel.',
      ({ wals }) => wals && walNeeds(wals),
    ),
  ];
  return {
    show(path, system) {
      for (const { value, values } of all) {
        const current = value(system);
        if (current === undefined) values.remove({ path });
        else values.with({ path }).set(current);
      }
    },
    end(path) {
      for (const { values } of all) values.remove({ path });
    },
  };
}
