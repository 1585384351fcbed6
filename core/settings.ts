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
import type {
  ConfiguredAgent,
  ConfiguredNode,
  NodeOptions,
  NodePlugin,
  WithOrigin,
} from './contract/for-node.js';

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
  { nodes }: LoadedSettings,
  agent: ConfiguredAgent,
  unknown: ReadonlyMap<string, string>,
): PluginDeclaration {
  const builtIn = findBuiltIn(declaration.plugin, BUILT_IN);
  // A built-in plugin is already declared for each node.
  if (builtIn === undefined) return withNodes(declaration, nodes, agent, unknown);
  const { fromEnvironment } = builtIn.configured;
  if (fromEnvironment === undefined) return declaration;
  const declared = new Set(Object.keys(declaration.options).map((name) => name.toLowerCase()));
  const variables = Object.entries(fromEnvironment(environment, cwd)).filter(([name]) => !declared.has(name));
  const { options, optionOrigins } = separateOrigins(Object.fromEntries(variables), declaration.origin);
  return { ...declaration, options: { ...declaration.options, ...options }, optionOrigins };
}

/** A plugin with a function `forNode`. */
interface NamedNodePlugin extends NodePlugin {
  /** Its key in `node.checks`, and the default of the component. */
  readonly name: string;
}

/** The other fields of a declaration for a node. */
type NodeDeclaration = Pick<PluginDeclaration, 'plugin' | 'onStartError' | 'directory' | 'origin'>;

/** The declaration of a plugin for a node; undefined if it is switched off or returns no options. */
function declareForNode(
  { name, forNode, nodeComponent = name }: NamedNodePlugin,
  declaration: NodeDeclaration,
  node: LoadedNode,
  agent: ConfiguredAgent,
): PluginDeclaration | undefined {
  const options = node.checks.value.get(name) === false ? undefined : forNode?.(configuredNode(node), agent);
  return (
    options && {
      ...declaration,
      name: nodeComponent === '' ? node.name : `${node.name}/${nodeComponent}`,
      fallback: false,
      ...separateOrigins(options, node.origin),
    }
  );
}

/** The fields of a node that a plugin receives. */
function configuredNode(node: LoadedNode): ConfiguredNode {
  const { name, kind, origin, address, tls, admin, metrics, health } = node;
  return { name, kind, origin, address, tls, admin, metrics, health, get: (key) => node.get(key) };
}

/**
 * Adds `forNodes` to a listed declaration without options: if the plugin has a function `forNode`, the loader declares an instance for
 * each node for which the function returns options.
 */
function withNodes(
  listed: PluginDeclaration,
  nodes: readonly LoadedNode[],
  agent: ConfiguredAgent,
  unknown: ReadonlyMap<string, string>,
): PluginDeclaration {
  if (nodes.length === 0 || Object.keys(listed.options).length > 0) return listed;
  const { plugin, onStartError, directory, origin } = listed;
  const declare = (definition: NamedNodePlugin): PluginDeclaration[] => {
    const name = listed.name ?? definition.name;
    return nodes.flatMap((node) => {
      const declaration = { plugin, onStartError, directory, origin };
      try {
        return declareForNode({ ...definition, name }, declaration, node, agent) ?? [];
      } catch (error) {
        throw new Error(`forNode failed for the node ${node.name}: ${reasonOf(error)}`, { cause: error });
      }
    });
  };
  return { ...listed, forNodes: { declare, unknownChecks: unknown } };
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

/** Separates the values of options from their origins. @param origin the origin of plain values */
function separateOrigins(
  options: NodeOptions,
  origin: string,
): Required<Pick<PluginDeclaration, 'options' | 'optionOrigins'>> {
  const entries = Object.entries(options).map(
    ([name, value]) => [name, hasOrigin(value) ? value : { value, origin }] as const,
  );
  return {
    options: Object.fromEntries(entries.map(([name, { value }]) => [name, value])),
    optionOrigins: Object.fromEntries(entries.map((entry) => [entry[0], entry[1].origin])),
  };
}

function hasOrigin(option: unknown): option is WithOrigin<unknown> {
  if (typeof option !== 'object' || option === null) return false;
  const names = Object.keys(option).filter((name) => name !== 'isDefault');
  return (
    names.length === 2 && 'value' in option && typeof (option as WithOrigin<unknown>).origin === 'string'
  );
}
