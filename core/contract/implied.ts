// What a built-in plugin takes from the configuration of the agent and of the nodes without being declared.

import type { HostPort } from '../common/text/host-port.js';
import type { Sourced } from '../common/text/sourced.js';

/** The settings of the agent. */
export interface AgentConfig {
  /** How many nodes are beside the agent. */
  readonly nodeCount: number;
  /** The value of a setting, as it could be written in a file. */
  get(key: string): Sourced<unknown> & { readonly isDefault: boolean };
}

/** A node beside the agent, and what its file and its variables say. */
export interface NodeConfig {
  readonly name: string;
  readonly kind: 'peer' | 'orderer';
  /** Where it was declared. */
  readonly origin: string;
  /** Where its operations endpoint is reached. */
  readonly address: Sourced<HostPort>;
  /** The TLS options of a client of that endpoint. */
  readonly tls: Readonly<
    Record<'tls' | 'ca' | 'certificate' | 'cert' | 'key' | 'serverName', Sourced<unknown>>
  >;
  /** The client certificate for the Admin endpoint of an orderer. */
  readonly admin: Readonly<Record<'cert' | 'key', Sourced<unknown>>>;
  /** Whether its metrics are relayed. */
  readonly metrics: Sourced<boolean>;
  /** The checked value of a key of its configuration, see `config/node/config.ts`; paths are absolute. */
  get<T>(key: string): Sourced<T>;
}

/** The options of a plugin that is declared implicitly. */
export type ImpliedOptions = Readonly<Record<string, Sourced<unknown>>>;

/**
 * What a built-in plugin takes from the configuration. It is in a module that imports nothing large, because it is loaded with every
 * configuration, the plugin itself only when it is declared.
 */
export interface ImpliedPlugin {
  /** The name of the component beside a node, after that of the node; empty: only that of the node. @default the name of the plugin */
  readonly component?: string;
  /** The switch in the section `node` that is false to omit the plugin. @default the name of the plugin */
  readonly switch?: string;
  /** Whether the settings of the agent imply the plugin: the key of the setting that does, and the options. */
  readonly settings?: (
    agent: AgentConfig,
  ) => { readonly key: string; readonly options: ImpliedOptions } | undefined;
  /** The options for a node beside the agent; undefined: the plugin is not declared for it. */
  readonly beside?: (node: NodeConfig, agent: AgentConfig) => ImpliedOptions | undefined;
  /** The options that variables of the environment set in each declaration. @param directory of relative paths */
  readonly variables?: (
    environment: Readonly<Record<string, string | undefined>>,
    directory: string,
  ) => ImpliedOptions;
}
