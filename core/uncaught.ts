// Uncaught errors: which plugin caused them, and whether the agent can continue.

import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reasonOf, type Logger } from './contract/index.js';
import type { PluginInstance, PluginMetrics } from './host/index.js';
import { sourcePath } from './source-path.js';

/** The directory of the agent's own code, as stack traces show it. */
const ownDirectory = (): string => `${dirname(sourcePath(fileURLToPath(import.meta.url)))}/`;

/**
 * Logs an uncaught error, and counts it as a fault of the plugin whose files are in its stack.
 *
 * @returns whether the agent can continue: false when the stack contains files of the agent itself and of no plugin
 */
export function handleUncaughtError(
  error: unknown,
  instances: readonly PluginInstance[],
  { pluginMetrics, log }: { readonly pluginMetrics: PluginMetrics; readonly log: Logger },
): boolean {
  const stack = stackOf(error);
  const plugin = pluginIn(stack, instances);
  if (plugin === undefined) pluginMetrics.countFault({ kind: 'unknown', plugin: 'unknown' }, 'uncaught');
  else plugin.countFault('uncaught');
  const source = plugin === undefined ? '' : ` in plugin ${plugin.name}`;
  log.error(`uncaught error${source}: ${reasonOf(error)}`, { stack });
  return plugin !== undefined || !stack.includes(ownDirectory());
}

/** The plugin whose module is in a stack, else the one with a file of the stack in the directory of its module. */
function pluginIn(stack: string, instances: readonly PluginInstance[]): PluginInstance | undefined {
  return (
    instances.find(({ file }) => stack.includes(sourcePath(file))) ??
    instances.find(({ file }) => stack.includes(`${dirname(sourcePath(file))}/`))
  );
}

/** The stack of any thrown value. Never throws: an exception here would end the process. */
function stackOf(error: unknown): string {
  try {
    const stack: unknown = error instanceof Error ? error.stack : undefined;
    return typeof stack === 'string' ? stack : '';
  } catch {
    return '';
  }
}
