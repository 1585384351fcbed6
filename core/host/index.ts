export { createPluginMetrics, PluginInstance, type PluginMetrics } from './instance.js';
export { importPlugin, loadPlugins, type LoadedPlugin } from './load.js';
export { builtInPlugins, type BuiltInFolder } from './resolve.js';
export { within } from './within.js';
