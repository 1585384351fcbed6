import { onOneLine } from '../core/text/one-line.js';

/** One plugin that the agent is to load, wherever it was declared. */
export interface PluginDeclaration {
  /** A built-in name, an npm package, or a path beginning with `.` or `/`. */
  readonly plugin: string;
  /** The name of the instance; undefined: the plugin's own name. */
  readonly name: string | undefined;
  /** What happens when it does not start: the agent does not either, it is tried again with back-off, or it is left out. */
  readonly onStartError: 'fail' | 'retry' | 'ignore';
  /** As given; the host checks them against the plugin's own schema. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Where it was declared, for messages: a file, or a setting that declares it. */
  readonly origin: string;
  /** Where each option was set, by its name, for messages. @default the origin */
  readonly optionOrigins?: Readonly<Record<string, string>>;
  /** The directory that packages and relative paths are looked for from. */
  readonly directory: string;
  /** Whether it stands in only where no other plugin of its kind is declared (the console backend does). */
  readonly fallback: boolean;
}

/** What the agent runs with: checked, converted, complete, frozen. Durations are milliseconds, paths absolute. */
export interface Settings {
  readonly operations: {
    /** `host:port`, see `parseHostPort`. */
    readonly listenAddress: string;
    readonly tls: {
      readonly enabled: boolean;
      readonly certFile: string;
      readonly keyFile: string;
      readonly clientAuthRequired: boolean;
      readonly clientRootCAFiles: readonly string[];
    };
  };
  readonly health: { readonly timeout: number; readonly cacheFor: number };
  readonly metrics: { readonly maxSeries: number };
  /** `specOrigin`: where the specification came from, for messages. */
  readonly logging: { readonly spec: string; readonly specOrigin: string };
  /** In start order. */
  readonly plugins: readonly PluginDeclaration[];
}

/** A value of a setting and where it came from. */
export interface EffectiveValue {
  /** In the form a file would have it. */
  readonly value: unknown;
  /** `default`, `environment NAME`, `flag --set`, or a file with its line. */
  readonly origin: string;
  readonly sensitive: boolean;
}

/** Settings that cannot be used: every problem found, one line each. */
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
