// Starts the plugins of the settings for one inspection, and stops them.

import type { LoadedSettings } from '../../config/index.js';
import { AgentError } from '../contract/index.js';
import type { Inspection, InspectionOptions } from '../inspection.js';
import type { Process } from '../cli/command.js';
import { nodeCertificateProblems } from '../cli/start-checks.js';

/**
 * Starts the plugins of the settings for an {@link Inspection}, runs the work with it, and stops them.
 *
 * @throws errors of the work; SettingsError for plugins that cannot be loaded; AgentError `AGENT_STOPPED` at SIGTERM or SIGINT; an
 *   uncaught error that does not come from a plugin
 */
export async function inspect<Result>(
  { settings, warnings, nodes }: LoadedSettings,
  options: InspectionOptions,
  process: Process,
  work: (inspection: Inspection) => Promise<Result>,
): Promise<Result> {
  const notes = [...warnings, ...nodeCertificateProblems(nodes)];
  // Imported here because these modules take most of the start time of the program.
  const { createInspection } = await import('../inspection.js');
  const inspection = await createInspection(settings, notes, options);
  const ended = new Promise<never>((_resolve, reject) => {
    process.onStop(() => reject(new AgentError('AGENT_STOPPED', 'stopped by a signal')));
    process.onUncaught((error, isRejection) => {
      const isContained = inspection.handleUncaughtError(error) || isRejection;
      if (!isContained) reject(error instanceof Error ? error : new Error(String(error)));
      return isContained;
    });
  });
  ended.catch(() => undefined);
  // The deadlines of checks do not keep the process alive, and a check that hangs may not keep it alive either.
  const alive = setInterval(() => undefined, 1000);
  try {
    return await Promise.race([inspection.start().then(() => work(inspection)), ended]);
  } finally {
    await inspection.stop();
    clearInterval(alive);
  }
}
