// Loads declared plugins: finds their modules, checks their definitions and options. All problems are reported together, before any
// plugin runs.

import { fileURLToPath } from 'node:url';
import {
  checkValues,
  SettingsError,
  type Configured,
  type Leaf,
  type LoadedNode,
  type PluginDeclaration,
  type RawValue,
} from '../../config/index.js';
import { suggestion } from '../common/text/nearest.js';
import { showValue } from '../common/text/value.js';
import { isPluginName, NAME_RULE } from '../contract/definition.js';
import { reasonOf, type PluginDefinition } from '../contract/index.js';
import type { OptionSpec } from '../contract/plugin.js';
import type { BuiltInPlugin } from './built-in.js';
import { declareListed, declarePlugins, type PluginSettings } from './implied.js';
import { importPlugin, resolvePlugin } from './module.js';
import { placeIn, stackOf } from './stack.js';

/** A loaded plugin: its definition is valid, its options are checked. */
export interface LoadedPlugin {
  readonly declaration: PluginDeclaration;
  readonly definition: PluginDefinition;
  /** The name of the instance. */
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** Probable mistakes in its options, although they are valid. */
  readonly warnings: readonly string[];
  /** The path of its module. */
  readonly file: string;
  readonly isBuiltIn: boolean;
  /** Whether problems are reported with stacks. */
  readonly showsStacks: boolean;
}

/** The error of a loaded plugin that cannot be used. */
export function pluginError({ declaration, name }: LoadedPlugin, problem: string): SettingsError {
  return new SettingsError([`${declaration.origin}: plugin ${name}: ${problem}`]);
}

/** The error of a failed `create` or `init` of a plugin. Messages of built-in plugins are complete: they name the option. */
export function failedError(loaded: LoadedPlugin, phase: 'create' | 'init', error: unknown): SettingsError {
  const problem = loaded.isBuiltIn
    ? reasonOf(error)
    : `${phase} failed: ${reasonOf(error)}${placeText(loaded, error)}`;
  return pluginError(loaded, withStack(problem, stackOf(error), loaded));
}

/** Where in a plugin an error happened, such as ` (check.mjs:12)`; empty if unknown. */
export function placeText({ file, isBuiltIn }: LoadedPlugin, error: unknown): string {
  const place = isBuiltIn ? undefined : placeIn(file, error);
  return place === undefined ? '' : ` (${place})`;
}

const withStack = (
  problem: string,
  stack: string,
  { showsStacks }: Pick<LoadedPlugin, 'showsStacks'>,
): string => (showsStacks && stack !== '' ? `${problem} stack=${JSON.stringify(stack)}` : problem);

/** Options for loading plugins. */
export interface LoadOptions {
  /** Problems of the settings that were found before, to report together with the problems of the plugins. @default none */
  readonly earlier?: readonly string[];
  /** Whether problems are reported with the stacks of errors. @default false */
  readonly showsStacks?: boolean;
}

/**
 * Loads the plugins that the settings imply and list.
 *
 * @returns in start order: the logging backend, then the sources, which the others need until they stop, then the others as declared
 * @throws SettingsError with every problem found
 */
export async function loadPlugins(
  settings: PluginSettings,
  builtIn: readonly BuiltInPlugin[],
  { earlier = [], showsStacks = false }: LoadOptions = {},
): Promise<[LoadedPlugin, ...LoadedPlugin[]]> {
  const problems: string[] = [];
  const loaded: LoadedPlugin[] = [];
  const { configured } = settings;
  const checks = new Set(builtIn.flatMap(({ name, mayBeForNode }) => (mayBeForNode ? [name] : [])));
  const loading = { builtIn, configured, problems, checks, showsStacks };
  for (const declaration of await declarePlugins(settings, builtIn))
    loaded.push(...(await loadDeclared(declaration, loading)));
  problems.push(...unknownChecks(configured.nodes, checks));
  const plugins = withoutReplacedDefaults(loaded);
  problems.push(...duplicateProblems(plugins), ...backendProblems(plugins, problems.length === 0));
  const backend = plugins.find(isBackend);
  if (backend === undefined || earlier.length + problems.length > 0)
    throw new SettingsError([...earlier, ...problems]);
  const others = plugins.filter((plugin) => plugin !== backend);
  return [backend, ...others.filter(isSource), ...others.filter((plugin) => !isSource(plugin))];
}

/** The problems of unknown names in `node.checks`. @param names the plugins that can be switched off */
function unknownChecks(nodes: readonly LoadedNode[], names: ReadonlySet<string>): string[] {
  return nodes.flatMap(({ checks: { value, origin } }) =>
    [...value.keys()]
      .filter((name) => !names.has(name))
      .map((name) => `${origin}: unknown check '${name}'; ${suggestion(name, [...names])}`),
  );
}

/** The state that all plugins share while they are loaded. */
interface Loading {
  readonly builtIn: readonly BuiltInPlugin[];
  readonly configured: Configured;
  readonly problems: string[];
  /** The names of plugins that `node.checks` can switch off. */
  readonly checks: Set<string>;
  readonly showsStacks: boolean;
}

