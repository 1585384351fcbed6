// Turns declarations into plugins that were found, understood and given options they accept. Everything that can be wrong is
// reported at once, before any plugin runs.

import { fileURLToPath } from 'node:url';
import { SettingsError, type PluginDeclaration } from '../../config/index.js';
import {
  definitionProblem,
  isPluginName,
  NAME_RULE,
  reasonOf,
  type PluginDefinition,
} from '../contract/index.js';
import { checkOptions } from './options.js';
import { builtInPlugins, resolvePlugin, type BuiltInPlugin } from './resolve.js';

/** A plugin that is ready to be created. */
export interface LoadedPlugin {
  readonly declaration: PluginDeclaration;
  readonly definition: PluginDefinition;
  /** The name of the instance. */
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** The path of its module. */
  readonly file: string;
}

/** What keeps a plugin that was loaded from being used. */
export function refusalOf({ declaration, name }: LoadedPlugin, error: unknown): SettingsError {
  return new SettingsError([`${declaration.origin}: plugin ${name}: ${reasonOf(error)}`]);
}

/**
 * Loads the plugins declared.
 *
 * @param folder where the built-in ones are, see {@link builtInPlugins}
 * @param earlier problems of the settings found before, to be reported with those of the plugins
 * @returns in start order: the one logging backend, then the others as declared
 * @throws SettingsError with every problem found
 */
export async function loadPlugins(
  declarations: readonly PluginDeclaration[],
  folder: string,
  earlier: readonly string[] = [],
): Promise<[LoadedPlugin, ...LoadedPlugin[]]> {
  const builtIn = builtInPlugins(folder);
  const problems: string[] = [];
  const loaded: LoadedPlugin[] = [];
  for (const declaration of declarations) {
    const plugin = await loadOne(declaration, builtIn, problems);
    if (plugin !== undefined) loaded.push(plugin);
  }
  const plugins = withoutFallbacks(loaded);
  problems.push(...duplicateProblems(plugins), ...backendProblems(plugins, problems.length === 0));
  const backend = plugins.find(isBackend);
  if (backend === undefined || earlier.length + problems.length > 0)
    throw new SettingsError([...earlier, ...problems]);
  return [backend, ...plugins.filter((plugin) => plugin !== backend)];
}

/** Imports a plugin module and looks at its definition; no plugin is created. */
export async function importPlugin(
  url: string,
): Promise<{ definition: PluginDefinition } | { problem: string }> {
  let module: { default?: unknown };
  try {
    module = (await import(url)) as { default?: unknown };
  } catch (error) {
    const reason = reasonOf(error);
    // A module beside a configuration file does not see the package that is installed elsewhere.
    const hint = reason.includes("'fabric-ops-agent'") ? '; npm install fabric-ops-agent beside it' : '';
    return { problem: `the module cannot be loaded: ${reason}${hint}` };
  }
  try {
    // A CommonJS module compiled from an ES module has its default export one level down.
    const exported = (module.default as { default?: unknown } | undefined)?.default ?? module.default;
    const problem = definitionProblem(exported);
    return problem === undefined ? { definition: exported as PluginDefinition } : { problem };
  } catch (error) {
    return { problem: `the default export cannot be read: ${reasonOf(error)}` };
  }
}

async function loadOne(
  declaration: PluginDeclaration,
  builtIn: readonly BuiltInPlugin[],
  problems: string[],
): Promise<LoadedPlugin | undefined> {
  const report = (problem: string): undefined =>
    void problems.push(`${declaration.origin}: plugin ${declaration.plugin}: ${problem}`);
  if (declaration.name !== undefined && !isPluginName(declaration.name))
    return report(`the name '${declaration.name}' cannot be used; allowed are ${NAME_RULE}`);
  const found = resolvePlugin(declaration.plugin, declaration.directory, builtIn);
  if ('problem' in found) return report(found.problem);
  const imported = await importPlugin(found.url);
  if ('problem' in imported) return report(imported.problem);
  const { definition } = imported;
  const { options, problems: optionProblems } = checkOptions(definition, declaration);
  problems.push(...optionProblems);
  return {
    declaration,
    definition,
    name: declaration.name ?? definition.name,
    options,
    file: fileURLToPath(found.url),
  };
}

const isBackend = ({ definition }: LoadedPlugin): boolean => definition.kind === 'logging';

/** A fallback stands in only where nothing else of its kind was declared. */
function withoutFallbacks(plugins: readonly LoadedPlugin[]): LoadedPlugin[] {
  return plugins.filter(
    ({ declaration, definition }) =>
      !declaration.fallback ||
      !plugins.some((other) => !other.declaration.fallback && other.definition.kind === definition.kind),
  );
}

function duplicateProblems(plugins: readonly LoadedPlugin[]): string[] {
  const first = new Map<string, LoadedPlugin>();
  return plugins.flatMap((plugin) => {
    const other = first.get(plugin.name);
    if (other === undefined) {
      first.set(plugin.name, plugin);
      return [];
    }
    return [
      `${plugin.declaration.origin}: plugin ${plugin.declaration.plugin}: the name '${plugin.name}' is taken by the plugin declared in ${other.declaration.origin}; give one of them another name`,
    ];
  });
}

function backendProblems(plugins: readonly LoadedPlugin[], othersAreFine: boolean): string[] {
  const backends = plugins.filter(isBackend);
  if (backends.length === 1 || (backends.length === 0 && !othersAreFine)) return [];
  const found =
    backends.length === 0
      ? 'none is declared'
      : `declared are ${backends.map(({ name, declaration }) => `'${name}' in ${declaration.origin}`).join(' and ')}`;
  return [`plugins: exactly one logging backend is needed, ${found}`];
}
