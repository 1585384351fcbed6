// Loads settings and adds the plugins that the configuration implies.

import {
  defineSettings as define,
  loadSettings as load,
  withPlugins,
  SettingsError,
  type LoadedNode,
  type LoadedSettings,
  type PluginDeclaration,
  type Settings,
  type Sources,
} from '../config/index.js';
import { suggestion } from './common/text/nearest.js';
import { BUILT_IN } from './built-in.js';
import { errorCodeOf } from './contract/errors.js';
import { reasonOf } from './contract/index.js';
import { findBuiltIn } from './host/built-in.js';
import { configuredAgent, declareForNode, separateOrigins } from './host/for-nodes.js';
import type { ConfiguredAgent } from './contract/for-node.js';

/** The problems of an error: each problem of a SettingsError, else the reason. */
export function problemsOf(error: unknown): readonly string[] {
  return errorCodeOf(error) === 'SETTINGS_INVALID' ? (error as SettingsError).problems : [reasonOf(error)];
}

/** The environment variables, and the directory for relative paths in them. */
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
 * variables, and no files except the files of the nodes that `node.config` or `nodes` name.
 *
 * @param directory the directory that relative paths and plugins are resolved against
 * @throws SettingsError with every problem found
 */
export function defineSettings(values: Readonly<Record<string, unknown>>, directory: string): Settings {
  const defined = define(values, directory);
  return withPlugins(defined.settings, declarePlugins(defined, { environment: {}, cwd: directory }));
}

/** Declares the logging backend, the plugins of the nodes, the plugins that other settings imply, then the listed ones. */
function declarePlugins(loaded: LoadedSettings, variables: Variables): PluginDeclaration[] {
  const { effective, nodes, settings } = loaded;
  const agent = configuredAgent(effective, nodes.length);
  const [backend, ...others] = impliedBySettings(agent, loaded);
  const unknown = unknownChecks(nodes, CHECKS);
  const declared = settings.plugins
    .filter((each) => !isImplied(each, others))
    .map((each) => listedPlugin(each, variables, loaded, unknown));
  // Listed plugins with `forNodes` can know these names; that is checked when they are loaded.
  if (unknown.size > 0 && !declared.some(({ forNodes }) => forNodes !== undefined))
    throw new SettingsError([...unknown.values()]);
  return [
    ...(backend === undefined ? [] : [backend]),
    ...nodes.flatMap((node) => pluginsOfNode(node, agent)),
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

/** Whether a listed plugin has no more than a setting that implies it, such as `plugin: docker` beside `vm.endpoint`. */
function isImplied(
  { plugin, name, options, onStartError }: PluginDeclaration,
  implied: readonly PluginDeclaration[],
): boolean {
  const found = findBuiltIn(plugin, BUILT_IN)?.name;
  return (
    name === undefined &&
    onStartError === 'fail' &&
    Object.keys(options).length === 0 &&
    implied.some((each) => !each.fallback && each.plugin === found)
  );
}

/** The plugins that a node implies. Their `onStartError` is `retry`: a plugin that does not start must not stop the agent. */
function pluginsOfNode(node: LoadedNode, agent: ConfiguredAgent): PluginDeclaration[] {
  const { origin, directory } = node;
  return BUILT_IN.flatMap(({ name, configured }) => {
    const declaration = { plugin: name, onStartError: 'retry', origin, directory } as const;
    return declareForNode({ ...configured, name }, declaration, node, agent) ?? [];
  });
}

/** Adds options from environment variables. Options in the declaration win, because the variables apply to all programs and instances. */
function listedPlugin(
  declaration: PluginDeclaration,
  { environment, cwd }: Variables,
  loaded: LoadedSettings,
  unknown: ReadonlyMap<string, string>,
): PluginDeclaration {
  const builtIn = findBuiltIn(declaration.plugin, BUILT_IN);
  // A built-in plugin is already declared for each node.
  if (builtIn === undefined) return withNodes(declaration, loaded, unknown);
  const { fromEnvironment } = builtIn.configured;
  if (fromEnvironment === undefined) return declaration;
  const declared = new Set(Object.keys(declaration.options).map((name) => name.toLowerCase()));
  const variables = Object.entries(fromEnvironment(environment, cwd)).filter(([name]) => !declared.has(name));
  const { options, optionOrigins } = separateOrigins(Object.fromEntries(variables), declaration.origin);
  return { ...declaration, options: { ...declaration.options, ...options }, optionOrigins };
}

/** Adds `forNodes` to a listed declaration without options. */
function withNodes(
  listed: PluginDeclaration,
  { nodes, effective }: LoadedSettings,
  unknown: ReadonlyMap<string, string>,
): PluginDeclaration {
  if (nodes.length === 0 || Object.keys(listed.options).length > 0) return listed;
  return { ...listed, forNodes: { nodes, effective, unknownChecks: unknown } };
}

/** The problems of unknown names in `node.checks`, by name. @param names the plugins that can be switched off */
function unknownChecks(nodes: readonly LoadedNode[], names: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    nodes.flatMap(({ checks: { value, origin } }) =>
      [...value.keys()]
        .filter((name) => !names.includes(name))
        .map((name) => [name, `${origin}: unknown check '${name}'; ${suggestion(name, names)}`]),
    ),
  );
}
