// Declares the plugins that the configuration implies: those of the agent's settings, and those of the monitored nodes.

import type { Configured, LoadedNode, PluginDeclaration, Settings } from '../../config/index.js';
import type {
  ConfiguredAgent,
  ConfiguredNode,
  ConfiguredPlugin,
  NodeOptions,
  WithOrigin,
} from '../contract/for-node.js';
import { reasonOf, type PluginDefinition } from '../contract/index.js';
import { findBuiltIn, type BuiltInPlugin } from './built-in.js';
import { importPlugin } from './module.js';

/** The settings about plugins. */
export type PluginSettings = Pick<Settings, 'plugins' | 'configured'>;

/** A plugin that takes options from the configuration. */
interface NamedPlugin extends ConfiguredPlugin {
  /** Its key in `node.checks`, and the default of the component. */
  readonly name: string;
}

/** The other fields of a declaration for a node. */
type OtherFields = Pick<PluginDeclaration, 'plugin' | 'onStartError' | 'directory' | 'origin'>;

/**
 * Declares the logging backend, the plugins of the nodes, the plugins that other settings imply, then the listed ones. Imports the built-in
 * plugins that can be implied.
 */
export async function declarePlugins(
  { plugins, configured }: PluginSettings,
  builtIn: readonly BuiltInPlugin[],
): Promise<PluginDeclaration[]> {
  const agent = configuredAgent(configured);
  const definitions = await importImplied(builtIn, configured, agent);
  const [backend, ...others] = definitions.flatMap(
    (definition) => declareForAgent(definition, agent, configured) ?? [],
  );
  return [
    ...(backend === undefined ? [] : [backend]),
    ...configured.nodes.flatMap((node) => pluginsOfNode(definitions, node, agent)),
    ...others,
    ...plugins.filter((each) => !isImplied(each, others, builtIn)),
  ];
}

/** The definitions of the built-in plugins that the settings or a node can imply. The modules of the others are not imported. */
async function importImplied(
  builtIn: readonly BuiltInPlugin[],
  { nodes }: Configured,
  agent: ConfiguredAgent,
): Promise<PluginDefinition[]> {
  const definitions: PluginDefinition[] = [];
  for (const { name, url, mayBeForAgent, mayBeForNode } of builtIn) {
    const isNeeded =
      mayBeForAgent?.(agent) === true ||
      nodes.some(
        (node) => node.checks.value.get(name) !== false && mayBeForNode?.(configuredNode(node), agent),
      );
    if (!isNeeded) continue;
    const imported = await importPlugin(url);
    if ('problem' in imported) throw new Error(`built-in plugin ${name}: ${imported.problem}`);
    definitions.push(imported.definition);
  }
  return definitions;
}

function declareForAgent(
  { kind, name, forAgent }: PluginDefinition,
  agent: ConfiguredAgent,
  { effective, directory }: Configured,
): PluginDeclaration | undefined {
  const found = forAgent?.(agent);
  if (found === undefined) return undefined;
  const { key, options } = found;
  const fallback = kind === 'logging' || effective.get(key)?.isDefault === true;
  const { origin } = agent.get(key);
  const fields = { plugin: name, name: undefined, origin, directory, fallback } as const;
  return { ...fields, onStartError: 'fail', ...separateOrigins(options, origin) };
}

/** The plugins that a node implies. Their `onStartError` is `retry`: a plugin that does not start must not stop the agent. */
function pluginsOfNode(
  definitions: readonly PluginDefinition[],
  node: LoadedNode,
  agent: ConfiguredAgent,
): PluginDeclaration[] {
  const { origin, directory } = node;
  return definitions.flatMap((definition) => {
    const fields = { plugin: definition.name, onStartError: 'retry', origin, directory } as const;
    return declareForNode(definition, fields, node, agent) ?? [];
  });
}

/** Whether a listed plugin has no more than a setting that implies it, such as `plugin: docker` beside `vm.endpoint`. */
function isImplied(
  { plugin, name, options, onStartError }: PluginDeclaration,
  implied: readonly PluginDeclaration[],
  builtIn: readonly BuiltInPlugin[],
): boolean {
  const found = findBuiltIn(plugin, builtIn)?.name;
  return (
    name === undefined &&
    onStartError === 'fail' &&
    Object.keys(options).length === 0 &&
    implied.some((each) => !each.fallback && each.plugin === found)
  );
}

