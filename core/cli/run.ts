// Runs the command that the arguments name.

import { suggestion } from '../common/text/nearest.js';
import { errorCodeOf } from '../contract/errors.js';
import { AgentError } from '../contract/index.js';
import { problemsOf } from '../settings.js';
import { bundle } from './bundle/bundle.js';
import { check } from './check.js';
import { EXIT, type Command, type Process } from './command.js';
import { config } from './config.js';
import { healthcheck } from './healthcheck.js';
import { plugins } from './plugins.js';
import { preflight } from './preflight.js';
import { rescue } from './rescue/command.js';
import { snapshot } from './snapshot.js';
import { start } from './start.js';
import { status } from './status.js';
import { version } from './version.js';

const help: Command = {
  name: 'help',
  summary: 'print this list, or the help of a command',
  help: 'Usage: fabric-ops-agent help [COMMAND]\n\nPrints the list of commands, or the help of one command.\n',
  async run([name], process) {
    process.out(name === undefined ? overview() : findCommand(name).help);
    return EXIT.ok;
  },
};

const commands: readonly Command[] = [
  start,
  config,
  plugins,
  check,
  healthcheck,
  status,
  bundle,
  preflight,
  snapshot,
  rescue,
  version,
  help,
];

/** Runs a command and prints its errors, one problem per line. Returns the exit status. */
export async function run(args: readonly string[], process: Process): Promise<number> {
  try {
    const [name = '--help', ...rest] = args;
    if (name === '--help' || name === '-h') return await help.run([], process);
    const command = name === '--version' || name === '-v' ? version : findCommand(name);
    if (rest.includes('--help') || rest.includes('-h')) return await help.run([command.name], process);
    return await command.run(rest, process);
  } catch (error) {
    process.error(
      problemsOf(error)
        .map((line) => `fabric-ops-agent: error: ${line}\n`)
        .join(''),
    );
    const code = errorCodeOf(error);
    return code === 'SETTINGS_INVALID' || code === 'USAGE' ? EXIT.usage : EXIT.failed;
  }
}

/**
 * Finds a command by its name.
 *
 * @throws AgentError `USAGE`
 */
function findCommand(name: string): Command {
  const command = commands.find((candidate) => candidate.name === name);
  if (command !== undefined) return command;
  const names = commands.map((candidate) => candidate.name);
  throw new AgentError('USAGE', `unknown command '${name}'; ${suggestion(name, names)}`);
}

function overview(): string {
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(12)} ${summary}\n`);
  return `fabric-ops-agent: an operations service for Hyperledger Fabric nodes\n\nUsage: fabric-ops-agent COMMAND [FLAGS]\n\n${lines.join('')}\nfabric-ops-agent COMMAND --help prints the flags of a command.\n`;
}
