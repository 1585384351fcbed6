/** The version of the plugin contract that this host implements. A plugin that targets another version is refused. */
export const API_VERSION = 1;

/** The lifecycle of every plugin: `create`, `init`, `start`, any number of calls, `stop`. */
export interface Lifecycle {
  /** Checks what the option schema cannot. No input or output. An error here keeps the agent from starting, whatever the policy. */
  init?(): void | Promise<void>;
  /**
   * Opens what the plugin needs. Called again after a failure when the policy is `retry`.
   *
   * @param signal aborted when the start takes too long or the agent stops
   */
  start?(signal: AbortSignal): void | Promise<void>;
  /** Releases everything. Also called after a failed start, and may be called twice. */
  stop?(): void | Promise<void>;
}
