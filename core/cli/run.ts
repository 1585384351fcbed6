// Runs the command that the arguments name.

import { errorCodeOf } from '../contract/errors.js';
import { problemsOf } from '../problems.js';
import { EXIT, type Command, type Process } from './command.js';
import { config } from './config.js';
import { healthcheck } from './healthcheck.js';
import { createHelp, findCommand } from './help.js';
import { plugins } from './plugins.js';
import { start } from './start.js';
import { status } from './status.js';
import { version } from './version.js';

const commands: readonly Command[] = [start, config, plugins, healthcheck, status, version];
const help = createHelp(commands);

/** Runs a command and prints its errors, one problem per line. Returns the exit status. */
export async function run(args: readonly string[], process: Process): Promise<number> {
  try {
    const [name = '--help', ...rest] = args;
    if (name === '--help' || name === '-h') return await help.run([], process);
    const command = name === '--version' ? version : findCommand([...commands, help], name);
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
