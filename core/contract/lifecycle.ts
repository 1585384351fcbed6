// The lifecycle of plugins of all kinds, and the contract of a health checker.

import type { Severity } from './errors.js';

/**
 * The version of the plugin API, `major.minor`. A plugin is not loaded if its range does not include this version.
 *
 * The major version is raised by a change that can break an existing plugin: a member of this contract is removed or renamed, an optional
 * member becomes required, or the type, unit or meaning of a member changes. The minor version is raised by additions: kinds of plugins,
 * optional members, members of the context, option formats, error codes.
 */
export const API_VERSION = '1.0';

/** The lifecycle of every plugin: `create`, `init`, `start`, any number of calls, `stop`. */
export interface Lifecycle {
  /** Checks that the option schema cannot express. No I/O. When it throws, the agent does not start, whatever `onStartError` is. */
  init?(): void | Promise<void>;
  /**
   * Opens files, connections and other resources. With `onStartError: retry` it is called again after a failure.
   *
   * @param signal aborted when the start takes longer than 30 s or the agent stops
   */
  start?(signal: AbortSignal): void | Promise<void>;
  /** Releases all resources. Also called after a failed start; may be called more than once. */
  stop?(): void | Promise<void>;
}

/** Checks whether one component is healthy. */
export interface HealthChecker extends Lifecycle {
  /**
   * Resolves when the component is healthy; throws or rejects with the reason shown to the operator when it is not.
   * `CheckWarning` if it works but needs attention, and `FailedChecks` names parts.
   *
   * @param signal aborted at the deadline of the check (`health.timeout`); the check has failed by then, whatever its result
   */
  check(signal: AbortSignal): void | Promise<void>;
  /**
   * The severity of a check that times out. `critical`: the checked component does not respond. `warning`: its state is unknown, for example
   * because the disk with the checked files is slow; the reason then begins with `could not be checked`.
   *
   * @default 'critical'
   */
  readonly onTimeout?: Severity;
}
