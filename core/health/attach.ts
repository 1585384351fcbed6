import type { HealthChecker } from '../contract/index.js';
import type { Attachment, PluginInstance } from '../host/index.js';
import type { Health } from './health.js';

/** Registers a checker as a component. While its plugin is not running, the component fails with the reason. */
export function attachChecker(instance: PluginInstance<HealthChecker>, health: Health): Attachment {
  let unregister: (() => void) | undefined;
  return {
    instance,
    onStarted() {
      if (instance.isDisabled) return;
      unregister = health.register(instance.name, (signal) => {
        instance.requireRunning();
        return instance.plugin.check(signal);
      });
    },
    beforeStop: async () => unregister?.(),
  };
}
