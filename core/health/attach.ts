// Registers a checker as a component.

import type { HealthChecker } from '../contract/index.js';
import type { Attachment, PluginInstance } from '../host/index.js';
import type { Health } from './health.js';

/**
 * Registers a checker as a component. While the plugin is not running, the component fails with the reason.
 *
 * @param onStop called when the checker stops
 */
export function attachChecker(
  instance: PluginInstance<HealthChecker>,
  health: Health,
  onStop: () => void,
): Attachment {
  let unregister: (() => void) | undefined;
  return {
    instance,
    onStarted() {
      if (instance.isDisabled) return;
      const { onTimeout } = instance.plugin;
      const check = (signal: AbortSignal): void | Promise<void> => {
        instance.requireRunning();
        return instance.plugin.check(signal);
      };
      unregister = health.register(instance.name, check, onTimeout && { onTimeout });
    },
    async beforeStop() {
      unregister?.();
      onStop();
    },
  };
}
