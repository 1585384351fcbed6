import type { Lifecycle } from './lifecycle.js';
import type { Logger } from './logger.js';

/**
 * Owns the active logging specification and the loggers. An in-process backend builds on `LeveledLoggers` and only formats
 * and writes entries; one that forwards to another process keeps the specification there.
 */
export interface LoggingBackend extends Lifecycle {
  /** The active specification in its normal form; `info` before the first `activate`. */
  spec(): string | Promise<string>;
  /**
   * Activates a specification for all loggers at once.
   *
   * @throws AgentError `LOG_SPEC_INVALID`; the active specification then stays
   */
  activate(spec: string): void | Promise<void>;
  /** The logger with this name; the same object for the same name. Usable before `start`. */
  logger(name: string): Logger;
}
