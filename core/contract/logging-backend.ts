import type { Logger } from './logger.js';
import { API_VERSION, type Lifecycle } from './lifecycle.js';
import type { PluginContext, PluginDefinition } from './plugin.js';
import type { OptionSchema } from './options.js';

/**
 * Owns the active logging specification and the loggers. An in-process backend builds on `LeveledLoggers` and only formats
 * and outputs; one that forwards to another process keeps the specification there.
 */
export interface LoggingBackend extends Lifecycle {
  /** The active specification in its normal form; `info` before the first `activate`. */
  spec(): string | Promise<string>;
  /**
   * Makes a specification the active one: all or nothing, for all loggers at once.
   *
   * @throws AgentError `LOG_SPEC_INVALID`; the active one then stays
   */
  activate(spec: string): void | Promise<void>;
  /** The logger of a name; the same object for the same name. Usable before `start`. */
  logger(name: string): Logger;
}

/** Defines a logging backend. Exactly one is active in an agent. */
export function defineLoggingBackend<const Schema extends OptionSchema = Record<never, never>>(backend: {
  readonly name: string;
  /** @default no options */
  readonly options?: Schema;
  create(context: PluginContext<'logging', Schema>): LoggingBackend;
}): PluginDefinition<'logging', Schema> {
  return {
    apiVersion: API_VERSION,
    kind: 'logging',
    name: backend.name,
    options: backend.options ?? ({} as Schema),
    create: (context) => backend.create(context),
  };
}