/**
 * Declares a listed plugin with the options that it takes from the configuration: a plugin of others that is listed without options for each
 * node, or with the options from the settings of the agent; and each plugin with the options from environment variables.
 *
 * @throws Error if a function of the definition throws
 */
export function declareListed(
  definition: NamedPlugin,
  declaration: PluginDeclaration,
  configured: Configured,
  isBuiltIn: boolean,
): readonly PluginDeclaration[] {
  const listed = withVariables(definition, declaration, configured);
  // A built-in plugin is already declared by the settings and for each node.
  if (isBuiltIn || Object.keys(declaration.options).length > 0) return [listed];
  if (definition.forNode !== undefined && configured.nodes.length > 0)
    return declareForNodes(definition, listed, configured);
  const found = calling('forAgent failed', () => definition.forAgent?.(configuredAgent(configured)));
  if (found === undefined) return [listed];
  const { options, optionOrigins } = separateOrigins(found.options, listed.origin);
  return [
    {
      ...listed,
      options: { ...options, ...listed.options },
      optionOrigins: { ...optionOrigins, ...listed.optionOrigins },
    },
  ];
}

/** Adds options from environment variables. Options in the declaration win, because the variables apply to all programs and instances. */
function withVariables(
  { fromEnvironment }: ConfiguredPlugin,
  declaration: PluginDeclaration,
  { variables, cwd }: Configured,
): PluginDeclaration {
  const found = calling('fromEnvironment failed', () => fromEnvironment?.(variables, cwd));
  if (found === undefined) return declaration;
  const declared = new Set(Object.keys(declaration.options).map((name) => name.toLowerCase()));
  const unset = Object.entries(found).filter(([name]) => !declared.has(name.toLowerCase()));
  const { options, optionOrigins } = separateOrigins(Object.fromEntries(unset), declaration.origin);
  return { ...declaration, options: { ...declaration.options, ...options }, optionOrigins };
}

function declareForNodes(
  definition: NamedPlugin,
  { name: given, plugin, onStartError, directory, origin }: PluginDeclaration,
  configured: Configured,
): PluginDeclaration[] {
  const name = given ?? definition.name;
  const agent = configuredAgent(configured);
  return configured.nodes.flatMap((node) => {
    const fields = { plugin, onStartError, directory, origin };
    const declare = () => declareForNode({ ...definition, name }, fields, node, agent) ?? [];
    return calling(`forNode failed for the node ${node.name}`, declare);
  });
}

/** @throws Error with what failed */
function calling<T>(what: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw new Error(`${what}: ${reasonOf(error)}`, { cause: error });
  }
}

/** The declaration of a plugin for a node; undefined if it is switched off or returns no options. */
export function declareForNode(
  { name, forNode, nodeComponent = name }: NamedPlugin,
  fields: OtherFields,
  node: LoadedNode,
  agent: ConfiguredAgent,
): PluginDeclaration | undefined {
  const options = node.checks.value.get(name) === false ? undefined : forNode?.(configuredNode(node), agent);
  return (
    options && {
      ...fields,
      name: nodeComponent === '' ? node.name : `${node.name}/${nodeComponent}`,
      fallback: false,
      ...separateOrigins(options, node.origin),
    }
  );
}

/** The settings of the agent for plugins. */
export const configuredAgent = ({
  effective,
  nodes,
}: Pick<Configured, 'effective' | 'nodes'>): ConfiguredAgent => ({
  nodeCount: nodes.length,
  get(key) {
    const { value, origin = 'default', isDefault = true } = effective.get(key) ?? {};
    return { value, origin: `${origin}: ${key}`, isDefault };
  },
});

/** The fields of a node that a plugin receives. */
function configuredNode(node: LoadedNode): ConfiguredNode {
  const { name, kind, origin, address, tls, admin, metrics, health } = node;
  return {
    name,
    kind,
    origin,
    address,
    tls,
    admin,
    metrics,
    health,
    get: <T>(key: string) =>
      (node.values.get(key) ?? { value: undefined, origin: `${node.file}: ${key}` }) as WithOrigin<T>,
  };
}

/** Separates the values of options from their origins. @param origin the origin of plain values */
export function separateOrigins(
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
