// Errors that no caller handles: which plugin caused them, and whether the agent can continue.

import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reasonOf } from '../contract/index.js';
import type { LogFields } from '../contract/logging.js';
import type { PluginInstance, PluginMetrics } from './instance.js';
import { framesOf, sourcePath, stackOf } from './stack.js';

/** The log and the metrics for faults. */
interface FaultParts {
  readonly pluginMetrics: PluginMetrics;
  /** Limits the lines of one kind, because a plugin can cause any number of errors. */
  readonly log: { log(level: 'error', kind: string, message: string, fields: LogFields): void };
}

/**
 * Logs an uncaught error, and counts it as a fault of the plugin with files in the stack.
 *
 * @returns whether the agent can continue: false when the stack contains files of the agent itself and of no plugin
 */
export function handleUncaughtError(
  error: unknown,
  instances: readonly PluginInstance[],
  { pluginMetrics, log }: FaultParts,
): boolean {
  const stack = stackOf(error);
  const files = framesOf(stack).map(({ file }) => file);
  const plugin = pluginIn(files, instances);
  if (plugin === undefined) pluginMetrics.countFault({ kind: 'unknown', plugin: 'unknown' }, 'uncaught');
  else plugin.countFault('uncaught');
  const what = `uncaught error${plugin === undefined ? '' : ` in plugin ${plugin.name}`}`;
  log.log('error', what, `${what}: ${reasonOf(error)}`, { stack });
  return plugin !== undefined || !files.some((file) => file.startsWith(`${packageDirectory()}core/`));
}

/** The directory of this package as stack traces show it: its root, or its `dist` where source maps are disabled. */
function packageDirectory(): string {
  return `${dirname(dirname(dirname(sourcePath(fileURLToPath(import.meta.url)))))}/`;
}

/** The directories of the package that contain its code. */
const OWN_CODE = /^(?:config|core|dist|plugins)\//;

/** Whether a file belongs to this package. The package can be installed beside a plugin, in the directory of its module. */
function isOwnFile(file: string): boolean {
  const root = packageDirectory();
  return file.startsWith(root) && OWN_CODE.test(file.slice(root.length));
}

/**
 * The plugin with its module in a stack, else the plugin with the innermost directory that contains a file of the stack. A package that the
 * agent called is a package of the agent: npm installs both beside the module of a plugin.
 */
function pluginIn(
  files: readonly string[],
  instances: readonly PluginInstance[],
): PluginInstance | undefined {
  const modules = instances.map((instance) => ({ instance, path: sourcePath(instance.file) }));
  const direct = modules.find(({ path }) => files.includes(path));
  if (direct !== undefined) return direct.instance;
  const isCalledByAgent = files.some((file) => file.startsWith(`${packageDirectory()}core/`));
  const candidates = isCalledByAgent ? files.filter((file) => !file.includes('/node_modules/')) : files;
  return modules
    .map(({ instance, path }) => ({ instance, directory: `${dirname(path)}/`, isOwn: isOwnFile(path) }))
    .toSorted((a, b) => b.directory.length - a.directory.length)
    .find(({ directory, isOwn }) =>
      candidates.some((file) => file.startsWith(directory) && (isOwn || !isOwnFile(file))),
    )?.instance;
}
