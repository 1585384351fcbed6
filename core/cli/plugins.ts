// `plugins`: lists the plugins, and shows the options of one.

import { SettingsError } from '../../config/index.js';
import { nearest } from '../common/text/nearest.js';
import { table } from '../common/text/table.js';
import { BUILT_IN } from '../built-in.js';
import { AgentError, reasonOf, type PluginDefinition } from '../contract/index.js';
import type { OptionSpec } from '../contract/plugin.js';
import type { LoadedPlugin } from '../host/index.js';
import { loadFrom, readArguments, SETTINGS_FLAGS, SETTINGS_HELP } from './arguments.js';
import { EXIT, type Command, type Process } from './command.js';
import { MASK } from '../common/text/spans.js';

/** A plugin that the command can show. */
interface Listed {
  readonly name: string;
  readonly definition: PluginDefinition;
  /** Where the code of the plugin is from, and where the plugin is declared. */
  readonly source: string;
  /** The value of `plugin:` in its declaration; undefined: it is not declared. */
  readonly plugin?: string;
}

/** Lists plugins, or the options of one of them. */
export const plugins: Command = {
  help: `Usage: fabric-ops-agent plugins [NAME] [--node FILE]... [--config FILE]...
                                [--set KEY=VALUE]...
       fabric-ops-agent plugins new KIND DIR

Without NAME: lists the built-in plugins and the plugins that the settings
declare, one per line, each with its kind and where it comes from. With NAME,
the name of a plugin or the value of "plugin:" in a declaration, such as
./own.mjs or a package: prints the options of each such plugin, each with its
format, default and meaning.

new writes a package with a plugin of your own into the directory DIR, which
must be new or empty: its source in TypeScript, a test with the contract suite
of its kind, and a README with the next steps. KIND is checker, sink, source,
notifier or logging.

${SETTINGS_HELP}`,
  async run(args, process) {
    const { values, positionals } = readArguments(args, SETTINGS_FLAGS, true);
    const [name, ...rest] = positionals;
    const { cwd } = process;
    if (name === 'new') {
      const { writeNewPlugin } = await import('./new-plugin.js');
      process.out(writeNewPlugin(rest, cwd));
      return EXIT.ok;
    }
    if (rest.length > 0) throw new AgentError('USAGE', `unexpected argument '${rest.join(' ')}'`);
    const builtIn = await loadBuiltIn();
    let declared: readonly LoadedPlugin[];
    try {
      declared = await loadDeclared(values, process);
    } catch (error) {
      // The user may need the options of a built-in plugin to correct the settings.
      const known = builtIn.find((plugin) => plugin.name === name);
      if (!(error instanceof SettingsError) || (name !== undefined && known === undefined)) throw error;
      process.out(known === undefined ? list(builtIn) : describe(known));
      throw error;
    }
    const all = merge(builtIn, declared);
    if (name === undefined) {
      process.out(list(all));
      return EXIT.ok;
    }
    const known = all.filter((each) => each.name === name || each.plugin === name);
    const found = known.length > 0 ? known : [await loadUndeclared(name, cwd, all)];
    process.out(found.map(describe).join(''));
    return EXIT.ok;
  },
};

async function loadBuiltIn(): Promise<Listed[]> {
  const { importPlugin } = await import('../host/index.js');
  const found = BUILT_IN.map(async ({ name, url }) => {
    const imported = await importPlugin(url);
    if ('problem' in imported) throw new Error(`built-in plugin ${name}: ${imported.problem}`);
    return { name, definition: imported.definition, source: 'built in, not declared' };
  });
  return Promise.all(found);
}

async function loadDeclared(
  values: Parameters<typeof loadFrom>[0],
  process: Process,
): Promise<readonly LoadedPlugin[]> {
  const { loadPlugins } = await import('../host/index.js');
  return loadPlugins(loadFrom(values, process).settings, BUILT_IN);
}

/**
 * Loads a plugin that no settings declare.
 *
 * @param plugin as `plugin:` in a declaration
 * @param all the plugins with names that may be meant
 * @throws AgentError `USAGE`
 */
async function loadUndeclared(plugin: string, cwd: string, all: readonly Listed[]): Promise<Listed> {
  const { importPlugin, resolvePlugin } = await import('../host/index.js');
  const resolution = resolvePlugin(plugin, cwd, BUILT_IN);
  const near = nearest(
    plugin,
    all.map(({ name }) => name),
  );
  if ('problem' in resolution && near.length > 0)
    throw new AgentError('USAGE', `unknown plugin '${plugin}'; did you mean ${near.join(' or ')}?`);
  const imported = 'url' in resolution ? await importPlugin(resolution.url) : resolution;
  if ('problem' in imported) throw new AgentError('USAGE', `plugin ${plugin}: ${imported.problem}`);
  return {
    name: imported.definition.name,
    definition: imported.definition,
    source: `${plugin}, not declared`,
  };
}

/** The declared plugins and the built-in plugins that are not declared, sorted by name. */
function merge(builtIn: readonly Listed[], declared: readonly LoadedPlugin[]): Listed[] {
  const isBuiltIn = (definition: PluginDefinition): boolean =>
    builtIn.some((plugin) => plugin.definition === definition);
  const used = declared.map(({ name, definition, declaration: { plugin, origin, fallback } }) => ({
    name,
    definition,
    plugin,
    source: `${isBuiltIn(definition) ? 'built in' : plugin}, ${fallback ? defaultSource(definition, origin) : `declared by ${origin}`}`,
  }));
  const unused = builtIn.filter(
    ({ name, definition }) =>
      !used.some(
        (plugin) =>
          plugin.definition === definition ||
          (plugin.name === name && plugin.definition.kind === definition.kind),
      ),
  );
  const key = ({ name, definition }: Listed): string => `${name} ${definition.kind}`;
  return [...used, ...unused].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** The default logging backend has the origin of the log format. */
const defaultSource = ({ kind }: PluginDefinition, origin: string): string =>
  kind === 'logging' ? 'default' : origin;

function list(all: readonly Listed[]): string {
  const rows = all.map(({ name, definition, source }) => [name, definition.kind, source]);
  return `${table(rows, '', Infinity).join('\n')}\n`;
}

function describe({ name, definition, source }: Listed): string {
  const options = Object.entries(definition.options).map(([option, spec]) => {
    const fallback =
      spec.default === undefined
        ? 'required'
        : `default ${spec.sensitive === true ? MASK : JSON.stringify(spec.default)}`;
    return `  ${option}: ${formatName(spec)}, ${fallback}: ${spec.doc}\n`;
  });
  const heading = `${name} (${definition.kind}): ${source}\n`;
  return `${heading}${options.length === 0 ? '  no options\n' : options.join('')}`;
}

/** The name of the format of an option. */
function formatName({ format }: OptionSpec): string {
  if (format === String) return 'string';
  if (format === Number) return 'number';
  if (format === Boolean) return 'boolean';
  if (format === 'host-port') return 'host:port';
  if (format === 'path-list') return 'list of paths';
  if (typeof format === 'string') return format;
  return typeof format === 'object' ? `one of ${format.join(', ')}` : allowedBy(format);
}

/** A format function reports the allowed values when it rejects a value. */
function allowedBy(check: (value: unknown) => void): string {
  try {
    check(undefined);
    return 'any value that the plugin accepts';
  } catch (error) {
    return reasonOf(error).replace(/^(?:[a-z ]+: )?must be /, '');
  }
}
