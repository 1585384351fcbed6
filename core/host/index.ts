export { createPluginMetrics, PluginInstance, type PluginMetrics } from './instance.js';
export { importPlugin, loadPlugins, refusalOf, type LoadedPlugin } from './load.js';
export { builtInPlugins } from './resolve.js';
