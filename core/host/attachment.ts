import type { PluginInstance } from './instance.js';

/** A plugin instance that the agent uses. The directory of its kind attaches it. */
export interface Attachment {
  readonly instance: PluginInstance;
  /** Called after `start`, whether it succeeded, is retried or left the plugin disabled. */
  readonly onStarted: () => void;
  /** Called before `stop`. */
  readonly beforeStop: () => Promise<void>;
}
