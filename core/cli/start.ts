import type { Settings } from '../../config/index.js';
import type { Agent } from '../agent.js';
import { AgentError, reasonOf } from '../contract/index.js';
import { loadFrom, printWarnings, readArguments, SETTINGS_FLAGS, SETTINGS_HELP } from './arguments.js';
import { EXIT, type Command } from './command.js';

/** Runs the service until it is told to stop. */
export const start: Command = {
  name: 'start',
  summary: 'run the operations service',
  help: `Usage: fabric-ops-agent start [--config FILE]... [--set KEY=VALUE]...

Runs the operations service until SIGTERM or SIGINT. SIGHUP reads the TLS files again.

${SETTINGS_HELP}`,
  async run(args, process) {
    const { values } = readArguments(args, SETTINGS_FLAGS);
    const { settings, warnings } = loadFrom(values, process);
    printWarnings(warnings, process);
    const stopRequested = new Promise<void>((resolve) => process.onStop(resolve));
    let made: Agent | undefined;
    const broken = new Promise<void>((resolve, reject) => {
      process.onUncaught((error, isRejection) => {
        if (made === undefined) return reject(strayError(error));
        const isContained = made.takeUncaught(error);
        // A rejection leaves nothing half-done; an exception that is not a plugin's may have.
        if (!isContained && !isRejection) resolve();
      });
    });
    // Both signals may come while the plugins are still being loaded.
    process.onReload(() => made?.reloadTls());
    await Promise.race([makeAgent(settings).then((agent) => (made = agent)), stopRequested, broken]);
    const agent = made;
    if (agent === undefined) return EXIT.ok;
    // A plugin that takes long to start must not keep the agent from being stopped.
    await Promise.race([agent.start(), stopRequested, broken]);
    const status = await Promise.race([stopRequested.then(() => EXIT.ok), broken.then(() => EXIT.failed)]);
    await agent.stop();
    return status;
  },
};

/** The modules that only a service needs take most of the time of a start. */
async function makeAgent(settings: Settings): Promise<Agent> {
  const { createAgent } = await import('../agent.js');
  return createAgent(settings);
}

/** There is no agent yet that could go on without whoever made it. */
function strayError(error: unknown): AgentError {
  const place = error instanceof Error ? /file:\/\/[^\s)]+/.exec(String(error.stack))?.[0] : undefined;
  return new AgentError(
    'PLUGIN_START_FAILED',
    `an error was not caught while the plugins were loaded: ${reasonOf(error)}${place === undefined ? '' : `, at ${place}`}`,
    { cause: error },
  );
}
