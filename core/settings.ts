// Loads settings with the plugins that the configuration implies.

import {
  defineSettings as define,
  loadSettings as load,
  withPlugins,
  SettingsError,
  type BesideNode,
  type LoadedSettings,
  type PluginDeclaration,
  type Settings,
  type Sources,
} from '../config/index.js';
import { BUILT_IN } from './built-in.js';
import { errorCodeOf } from './contract/errors.js';
import { reasonOf } from './contract/index.js';
import { findBuiltIn } from './host/built-in.js';
import type { ConfiguredAgent } from './contract/for-node.js';
import { declareForNode, separateOrigins, unknownChecks, withNodes } from './for-nodes.js';

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
  const agent: ConfiguredAgent = {
    nodeCount: nodes.length,
    get(key) {
      const { value, origin = 'default', isDefault = true } = effective.get(key) ?? {};
      return { value, origin: `${origin}: ${key}`, isDefault };
    },
  };
  const [backend, ...others] = impliedBySettings(agent, loaded);
  const unknown = unknownChecks(nodes, CHECKS);
  const declared = settings.plugins.map((each) => listedPlugin(each, variables, loaded, agent, unknown));
  // The names of other plugins are known when they are loaded.
  if (unknown.size > 0 && !declared.some(({ forNodes }) => forNodes !== undefined))
    throw new SettingsError([...unknown.values()]);
  return [
    ...(backend === undefined ? [] : [backend]),
    ...nodes.flatMap((node) => besideNode(node, agent)),
    ...others,
    ...declared,
  ];
}

/** The built-in plugins that a node can imply. */
const CHECKS = BUILT_IN.flatMap(({ name, configured }) => (configured.forNode === undefined ? [] : [name]));

function impliedBySettings(
  agent: ConfiguredAgent,
  { effective, directory }: LoadedSettings,
): PluginDeclaration[] {
  return BUILT_IN.flatMap(({ kind, name, configured }) => {
    const found = configured.forAgent?.(agent);
    if (found === undefined) return [];
    const { key, options } = found;
    const fallback = kind === 'logging' || effective.get(key)?.isDefault === true;
    const { origin } = agent.get(key);
    const declaration = { plugin: name, name: undefined, origin, directory, fallback } as const;
    return [{ ...declaration, onStartError: 'fail', ...separateOrigins(options, origin) }];
  });
}

/** What the node's file implies must not stop the agent, which still does everything else for the node. */
function besideNode(node: BesideNode, agent: ConfiguredAgent): PluginDeclaration[] {
  const { origin, directory } = node;
  return BUILT_IN.flatMap(({ name, configured }) => {
    const declaration = { plugin: name, onStartError: 'retry', origin, directory } as const;
    return declareForNode({ ...configured, name }, declaration, node, agent) ?? [];
  });
}

/** Options in a declaration override variables, since the variables are for every program and every instance. */
function listedPlugin(
  declaration: PluginDeclaration,
  { environment, cwd }: Variables,
  { nodes }: LoadedSettings,
  agent: ConfiguredAgent,
  unknown: ReadonlyMap<string, string>,
): PluginDeclaration {
  const builtIn = findBuiltIn(declaration.plugin, BUILT_IN);
  // A built-in plugin is declared for each node anyway.
  if (builtIn === undefined) return withNodes(declaration, nodes, agent, unknown);
  const { fromEnvironment } = builtIn.configured;
  if (fromEnvironment === undefined) return declaration;
  const declared = new Set(Object.keys(declaration.options).map((name) => name.toLowerCase()));
  const variables = Object.entries(fromEnvironment(environment, cwd)).filter(([name]) => !declared.has(name));
  const { options, optionOrigins } = separateOrigins(Object.fromEntries(variables), declaration.origin);
  return { ...declaration, options: { ...declaration.options, ...options }, optionOrigins };
}