/** Loads a declared plugin: once, or once for each of its nodes. */
async function loadDeclared(
  declaration: PluginDeclaration,
  { builtIn, configured, problems, checks, showsStacks }: Loading,
): Promise<LoadedPlugin[]> {
  const report = (problem: string): [] => {
    problems.push(`${declaration.origin}: plugin ${declaration.plugin}: ${problem}`);
    return [];
  };
  if (declaration.name !== undefined && !isPluginName(declaration.name))
    return report(`invalid name '${declaration.name}'; allowed are ${NAME_RULE}`);
  const found = resolvePlugin(declaration.plugin, declaration.directory, builtIn);
  if ('problem' in found) return report(found.problem);
  const imported = await importPlugin(found.url);
  if ('problem' in imported)
    return report(withStack(imported.problem, imported.stack ?? '', { showsStacks }));
  const { definition } = imported;
  const isBuiltIn = builtIn.some(({ url }) => url === found.url);
  if (definition.forNode !== undefined && !isBuiltIn) checks.add(declaration.name ?? definition.name);
  let declarations: readonly PluginDeclaration[];
  try {
    declarations = declareListed(definition, declaration, configured, isBuiltIn);
  } catch (error) {
    return report(withStack(reasonOf(error), stackOf((error as Error).cause), { showsStacks }));
  }
  return declarations.map((each) => {
    const { options, warnings, problems: invalid } = checkOptions(definition, each);
    problems.push(...invalid);
    return {
      declaration: each,
      definition,
      name: each.name ?? definition.name,
      options,
      warnings,
      file: fileURLToPath(found.url),
      isBuiltIn,
      showsStacks,
    };
  });
}

const isBackend = ({ definition }: LoadedPlugin): boolean => definition.kind === 'logging';
const isSource = ({ definition }: LoadedPlugin): boolean => definition.kind === 'source';

/** Removes each default plugin if another plugin of its kind is declared. */
function withoutReplacedDefaults(plugins: readonly LoadedPlugin[]): LoadedPlugin[] {
  return plugins.filter(
    ({ declaration, definition }) =>
      !declaration.fallback ||
      !plugins.some((other) => !other.declaration.fallback && other.definition.kind === definition.kind),
  );
}

/** Names must be unique among the plugins of a kind; the source and the checker of a node share its name. */
function duplicateProblems(plugins: readonly LoadedPlugin[]): string[] {
  const first = new Map<string, LoadedPlugin>();
  return plugins.flatMap((plugin) => {
    const { kind } = plugin.definition;
    const other = first.get(`${kind} ${plugin.name}`);
    if (other === undefined) {
      first.set(`${kind} ${plugin.name}`, plugin);
      return [];
    }
    return [
      `${plugin.declaration.origin}: plugin ${plugin.declaration.plugin}: duplicate name '${plugin.name}', already used by the plugin declared in ${other.declaration.origin}; set another name for one of them`,
    ];
  });
}

function backendProblems(plugins: readonly LoadedPlugin[], allLoaded: boolean): string[] {
  const backends = plugins.filter(isBackend);
  if (backends.length === 1 || (backends.length === 0 && !allLoaded)) return [];
  const found = backends.map(({ name, declaration }) => `'${name}' in ${declaration.origin}`).join(' and ');
  return [`plugins: exactly one logging backend must be declared: found ${found || 'none'}`];
}

/** Checked options, or one line for each problem: declaration, option, allowed values, value. */
interface CheckedOptions {
  readonly options: Readonly<Record<string, unknown>>;
  readonly problems: readonly string[];
  /** One line for each valid value that is probably a mistake. */
  readonly warnings: readonly string[];
}

/** Checks the options of a declaration. Names ignore case. */
export function checkOptions(
  { options: schema, name: plugin }: PluginDefinition,
  declaration: PluginDeclaration,
): CheckedOptions {
  const optionProblem = (origin: string, option: string, text: string): string =>
    `${origin}: plugin ${declaration.name ?? plugin}: options.${option}: ${text}`;
  const knownNames = new Map(Object.keys(schema).map((name) => [name.toLowerCase(), name]));
  const raw = new Map<string, RawValue>();
  const problems: string[] = [];
  for (const [name, value] of Object.entries(declaration.options)) {
    const known = knownNames.get(name.toLowerCase());
    if (known === undefined) {
      const text = `unknown option; ${suggestion(name, [...knownNames.values()])}`;
      problems.push(optionProblem(declaration.origin, name, text));
    } else if (value !== null && value !== undefined) {
      const origin = declaration.optionOrigins?.[known] ?? declaration.origin;
      raw.set(known, { value, origin, directory: declaration.directory });
    }
  }
  const leaves = new Map(Object.entries(schema).map(([name, spec]) => [name, leafOf(spec)]));
  const { values, invalid } = checkValues(leaves, raw);
  for (const { key, origin = declaration.origin, reason } of invalid)
    problems.push(optionProblem(origin, key, reason));
  const warnings = Object.entries(schema).flatMap(([name, spec]) => {
    const warning = values.has(name) ? warningOf(spec, values.get(name)) : undefined;
    return warning === undefined
      ? []
      : [optionProblem(raw.get(name)?.origin ?? declaration.origin, name, warning)];
  });
  return { options: Object.freeze(Object.fromEntries(values)), problems, warnings };
}

function warningOf({ warn, sensitive = false }: OptionSpec, value: unknown): string | undefined {
  try {
    const warning = warn?.(value);
    return warning === undefined || sensitive ? warning : `${warning}: value was ${showValue(value)}`;
  } catch (error) {
    return `its warn function failed: ${reasonOf(error)}`;
  }
}

function leafOf({ doc, format, default: fallback, sensitive = false }: OptionSpec): Leaf {
  return { doc, format: formatOf(format), default: fallback, sensitive: sensitive !== false };
}

function formatOf(format: OptionSpec['format']): Leaf['format'] {
  if (format === String) return 'string';
  if (format === Number) return 'number';
  if (format === Boolean) return 'boolean';
  return format as Leaf['format'];
}
