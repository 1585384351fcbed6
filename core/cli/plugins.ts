import { BUILT_IN } from '../built-in.js';
import { reasonOf, type OptionSpec, type PluginDefinition } from '../contract/index.js';
import { loadFrom, readArguments, SETTINGS_FLAGS, SETTINGS_HELP } from './arguments.js';
import { EXIT, type Command, type Process } from './command.js';
import { MASK } from './config.js';

/** Lists plugins and their options. */
export const plugins: Command = {
  name: 'plugins',
  summary: 'list the built-in and the configured plugins',
  help: `Usage: fabric-ops-agent plugins [--config FILE]... [--set KEY=VALUE]...

Lists the plugins that come with the package and those that the settings declare, each with its
kind and its options: format, default, meaning.

${SETTINGS_HELP}`,
  async run(args, process) {
    const { values } = readArguments(args, SETTINGS_FLAGS);
    const { builtInPlugins, importPlugin, loadPlugins } = await import('../host/index.js');
    process.out('Built in:\n');
    for (const { url, name } of builtInPlugins(BUILT_IN)) {
      const imported = await importPlugin(url);
      if ('definition' in imported) show(imported.definition, `  ${name}`, process);
      else process.out(`  ${name}: ${imported.problem}\n`);
    }
    const { settings } = loadFrom(values, process);
    process.out('Configured:\n');
    for (const { name, definition, declaration } of await loadPlugins(settings.plugins, BUILT_IN)) {
      show(definition, `  ${name}, declared by ${declaration.origin}`, process);
    }
    return EXIT.ok;
  },
};

function show({ kind, options }: PluginDefinition, heading: string, process: Process): void {
  process.out(`${heading} (${kind})\n`);
  for (const [name, spec] of Object.entries(options)) {
    const fallback =
      spec.default === undefined
        ? 'required'
        : `default ${spec.sensitive === true ? MASK : JSON.stringify(spec.default)}`;
    process.out(`      ${name}: ${formatName(spec)}, ${fallback}: ${spec.doc}\n`);
  }
}

/** The format of an option in words. */
function formatName({ format }: OptionSpec): string {
  if (typeof format === 'string') return format;
  if (typeof format === 'object') return `one of ${format.join(', ')}`;
  if (format === String) return 'string';
  if (format === Number) return 'number';
  return format === Boolean ? 'boolean' : allowedBy(format);
}

/** A checking function says what it allows when it is given nothing. */
function allowedBy(check: (value: unknown) => void): string {
  try {
    check(undefined);
    return 'checked by the plugin';
  } catch (error) {
    return reasonOf(error).replace(/^must be /, '');
  }
}
