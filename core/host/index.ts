export { createInstance, type InstanceParts } from './create.js';
export {
  createPluginMetrics,
  PluginInstance,
  type Attachment,
  type DeliveryState,
  type PluginMetrics,
} from './instance.js';
export { loadPlugins, type LoadedPlugin, type LoadOptions } from './load.js';
export { importPlugin, resolvePlugin } from './module.js';
export type { BuiltInPlugin } from './built-in.js';
export { handleUncaughtError } from './uncaught.js';
