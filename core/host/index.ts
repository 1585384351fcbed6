export { createInstance, type InstanceParts } from './create.js';
export { PluginInstance } from './instance.js';
export { importPlugin } from './import.js';
export { loadPlugins, type LoadedPlugin, type LoadOptions } from './load.js';
export { createPluginMetrics, type PluginMetrics } from './plugin-metrics.js';
export type { BuiltInPlugin } from './built-in.js';
