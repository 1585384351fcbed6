// Creates plugin instances.

import {
  LeveledLoggers,
  type Lifecycle,
  type Logger,
  type MetricFactory,
  type MetricReader,
  type PluginContext,
  type SourceReadings,
} from '../contract/index.js';
import { PluginInstance } from './instance.js';
import { failedError, pluginError, type LoadedPlugin } from './load.js';
import { memberProblem } from './members.js';
import type { PluginMetrics } from './plugin-metrics.js';

/** What every plugin is created with. */
export interface InstanceParts {
  readonly metrics: MetricFactory;
  readonly reader: MetricReader;
  readonly readings: SourceReadings;
  readonly pluginMetrics: PluginMetrics;
  /** Undefined for the logging backend itself, which logs nothing. */
  readonly logger: ((name: string) => Logger) | undefined;
}

/**
 * Creates the instance of a plugin.
 *
 * @throws SettingsError
 */
export function createInstance<Plugin extends Lifecycle>(
  loaded: LoadedPlugin,
  { metrics, reader, readings, pluginMetrics, logger = discardingLogger }: InstanceParts,
): PluginInstance<Plugin> {
  const { definition, name, options } = loaded;
  const log = logger(`plugins.${name.replaceAll('/', '.')}`);
  const context = { name, options, log, metrics, reader, readings } as PluginContext<'metrics'>;
  let plugin: unknown;
  let problem: string | undefined;
  try {
    plugin = definition.create(context);
    problem = memberProblem(definition.kind, plugin);
  } catch (error) {
    throw failedError(loaded, 'create', error);
  }
  if (problem !== undefined)
    throw pluginError(loaded, `create did not return a valid ${definition.kind} plugin: ${problem}`);
  return new PluginInstance(loaded, plugin as Plugin, log, pluginMetrics);
}

const discardingLogger = (name: string): Logger =>
  new LeveledLoggers({ write: () => undefined }).logger(name);
