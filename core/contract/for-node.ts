// What a plugin takes from the configuration of the agent and of the nodes beside it. Imports nothing large: the functions of the built-in
// plugins are loaded with every configuration, the plugins themselves only when they are declared.

import { formatHostPort, type HostPort } from '../common/text/host-port.js';
import type { WithOrigin } from '../common/text/with-origin.js';

export { isAnyHost, formatHostPort } from '../common/text/host-port.js';
export type { HostPort } from '../common/text/host-port.js';
export type { WithOrigin } from '../common/text/with-origin.js';

/** The settings of the agent. */
export interface ConfiguredAgent {
  /** How many nodes are beside the agent. */
  readonly nodeCount: number;
  /** The value of a setting, as it could be written in a file. */
  get(key: string): WithOrigin<unknown> & { readonly isDefault: boolean };
}

/** A node beside the agent, and what its file and its variables say. */
export interface ConfiguredNode {
  readonly name: string;
  readonly kind: 'peer' | 'orderer';
  /** Where it was declared. */
  readonly origin: string;
  /** Where its operations endpoint is reached. */
  readonly address: WithOrigin<HostPort>;
  /** The TLS options of a client of that endpoint. */
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

/** Options for an instance, as they could be written in a file: a plain value, or one with its origin for messages. */
export type NodeOptions = Readonly<Record<string, unknown>>;

/** Returns the options of the instance for a node beside the agent; undefined: the plugin is not declared for it. */
export type ForNode = (node: ConfiguredNode, agent: ConfiguredAgent) => NodeOptions | undefined;

/** Returns the key of the setting of the agent that implies a plugin, and the options; undefined: none does. */
export type ForAgent = (
  agent: ConfiguredAgent,
) => { readonly key: string; readonly options: NodeOptions } | undefined;

/** Returns the options that variables of the environment set in each declaration. @param directory of relative paths */
export type FromEnvironment = (
  environment: Readonly<Record<string, string | undefined>>,
  directory: string,
) => Readonly<Record<string, WithOrigin<unknown>>>;

/** How a plugin is declared for nodes without being listed for each of them. */
export interface NodePlugin {
  /** It reads no files and keeps no state. `node.checks` switches the plugin off for a node. @default the plugin is not for nodes */
  readonly forNode?: ForNode;
  /** The name of that instance after the name of the node; empty: only the name of the node. @default the name of the plugin */
  readonly nodeComponent?: string;
}

/** How the configuration declares a built-in plugin. */
export interface ConfiguredPlugin extends NodePlugin {
  readonly forAgent?: ForAgent;
  readonly fromEnvironment?: FromEnvironment;
}

/** The options of a plugin that connects to the operations endpoint of a node beside the agent. */
export const endpointOptions = ({ address, tls }: ConfiguredNode): NodeOptions => ({
  address: { ...address, value: formatHostPort(address.value) },
  ...tls,
});

/** The option `paths` with the different paths that keys of a node's file name; undefined: they name none. */
export function pathsOption(node: ConfiguredNode, keys: readonly string[]): NodeOptions | undefined {
  const set = keys
    .map((key) => node.get<string | readonly string[]>(key))
    .map(({ value, origin }) => ({ value: [value].flat().filter((path) => path !== ''), origin }))
    .filter(({ value }) => value.length > 0);
  const [first] = set;
  if (first === undefined) return undefined;
  return { paths: { value: [...new Set(set.flatMap(({ value }) => value))], origin: first.origin } };
}
