// What plugins of all kinds have in common, and the contract of a health checker.

import type { ChannelDocument } from './channel-document.js';
import type { Severity } from './errors.js';

/**
 * The version of the plugin API, `major.minor`. A plugin whose range does not allow it is not loaded.
 *
 * The major version is raised by a change that can break an existing plugin: a member of this contract is removed or renamed, an optional
 * member becomes required, or the type, unit or meaning of a member changes. The minor version is raised by additions: kinds of plugins,
 * optional members, members of the context, option formats, error codes.
 */
export const API_VERSION = '1.0';

/** The lifecycle of every plugin: `create`, `init`, `start`, any number of calls, `stop`. */
export interface Lifecycle {
  /** Checks what the option schema cannot. No I/O. When it throws, the agent does not start, whatever `onStartError` is. */
  init?(): void | Promise<void>;
  /**
   * Opens what the plugin needs. With `onStartError: retry` it is called again after a failure.
   *
   * @param signal aborted when the start takes longer than 30 s or the agent stops
   */
  start?(signal: AbortSignal): void | Promise<void>;
  /** Releases everything. Also called after a failed start; may be called more than once. */
  stop?(): void | Promise<void>;
}

/** Checks whether one component is healthy. */
export interface HealthChecker extends Lifecycle {
  /**
   * Resolves when the component is healthy; throws or rejects with the reason shown to the operator when it is not.
   * `CheckWarning` says that it works but needs attention, and `FailedChecks` names parts.
   *
   * @param signal aborted at the deadline of the check (`health.timeout`); the check has failed by then, whatever its result
   */
  check(signal: AbortSignal): void | Promise<void>;
  /**
   * How bad it is that a check did not end in time. `critical`: what it checks does not respond. `warning`: nothing is known, as when it reads
   * files, whose contents are not worse because the disk is slow; the reason then begins with `could not be checked`.
   *
   * @default 'critical'
   */
  readonly whenLate?: Severity;
  /**
   * What it knows of the channels of its node, for `/nodes/<name>/channels`; of a checker that belongs to a node, `<node>/<checker>`. Called
   * for each request.
   *
   * @param signal aborted after 10 s
   */
  channels?(signal: AbortSignal): readonly ChannelDocument[] | Promise<readonly ChannelDocument[]>;
  /** Whether it fails because of what is on the disk: then the log of the node, which does not say more, is not shown for it. @default false */
  readonly isAboutFiles?: boolean;
}
