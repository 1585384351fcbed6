// Errors that nobody caught: whose they are, and whether the agent can go on.

import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reasonOf, type Logger } from './contract/index.js';
import type { PluginInstance, PluginMetrics } from './host/index.js';
import { sourcePath } from './source-path.js';

/** The directory of the agent's own code, as stack traces show it. */
const ownDirectory = (): string => `${dirname(sourcePath(fileURLToPath(import.meta.url)))}/`;

/**
 * Logs an error that nobody caught, and counts it as a fault of the plugin whose files its stack names.
 *
 * @returns whether the agent can go on: false when the stack names nothing but the agent itself
 */
export function takeUncaught(
  error: unknown,
  instances: readonly PluginInstance[],
  { faults }: PluginMetrics,
  log: Logger,
): boolean {
  const stack = stackOf(error);
  const culprit = culpritOf(instances, stack);
  if (culprit === undefined) faults.with({ kind: 'unknown', plugin: 'unknown', phase: 'uncaught' }).inc();
  else culprit.fault('uncaught');
  const whose = culprit === undefined ? '' : ` in plugin ${culprit.name}`;
  log.error(`an error${whose} was not caught: ${reasonOf(error)}`, { stack });
  return culprit !== undefined || !stack.includes(ownDirectory());
}

/** The plugin whose module a stack names, else the one with another file beside it. */
function culpritOf(instances: readonly PluginInstance[], stack: string): PluginInstance | undefined {
  return (
    instances.find(({ file }) => stack.includes(sourcePath(file))) ??
    instances.find(({ file }) => stack.includes(`${dirname(sourcePath(file))}/`))
  );
}

/** The stack of an error, whatever was made of it: this runs where nothing may be thrown any more. */
function stackOf(error: unknown): string {
  try {
    const stack: unknown = error instanceof Error ? error.stack : undefined;
    return typeof stack === 'string' ? stack : '';
  } catch {
    return '';
  }
}
