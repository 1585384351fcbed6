import { formatDuration, formatHostPort, type HostPort, type LoadedSettings } from '../../config/index.js';
import { BUILT_IN } from '../built-in.js';
import { AgentError, type OptionSpec } from '../contract/index.js';
import type { LoadedPlugin } from '../host/index.js';
import { loadFrom, printWarnings, readArguments, SETTINGS_FLAGS, SETTINGS_HELP } from './arguments.js';
import { EXIT, type Command } from './command.js';

/** What is shown in place of a secret. */
export const MASK = '********';

/** Checks or shows the settings. */
export const config: Command = {
  name: 'config',
  summary: 'check or print the settings',
  help: `Usage: fabric-ops-agent config check|print [--config FILE]... [--set KEY=VALUE]...

check   loads the settings, the plugins they declare and the TLS files, starts nothing, and says
        what is wrong
print   shows every setting and every option of a plugin with its effective value and where that
        came from; secrets are masked

${SETTINGS_HELP}`,
  async run(args, process) {
    const { values, positionals } = readArguments(args, SETTINGS_FLAGS, true);
    const [action, ...rest] = positionals;
    if ((action !== 'check' && action !== 'print') || rest.length > 0)
      throw new AgentError('USAGE', `config needs one of check and print: found '${positionals.join(' ')}'`);
    const loaded = loadFrom(values, process);
    if (action === 'check') {
      printWarnings(loaded.warnings, process);
      const { createAgent } = await import('../agent.js');
      // Making an agent checks what only plugins know and reads the TLS files; it starts nothing.
      await (await createAgent(loaded.settings)).stop();
      process.out(`${loaded.files.join(', ')}: no problem found\n`);
    } else {
      const { loadPlugins } = await import('../host/index.js');
      process.out(describe(loaded, await loadPlugins(loaded.settings.plugins, BUILT_IN)));
    }
    return EXIT.ok;
  },
};

/** Settings first, then plugins; the list of plugins appears as those, since it may hold secrets only they know of. */
function describe({ effective }: LoadedSettings, plugins: readonly LoadedPlugin[]): string {
  const settings = [...effective]
    .filter(([key]) => key !== 'plugins')
    .map(([key, { value, origin, sensitive }]) => row(`${key}: ${show(value, sensitive)}`, origin));
  const declared = plugins.flatMap(({ name, definition, declaration, options }) => [
    row(
      `plugin ${name} (${definition.kind}), on start error: ${declaration.onStartError}`,
      declaration.origin,
    ),
    ...Object.entries(options).map(([option, value]) => {
      const spec = definition.options[option];
      return `    ${option}: ${show(asWritten(value, spec?.format), spec?.sensitive)}\n`;
    }),
  ]);
  return [...settings, ...declared].join('');
}

/** The value of an option as it could be written in a file. */
function asWritten(value: unknown, format: OptionSpec['format'] | undefined): unknown {
  if (format === 'duration') return formatDuration(value as number);
  return format === 'host-port' ? formatHostPort(value as HostPort) : value;
}

const row = (text: string, origin: string): string => `${text.padEnd(60)}  # ${origin}\n`;

const show = (value: unknown, sensitive = false): string => (sensitive ? MASK : JSON.stringify(value));
