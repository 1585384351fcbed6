import { onOneLine } from '../core/common/text/one-line.js';
import type { HostPort } from '../core/common/text/host-port.js';

/** One plugin to load. */
export interface PluginDeclaration {
  /** A built-in name, an npm package, or a path beginning with `.` or `/`. */
  readonly plugin: string;
  /** The instance name; undefined: the plugin's own name. */
  readonly name: string | undefined;
  /** What happens when the plugin fails to start: the agent fails too, the start is retried with back-off, or the plugin is disabled. */
  readonly onStartError: 'fail' | 'retry' | 'ignore';
  /** As given; the host checks them against the plugin's schema. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Where it was declared, for messages: a line of a file, or the setting that implies it. */
  readonly origin: string;
  /** Where each option was set, by its name, for messages. @default `origin` */
  readonly optionOrigins?: Readonly<Record<string, string>>;
  /** The directory that packages and relative paths are resolved from. */
  readonly directory: string;
  /** Whether it is used only when no other plugin of its kind is declared, as the console backend is. */
  readonly fallback: boolean;
  /** What this becomes if the definition of the plugin has `forNode`. @default itself */
  readonly forNodes?: DeclaredForNodes;
}

/** A declaration that can be for each node. */
export interface DeclaredForNodes {
  /** The declarations for the nodes. @throws Error when `forNode` does */
  readonly declare: (definition: { readonly name: string }) => readonly PluginDeclaration[];
  /** The problem of each name in `node.checks` that can only be the name of such a plugin. */
  readonly unknownChecks: ReadonlyMap<string, string>;
}

/** Where the log of a node is: a file, or a unit of the journal of systemd. */
export type NodeLog = { readonly file: string } | { readonly unit: string };

/** A node beside the agent. */
export interface NodeSettings {
  /** Its name: the label `node`, the component, the path under `/nodes`. */
  readonly name: string;
  readonly kind: 'peer' | 'orderer';
  /** Whether its log level can be read and changed through the agent. @default true */
  readonly logging?: boolean;
  /** The logging specification that its variables set at its start; empty: `info`. @default unknown */
  readonly spec?: string;
  /** Whether its metrics can be read through the agent. @default true */
  readonly metrics?: boolean;
  /** Whether its series have the label `node` even when it is the only node. @default false */
  readonly isLabelled?: boolean;
  /** Where its log is. @default unknown */
  readonly log?: NodeLog;
}

/** The checked settings of an agent, complete and frozen. Durations are milliseconds, paths are absolute. */
export interface Settings {
  readonly operations: {
    readonly listenAddress: HostPort;
    /** Names under which clients reach the service, besides localhost and its address. */
    readonly hosts: readonly string[];
    /** Whether `/` is a page for browsers. */
    readonly page: boolean;
    readonly tls: {
      readonly enabled: boolean;
      readonly certFile: string;
      readonly keyFile: string;
      readonly clientAuthRequired: boolean;
      readonly clientRootCAFiles: readonly string[];
    };
  };
  readonly health: {
    readonly timeout: number;
    readonly cacheFor: number;
    /** Time between two runs of all checks in the background. */
    readonly interval: number;
    /** Time between two checks of the channels in the background. */
    readonly channelsInterval: number;
    /** Names of components and of parts, such as `peer0/docker`. `ready`: what `/readyz` covers; an empty `include` means all. */
    readonly groups: {
      readonly ready: { readonly include: readonly string[]; readonly exclude: readonly string[] };
    };
  };
  readonly metrics: { readonly maxSeries: number };
  /** `specOrigin`: where the specification came from, for messages. */
  readonly logging: { readonly spec: string; readonly specOrigin: string };
  /** The nodes beside the agent in the order of `--beside`; empty: the agent serves only itself. */
  readonly nodes: readonly NodeSettings[];
  /** In start order. */
  readonly plugins: readonly PluginDeclaration[];
}

/** A value of a setting and where it came from. */
export interface EffectiveValue {
  /** As it could be written in a file. */
  readonly value: unknown;
  /** `default`, `environment NAME`, `flag --set`, or a file with its line. */
  readonly origin: string;
  readonly isDefault: boolean;
  readonly sensitive: boolean;
}

/** Invalid settings: every problem found, one line each. */
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
