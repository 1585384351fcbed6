// Creates the plugins of a node as the host does.

import type { ExecutionContext } from 'ava';
import type { HealthChecker, LogEntry, MetricSource, OptionValues } from '../../core/contract/index.js';
import { createNodeTestContext } from '../../core/testing/context.js';
import { createTestContext } from '../../core/testing/index.js';
import nodeHealth from '../../plugins/health/node-health/index.js';
import node from '../../plugins/source/node/index.js';
import { PATIENCE } from './patience.js';

export type SourceOptions = OptionValues<typeof node.options>;
export type HealthOptions = OptionValues<typeof nodeHealth.options>;

const DEFAULTS = { tls: false, ca: '', certificate: '', cert: '', key: '', serverName: '' } as const;

/** The options of a source; `address` is `host:port`. */
export function sourceOptions(address: string, options: Partial<SourceOptions> = {}): SourceOptions {
  return { ...DEFAULTS, kind: 'peer', metrics: true, address: hostPort(address), ...options };
}

/** The options of a checker; `address` is `host:port`. */
export function healthOptions(address: string, options: Partial<HealthOptions> = {}): HealthOptions {
  return { ...DEFAULTS, interval: 100, timeout: PATIENCE, address: hostPort(address), ...options };
}

/** Creates and starts a source; it is stopped at the end of the test. */
export async function startSource(
  t: ExecutionContext,
  address: string,
  options?: Partial<SourceOptions>,
): Promise<Required<Pick<MetricSource, 'node'>> & MetricSource & { readonly logged: readonly LogEntry[] }> {
  const { context, logged } = createTestContext(node, sourceOptions(address, options));
  const source = node.create(context);
  t.teardown(() => source.stop?.());
  await source.init?.();
  await source.start?.(new AbortController().signal);
  if (source.node === undefined) throw new Error('the source has no node');
  return { ...source, node: source.node, logged };
}

/** Creates and starts a checker; it is stopped at the end of the test. */
export async function startHealth(
  t: ExecutionContext,
  address: string,
  options?: Partial<HealthOptions>,
): Promise<HealthChecker> {
  const checker = nodeHealth.create(
    createNodeTestContext(nodeHealth, healthOptions(address, options)).context,
  );
  t.teardown(() => checker.stop?.());
  await checker.init?.();
  await checker.start?.(new AbortController().signal);
  return checker;
}

function hostPort(address: string): { host: string; port: number } {
  const colon = address.lastIndexOf(':');
  return { host: address.slice(0, colon), port: Number(address.slice(colon + 1)) };
}
