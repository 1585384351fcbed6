// For plugins that monitor a Fabric node: the options of its operations endpoint, and its current metrics.

import type { OptionSchema, OptionValues, SourceReading, SourceReadings } from '../contract/index.js';
import { warningAfter } from '../contract/internal/index.js';
import { checkClientCertificate, TLS_OPTIONS } from './tls.js';

/** Largest body of `/metrics`, in bytes. */
export const MAX_METRICS_SIZE = 8 * 1024 * 1024;

/** The address of the operations endpoint, and its TLS. */
export const OPERATIONS_OPTIONS = {
  address: { format: 'host-port', doc: 'address of the operations endpoint of the node' },
  ...TLS_OPTIONS,
} as const satisfies OptionSchema;

/** The values of {@link OPERATIONS_OPTIONS}. */
type OperationsOptions = OptionValues<typeof OPERATIONS_OPTIONS>;

/**
 * Checks the address and the client certificate, which the option schema cannot check.
 *
 * @throws Error naming the options
 */
export function checkOperationsOptions(options: OperationsOptions): void {
  const { host, port } = options.address;
  if (host === '' || port === 0)
    throw new Error(`options.address: must be a host and a port to connect to: ${host}:${port}`);
  checkClientCertificate(options);
}

/** A node and its current families. */
export interface NodeReading {
  readonly name: string;
  readonly reading: SourceReading;
}

/**
 * The node of a checker that cannot work without one.
 *
 * @param node `node` of the context
 * @throws Error if there is none
 */
export function requireNode(node: string | undefined): string {
  if (node === undefined)
    throw new Error('the checker must be named after a monitored node, <node>/<name>, such as peer0/height');
  return node;
}

/**
 * The current reading of a node, and the readings of the other sources that are up.
 *
 * @param node the name of its source
 * @throws CheckWarning when it cannot be read
 */
export async function readNode(
  readings: SourceReadings,
  node: string,
  signal: AbortSignal,
): Promise<{ readonly own: NodeReading; readonly others: readonly NodeReading[] }> {
  const states = await readings.read({ signal });
  signal.throwIfAborted();
  const { reading, reason } = states.find(({ name }) => name === node) ?? {};
  if (reading === undefined)
    throw warningAfter(`the metrics of ${node} cannot be read: ${reason ?? 'not read yet'}`, node);
  const others = states.flatMap(({ name, reading: other }) =>
    name === node || other === undefined ? [] : [{ name, reading: other }],
  );
  return { own: { name: node, reading }, others };
}

/** The values of a family by the label `channel`; of several series with the same channel the sum. */
export function valuesByChannel({ families }: SourceReading, family: string): ReadonlyMap<string, number> {
  const values = new Map<string, number>();
  for (const { labels, value } of families.find(({ name }) => name === family)?.series ?? []) {
    const channel = labels['channel'];
    if (typeof channel === 'string' && typeof value === 'number' && Number.isFinite(value))
      values.set(channel, (values.get(channel) ?? 0) + value);
  }
  return values;
}
