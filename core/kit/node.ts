// For plugins that monitor a Fabric node: the options of its operations endpoint, and its current metrics.

import {
  CheckWarning,
  type ChannelResponses,
  type OptionSchema,
  type OptionValues,
  type SourceReading,
  type SourceReadings,
} from '../contract/index.js';
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

/** The reading of the node that a checker monitors. */
interface OwnReading extends NodeReading {
  /** The responses of the orderers of its channels to the checker `orderer-link`; empty without this checker. */
  readonly responses: readonly ChannelResponses[];
}

/**
 * The current reading of a node.
 *
 * @param node the name of its source
 * @throws Error when there is no such source; CheckWarning when it cannot be read
 */
export async function readNode(
  readings: SourceReadings,
  node: string,
  signal: AbortSignal,
): Promise<{ readonly own: OwnReading; readonly others: readonly NodeReading[] }> {
  const states = await readings.refresh(signal);
  signal.throwIfAborted();
  const state = states.find(({ name }) => name === node);
  if (state === undefined) {
    const names = states.map(({ name }) => name).join(', ');
    throw new Error(`options.node: there is no source ${node}; the sources are ${names || 'none'}`);
  }
  if (state.reading === undefined)
    throw new CheckWarning(`the metrics of ${node} cannot be read: ${state.reason ?? 'not read yet'}`, {
      follows: node,
    });
  const others = states.flatMap(({ name, reading }) =>
    name === node || reading === undefined ? [] : [{ name, reading }],
  );
  return { own: { name: node, reading: state.reading, responses: state.responses ?? [] }, others };
}

/** The values of a family by the label `channel`. */
export function valuesByChannel({ families }: SourceReading, family: string): ReadonlyMap<string, number> {
  const values = new Map<string, number>();
  for (const { labels, value } of families.find(({ name }) => name === family)?.series ?? []) {
    const channel = labels['channel'];
    if (typeof channel === 'string' && typeof value === 'number' && Number.isFinite(value))
      values.set(channel, value);
  }
  return values;
}
