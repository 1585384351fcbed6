// `start`: runs the agent until a signal stops it.

import { statSync } from 'node:fs';
import { resolve as resolvePath } from 'node:path';
import type { Settings } from '../../config/index.js';
import type { Agent } from '../agent.js';
import { versionOf } from '../common/files/version.js';
import { AgentError, reasonOf } from '../contract/index.js';
import { placesIn } from '../host/stack.js';
import { loadFrom, printWarnings, readArguments, SETTINGS_FLAGS, SETTINGS_HELP } from './arguments.js';
import { EXIT, type Command } from './command.js';
import { checkNodeAddresses, nodeCertificateProblems } from './start-checks.js';

/** Runs the agent until SIGTERM or SIGINT. */
export const start: Command = {
  help: `Usage: fabric-ops-agent start [--node FILE]... [--config FILE]...
                              [--set KEY=VALUE]...

Runs the agent until SIGTERM or SIGINT. Changed TLS files are
reloaded, also at SIGHUP.

${SETTINGS_HELP}`,
  async run(args, process) {
    const { values } = readArguments(args, SETTINGS_FLAGS);
    const loaded = loadFrom(values, process);
    const { settings, files, warnings, nodes } = loaded;
    // A node may get its certificates later, so these problems do not prevent the start.
    const notes = [...warnings, ...nodeCertificateProblems(nodes)];
    printWarnings(notes, process);
    await checkNodeAddresses(loaded);
    const { cwd } = process;
    const changedFiles = trackChanges(files, cwd);
    const stopRequested = new Promise<void>((resolve) => process.onStop(resolve));
    let made: Agent | undefined;
    const broken = new Promise<void>((resolve, reject) => {
      process.onUncaught((error, isRejection) => {
        if (made === undefined) {
          reject(loadError(error));
          return false;
        }
        // After an exception outside of a plugin the state of the agent is unknown; after a rejection it is not.
        const isContained = made.handleUncaughtError(error) || isRejection;
        if (!isContained) resolve();
        return isContained;
      });
    });
    // Signals can arrive while the plugins are being loaded.
    process.onReload(() => made && reload(made, changedFiles()));
    await Promise.race([makeAgent(settings, notes).then((agent) => (made = agent)), stopRequested, broken]);
    const agent = made;
    if (agent === undefined) return EXIT.ok;
    // A slow plugin start must not delay the shutdown.
    await Promise.race([agent.start(), stopRequested, broken]);
    const status = await Promise.race([stopRequested.then(() => EXIT.ok), broken.then(() => EXIT.failed)]);
    await agent.stop();
    return status;
  },
};

/** Imported here because these modules take most of the start time of the program. */
async function makeAgent(settings: Settings, notes: readonly string[]): Promise<Agent> {
  const { createAgent } = await import('../agent.js');
  return createAgent(settings, notes);
}

/** Reloads the TLS files, and warns of changed configuration files, which a running agent does not read again. */
function reload(agent: Agent, changedFiles: readonly string[]): void {
  agent.reloadTls();
  if (changedFiles.length > 0)
    agent.logging
      .logger('operations')
      .warn(
        `configuration files are only read at start; restart to apply the changes in ${changedFiles.join(', ')}`,
      );
}

/** Before the agent exists, an uncaught error ends the program. */
function loadError(error: unknown): AgentError {
  const [place] = error instanceof Error ? placesIn(String(error.stack)) : [];
  return new AgentError(
    'PLUGIN_START_FAILED',
    `uncaught error while loading the plugins: ${reasonOf(error)}${place === undefined ? '' : `, at ${place}`}`,
    { cause: error },
  );
}

/**
 * Remembers the state of files.
 *
 * @returns a function that returns the files that have changed since
 */
function trackChanges(files: readonly string[], cwd: string): () => string[] {
  const before = new Map(files.map((file) => [file, stateOf(resolvePath(cwd, file))]));
  return () => files.filter((file) => stateOf(resolvePath(cwd, file)) !== before.get(file));
}

function stateOf(path: string): string {
  try {
    return versionOf(statSync(path));
  } catch {
    return 'not readable';
  }
}
