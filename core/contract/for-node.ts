// How plugins take options from the configuration of the agent and of the monitored nodes, and from environment variables.

import { formatHostPort, type HostPort } from '../common/text/host-port.js';
import type { WithOrigin } from '../common/text/with-origin.js';

export type { WithOrigin } from '../common/text/with-origin.js';

/** The settings of the agent. */
export interface ConfiguredAgent {
  /** The number of monitored nodes. */
  readonly nodeCount: number;
  /** The value of a setting, as it could be written in a file. */
  get(key: string): WithOrigin<unknown> & { readonly isDefault: boolean };
}

/** A monitored node, with the settings from its file and its environment variables. */
export interface ConfiguredNode {
  readonly name: string;
  readonly kind: 'peer' | 'orderer';
  /** Where it was declared. */
  readonly origin: string;
  /** The address of its operations endpoint. */
  readonly address: WithOrigin<HostPort>;
  /** The TLS options for clients of this endpoint. */
  readonly tls: Readonly<
    Record<'tls' | 'ca' | 'certificate' | 'cert' | 'key' | 'serverName', WithOrigin<unknown>>
  >;
  /** The client certificate for the Admin endpoint of an orderer. */
  readonly admin: Readonly<Record<'cert' | 'key', WithOrigin<unknown>>>;
  /** Whether its metrics are relayed. */
  readonly metrics: WithOrigin<boolean>;
  /** Whether its health is checked. */
  readonly health: WithOrigin<boolean>;
  /** The checked value of a key of its configuration, such as `ledger`; paths are absolute. README.md lists the keys. */
  get<T>(key: string): WithOrigin<T>;
}

/** Options of an instance, as they could be written in a file: plain values, or values with their origin for messages. */
export type NodeOptions = Readonly<Record<string, unknown>>;

/** Returns the options of the instance for a monitored node; undefined: the plugin is not declared for it. */
export type ForNode = (node: ConfiguredNode, agent: ConfiguredAgent) => NodeOptions | undefined;

/** Returns the key of the agent's setting that implies the plugin, and the options; undefined if no setting implies it. */
export type ForAgent = (
  agent: ConfiguredAgent,
) => { readonly key: string; readonly options: NodeOptions } | undefined;

/**
 * Returns the options that environment variables set in each listed declaration.
 *
 * @param environment the variables of the process whose names begin with `OTEL_`
 * @param directory the directory for relative paths
 */
export type FromEnvironment = (
  environment: Readonly<Record<string, string | undefined>>,
  directory: string,
) => Readonly<Record<string, WithOrigin<unknown>>>;

/**
 * Members of a plugin that takes options from the configuration. Its functions must not read files or keep state. A built-in plugin is
 * declared by them; a plugin of others must be listed without options.
 */
export interface ConfiguredPlugin {
  /** `node.checks` switches the plugin off for a node. @default the plugin is not for nodes */
  readonly forNode?: ForNode;
  /** The instance is named `<node>/<this>`; empty: `<node>`. @default the name of the plugin */
  readonly nodeComponent?: string;
  /** @default the plugin takes no options from the settings of the agent */
  readonly forAgent?: ForAgent;
  /** Options of a declaration override them. @default the plugin takes no options from environment variables */
  readonly fromEnvironment?: FromEnvironment;
}

/** The options of a plugin that connects to the operations endpoint of a monitored node. */
export const endpointOptions = ({ address, tls }: ConfiguredNode): NodeOptions => ({
  address: { ...address, value: formatHostPort(address.value) },
  ...tls,
});

/** The option `paths` with the distinct paths in keys of a node's file; undefined if there are none. */
export function pathsOption(node: ConfiguredNode, keys: readonly string[]): NodeOptions | undefined {
  const set = keys
    .map((key) => node.get<string | readonly string[]>(key))
    .map(({ value, origin }) => ({ value: [value].flat().filter((path) => path !== ''), origin }))
    .filter(({ value }) => value.length > 0);
  const [first] = set;
  if (first === undefined) return undefined;
  return { paths: { value: [...new Set(set.flatMap(({ value }) => value))], origin: first.origin } };
}
