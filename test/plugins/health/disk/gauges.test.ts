// The metrics of file systems.

import test from 'ava';
import { MetricStore } from '../../../../core/metrics/index.js';
import { createGauges } from '../../../../plugins/health/disk/gauges.js';
import { valuesOf } from '../../../helpers/snapshot.js';

const HOUR = 3_600_000;
const SPACE = { device: 1, bytes: 4000, freeBytes: 1000, inodes: 50, freeInodes: 20 };
const FAMILIES = [
  'size_bytes',
  'free_bytes',
  'inodes',
  'free_inodes',
  'growth_bytes_per_day',
  'seconds_until_full',
  'wal_needed_bytes',
] as const;

/** The value of each family for a path; undefined: it has no series. */
async function shown(store: MetricStore, path: string): Promise<readonly (number | undefined)[]> {
  const values = await Promise.all(FAMILIES.map((name) => valuesOf(store, `fabric_ops_agent_disk_${name}`)));
  return values.map((series) => series.find(({ labels }) => labels['path'] === path)?.value);
}

for (const [what, growth, wals, values] of [
  ['of unknown growth', undefined, undefined, [undefined, undefined, undefined]],
  ['that grows by 500 bytes an hour', 500 / HOUR, undefined, [12_000, 7200, undefined]],
  ['that does not grow', 0, undefined, [0, undefined, undefined]],
  ['that shrinks', -500 / HOUR, undefined, [-12_000, undefined, undefined]],
  [
    'with the WALs of two channels',
    undefined,
    [{ channel: 'a' }, { channel: 'b' }],
    [undefined, undefined, 256e6],
  ],
  ['for WALs, without channels', undefined, [], [undefined, undefined, 128e6]],
] as const)
  test(`a file system ${what} has the growth, the time until it is full and the needs of WALs ${values.join(', ')}`, async (t) => {
    const store = new MetricStore(100);
    createGauges(store).show('/data', { space: SPACE, growth, wals });
    t.deepEqual(await shown(store, '/data'), [4000, 1000, 50, 20, ...values]);
  });

test('a value that is no longer known has no series, and neither has a path that cannot be read', async (t) => {
  const store = new MetricStore(100);
  const gauges = createGauges(store);
  for (const path of ['/a', '/b']) gauges.show(path, { space: SPACE, growth: 500 / HOUR, wals: [] });
  gauges.show('/a', { space: SPACE, growth: undefined, wals: undefined });
  gauges.end('/b');
  t.deepEqual(await shown(store, '/a'), [4000, 1000, 50, 20, undefined, undefined, undefined]);
  t.deepEqual(
    await shown(store, '/b'),
    FAMILIES.map(() => undefined),
  );
});
