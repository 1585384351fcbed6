// Compares what the agent relays to StatsD with what a node sends itself with provider `statsd`.

import type { Recording } from '../recording-statsd.js';

/** What is not of Fabric: of the runtime and of libraries, which a node with `statsd` sends in another form or not at all, and of the agent. */
const OTHER = /^[^.]+\.(?:go|process|promhttp|etcd|fabric_ops_agent)[._]/;

/** Levels of log lines, and results of deliver requests, that depend on chance: whether a client connects while there is no leader. */
const CHANCE =
  /\.logging\.entries_\w+\.(?:warn|error)\||\.deliver\.requests_completed\.|\.orderer_AtomicBroadcast\.Deliver\.(?:OK|Canceled)\|/;
/** Values that depend on how often a client has to connect while there is no leader, and on the number of log lines. */
const ANY_VALUE = /\.deliver\.|\.conn_|\.orderer_AtomicBroadcast\.Deliver|\.logging\./;

/** The buckets of Fabric that do not depend on chance, as `bucket|type` in alphabetical order. */
export function fabricBuckets({ lines }: Recording): string[] {
  return [...lines.keys()].filter((bucket) => !OTHER.test(bucket) && !CHANCE.test(bucket)).toSorted();
}

/**
 * The values of the buckets of Fabric that the same traffic makes equal: the sum of a counter, the number of timings, the last value
 * of a gauge.
 */
export function comparableValues(recording: Recording): ReadonlyMap<string, number | undefined> {
  const { counters, values, lines } = recording;
  const buckets = fabricBuckets(recording).filter((bucket) => !ANY_VALUE.test(bucket));
  return new Map(
    buckets.map((bucket) => {
      const [name = '', type] = bucket.split('|');
      if (type === 'g') return [bucket, values(name, 'g').at(-1)];
      return [bucket, type === 'c' ? counters.get(name) : lines.get(bucket)];
    }),
  );
}

/** The variables of a node that sends its metrics to a daemon itself. */
export function statsdVariables(
  kind: 'orderer' | 'peer',
  port: number,
  prefix: string,
): Record<string, string> {
  const values = {
    PROVIDER: 'statsd',
    STATSD_ADDRESS: `127.0.0.1:${port}`,
    STATSD_WRITEINTERVAL: '1s',
    STATSD_PREFIX: prefix,
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [PREFIXES[kind] + name, value]));
}

/** The variables of a node that serves its metrics. */
export function prometheusVariables(kind: 'orderer' | 'peer'): Record<string, string> {
  return { [`${PREFIXES[kind]}PROVIDER`]: 'prometheus' };
}

const PREFIXES = { peer: 'CORE_METRICS_', orderer: 'ORDERER_METRICS_' } as const;
