// Loads settings with the plugins that the configuration implies.

import {
  defineSettings as define,
  loadSettings as load,
  withPlugins,
  type BesideNode,
  type LoadedSettings,
  type PluginDeclaration,
  type SettingsError,
  type Settings,
  type Sources,
} from '../config/index.js';
import type { Sourced } from './common/text/sourced.js';
import { BUILT_IN } from './built-in.js';
import { errorCodeOf } from './contract/errors.js';
import { reasonOf } from './contract/index.js';
import { findBuiltIn } from './host/built-in.js';
import type { AgentConfig, ImpliedOptions } from './contract/implied.js';

/** The problems of an error: each problem of a SettingsError, else the reason. */
export function problemsOf(error: unknown): readonly string[] {
  return errorCodeOf(error) === 'SETTINGS_INVALID' ? (error as SettingsError).problems : [reasonOf(error)];
}

/** The variables of the process, and the directory of the relative paths in them. */
type Variables = Pick<Sources, 'environment' | 'cwd'>;

/**
 * Loads settings.
 *
 * @throws SettingsError with every problem found
 */
export function loadSettings(sources: Sources): LoadedSettings {
  const loaded = load(sources);
  return { ...loaded, settings: withPlugins(loaded.settings, declarePlugins(loaded, sources)) };
}

/**
 * Settings for embedding, from values by dotted key, such as `{'operations.listenAddress': '127.0.0.1:0'}`. Reads no environment
 * variables, and no files except those of the nodes that `node.config` or `nodes` name.
 *
 * @param directory the directory that relative paths and plugins are resolved against
 * @throws SettingsError with every problem found
 */
export function defineSettings(values: Readonly<Record<string, unknown>>, directory: string): Settings {
  const defined = define(values, directory);
  return withPlugins(defined.settings, declarePlugins(defined, { environment: {}, cwd: directory }));
}

/** The logging backend, the plugins of the nodes, then those that our other settings imply, then the listed ones. */
function declarePlugins(loaded: LoadedSettings, variables: Variables): PluginDeclaration[] {
  const { effective, nodes, settings } = loaded;
  const agent: AgentConfig = {
    nodeCount: nodes.length,
    get(key) {
      const { value, origin = 'default', isDefault = true } = effective.get(key) ?? {};
      return { value, origin: `${origin}: ${key}`, isDefault };
    },
  };
  const [backend, ...others] = impliedBySettings(agent, loaded);
  return [
    ...(backend === undefined ? [] : [backend]),
    ...nodes.flatMap((node) => besideNode(node, agent)),
    ...others,
    ...settings.plugins.map((declaration) => withVariables(declaration, variables)),
  ];
}

function impliedBySettings(
  agent: AgentConfig,
  { effective, directory }: LoadedSettings,
): PluginDeclaration[] {
  return BUILT_IN.flatMap(({ kind, name, implied }) => {
    const found = implied.settings?.(agent);
    if (found === undefined) return [];
    const { key, options } = found;
    const fallback = kind === 'logging' || effective.get(key)?.isDefault === true;
    const { origin } = agent.get(key);
    return [
      declare({ plugin: name, name: undefined, origin, directory, fallback, onStartError: 'fail' }, options),
    ];
  });
}

function besideNode(node: BesideNode, agent: AgentConfig): PluginDeclaration[] {
  const { origin, directory } = node;
  return BUILT_IN.flatMap(({ name: plugin, implied }) => {
    const { beside, component = plugin, switch: key = plugin } = implied;
    const options = node.isOff(key) ? undefined : beside?.(node, agent);
    if (options === undefined) return [];
    const name = component === '' ? node.name : `${node.name}/${component}`;
    // What the node's file implies must not stop the agent, which still does everything else for the node.
    return [declare({ plugin, name, origin, directory, fallback: false, onStartError: 'retry' }, options)];
  });
}

function declare(
  declaration: Omit<PluginDeclaration, 'options' | 'optionOrigins'>,
  options: ImpliedOptions,
): PluginDeclaration {
  return { ...declaration, ...separate(Object.entries(options)) };
}

/** Options in a declaration override variables, since the variables are for every program and every instance. */
function withVariables(declaration: PluginDeclaration, { environment, cwd }: Variables): PluginDeclaration {
  const { variables } = findBuiltIn(declaration.plugin, BUILT_IN)?.implied ?? {};
  if (variables === undefined) return declaration;
  const declared = new Set(Object.keys(declaration.options).map((name) => name.toLowerCase()));
  const { options, optionOrigins } = separate(
    Object.entries(variables(environment, cwd)).filter(([name]) => !declared.has(name)),
  );
  return { ...declaration, options: { ...declaration.options, ...options }, optionOrigins };
}

function separate(
  options: readonly (readonly [string, Sourced<unknown>])[],
): Required<Pick<PluginDeclaration, 'options' | 'optionOrigins'>> {
  return {
    options: Object.fromEntries(options.map(([name, { value }]) => [name, value])),
    optionOrigins: Object.fromEntries(options.map(([name, { origin }]) => [name, origin])),
  };
}
