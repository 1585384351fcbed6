// The types of settings, and their error.

import { onOneLine } from '../core/common/text/one-line.js';
import type { HostPort } from '../core/common/text/host-port.js';
import type { Environment } from './dialects.js';
import type { NodeLog } from './node/entries.js';
import type { LoadedNode } from './node/nodes.js';

/** One plugin to load. */
export interface PluginDeclaration {
  /** A built-in name, an npm package, or a path beginning with `.` or `/`. */
  readonly plugin: string;
  /** The instance name; undefined: the plugin's own name. */
  readonly name: string | undefined;
  /** The policy if the plugin fails to start: the agent fails, too; the start is retried with back-off; or the plugin is disabled. */
  readonly onStartError: 'fail' | 'retry' | 'ignore';
  /** The unchecked options; the host checks them against the plugin's schema. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Where it was declared, for messages: a line of a file, or the setting that implies it. */
  readonly origin: string;
  /** Where each option was set, by name, for messages. @default `origin` */
  readonly optionOrigins?: Readonly<Record<string, string>>;
  /** The directory that packages and relative paths are resolved from. */
  readonly directory: string;
  /** Whether it is used only if no other plugin of its kind is declared, as for the console backend. */
  readonly fallback: boolean;
}

/** What plugins take options from, and what implies plugins. */
export interface Configured {
  /** Every setting by its key. */
  readonly effective: ReadonlyMap<string, EffectiveValue>;
  readonly nodes: readonly LoadedNode[];
  /** The variables of the process that plugins may read. */
  readonly variables: Environment;
  /** The directory for relative paths in these variables. */
  readonly cwd: string;
  /** The directory of the last file, for relative paths of implied plugins. */
  readonly directory: string;
}

/** The settings of a monitored node at run time. */
export interface NodeSettings {
  /** Its name: the label `node`, the component, the path under `/nodes`. */
  readonly name: string;
  readonly kind: 'peer' | 'orderer';
  /** Whether its log level can be read and changed through the agent. @default true */
  readonly logging?: boolean;
  /** The logging specification in its variables; empty: `info`. @default unknown */
  readonly spec?: string;
  /** Whether its metrics can be read through the agent. @default true */
  readonly metrics?: boolean;
  /** Whether its series have the label `node` even if it is the only node. @default false */
  readonly isLabelled?: boolean;
  /** The files with its configuration and its variables. @default unknown */
  readonly files?: readonly string[];
  /** Its log. @default unknown */
  readonly log?: NodeLog;
  /** The name of its container, and the program of its engine. @default it runs in none, or it is unknown */
  readonly container?: { readonly name: string; readonly engine: 'docker' | 'podman' };
  /** The address of its operations endpoint. @default unknown */
  readonly address?: HostPort;
}

/** The client certificates with a role. */
export interface RoleSettings {
  /** Common names and alternative names. */
  readonly names: readonly string[];
  /** PEM files with the CAs whose certificates have the role. */
  readonly files: readonly string[];
}

/** The agent of another host. Empty paths: no file. */
export interface OtherAgentSettings {
  /** Its name, as in its setting `operations.name`. */
  readonly name: string;
  readonly url: string;
  /** The CA of its server certificate. */
  readonly ca: string;
  /** The client certificate for it, and its private key. */
  readonly cert: string;
  readonly key: string;
  /** For messages. */
  readonly origin: string;
}

/** A window of planned work. */
export interface SilenceSettings {
  /** Undefined: all nodes. */
  readonly node: string | undefined;
  /** Undefined: all channels. */
  readonly channel: string | undefined;
  /** Milliseconds since the epoch. */
  readonly until: number;
  readonly why: string;
  /** Where it was declared, for messages. */
  readonly origin: string;
}

/** What an agent keeps of its settings. */
export interface AgentSettings {
  readonly operations: {
    readonly listenAddress: HostPort;
    /** The name of this agent. */
    readonly name: string;
    /** The URL of its page; empty: unknown. */
    readonly url: string;
    /** Host names that clients use for the agent, besides localhost and its address. */
    readonly hosts: readonly string[];
    /** The directory with what receivers were told; empty: none. */
    readonly stateDirectory: string;
    /** Whether `/` is a page for browsers. */
    readonly page: boolean;
    readonly tls: {
      readonly enabled: boolean;
      readonly certFile: string;
      readonly keyFile: string;
      readonly clientAuthRequired: boolean;
      readonly clientRootCAFiles: readonly string[];
      /** @default every client with a verified certificate may change something */
      readonly roles?: { readonly readers: RoleSettings; readonly writers: RoleSettings };
    };
  };
  readonly health: {
    readonly timeout: number;
    readonly cacheFor: number;
    /** Time between two background runs of all checks. */
    readonly interval: number;
    /** Time between two background checks of the channels. */
    readonly channelsInterval: number;
    /** Names of components and parts, such as `peer0/docker`. `ready`: the components of `/readyz`; an empty `include` means all. */
    readonly groups: {
      readonly ready: { readonly include: readonly string[]; readonly exclude: readonly string[] };
    };
  };
  readonly metrics: { readonly maxSeries: number };
  /** `specOrigin`: the origin of the specification, for messages. */
  readonly logging: { readonly spec: string; readonly specOrigin: string };
  /** The monitored nodes in the order of `--node`. */
  readonly nodes: readonly NodeSettings[];
  /** The silences whose time is not over. */
  readonly silences: readonly SilenceSettings[];
  /** The agents of other hosts. */
  readonly agents: readonly OtherAgentSettings[];
}

/** The checked settings of an agent and its plugins, complete and frozen. Durations are milliseconds, paths are absolute. */
export interface Settings extends AgentSettings {
  /** The listed plugins in start order; `configured` implies others. */
  readonly plugins: readonly PluginDeclaration[];
  readonly configured: Configured;
}

/** The value of a setting with its origin. */
export interface EffectiveValue {
  /** In the form of a file. */
  readonly value: unknown;
  /** `default`, `environment NAME`, `flag --set`, or a file with its line. */
  readonly origin: string;
  readonly isDefault: boolean;
  readonly sensitive: boolean;
}

/** Invalid settings: all problems, one line each. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly code = 'SETTINGS_INVALID';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const lines = problems.map(onOneLine);
    super(lines.join('\n'));
    this.problems = lines;
  }
}
