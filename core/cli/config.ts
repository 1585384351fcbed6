import { createAgent } from '../agent.js';
import { AgentError } from '../contract/index.js';
import { loadFrom, readArguments, SETTINGS_FLAGS, SETTINGS_HELP } from './arguments.js';
import { EXIT, type Command } from './command.js';

const MASK = '********';

/** Checks or shows the settings. */
export const config: Command = {
  name: 'config',
  summary: 'check or print the settings',
  help: `Usage: fabric-ops-agent config check|print [--config FILE]... [--set KEY=VALUE]...

check   loads the settings and the plugins they declare, starts nothing, and says what is wrong
print   shows every setting with its effective value and where that came from; secrets are masked

${SETTINGS_HELP}`,
  async run(args, process) {
    const { values, positionals } = readArguments(args, SETTINGS_FLAGS, true);
    const [action, ...rest] = positionals;
    if ((action !== 'check' && action !== 'print') || rest.length > 0)
      throw new AgentError('USAGE', `config needs one of check and print: found '${positionals.join(' ')}'`);
    const loaded = loadFrom(values, process);
    if (action === 'check') {
      // Making an agent checks what only plugins know, and starts nothing.
      await (await createAgent(loaded.settings)).stop();
      process.out(`${loaded.files.join(', ')}: no problem found\n`);
      return EXIT.ok;
    }
    const rows = [...loaded.effective].map(([key, { value, origin, sensitive }]) => ({
      key,
      value: sensitive ? MASK : JSON.stringify(value),
      origin,
    }));
    const width = Math.max(...rows.map(({ key, value }) => key.length + value.length)) + 4;
    for (const { key, value, origin } of rows)
      process.out(`${`${key}: ${value}`.padEnd(Math.min(width, 72))}  # ${origin}\n`);
    for (const { plugin, name, onStartError, origin } of loaded.settings.plugins) {
      process.out(
        `plugin ${plugin}${name === undefined ? '' : ` as ${name}`}, on start error ${onStartError}  # ${origin}\n`,
      );
    }
    return EXIT.ok;
  },
};
