// Declares the instances of plugins with a function `forNode`: one for each monitored node for which the function returns options.

import type { DeclaredForNodes, EffectiveValue, LoadedNode, PluginDeclaration } from '../../config/index.js';
import type {
  ConfiguredAgent,
  ConfiguredNode,
  NodeOptions,
  NodePlugin,
  WithOrigin,
} from '../contract/for-node.js';
import { reasonOf } from '../contract/errors.js';

/** A plugin with a function `forNode`. */
interface NamedPlugin extends NodePlugin {
  /** Its key in `node.checks`, and the default of the component. */
  readonly name: string;
}

/** The other fields of a declaration for a node. */
type OtherFields = Pick<PluginDeclaration, 'plugin' | 'onStartError' | 'directory' | 'origin'>;

/**
 * Declares a listed plugin for each node.
 *
 * @throws Error if `forNode` throws
 */
export function declareForNodes(
  definition: NamedPlugin,
  { name: given, plugin, onStartError, directory, origin }: PluginDeclaration,
  { nodes, effective }: DeclaredForNodes,
): PluginDeclaration[] {
  const name = given ?? definition.name;
  const agent = configuredAgent(effective, nodes.length);
  return nodes.flatMap((node) => {
    const fields = { plugin, onStartError, directory, origin };
    try {
      return declareForNode({ ...definition, name }, fields, node, agent) ?? [];
    } catch (error) {
      throw new Error(`forNode failed for the node ${node.name}: ${reasonOf(error)}`, { cause: error });
    }
  });
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
export const configuredAgent = (
  effective: ReadonlyMap<string, EffectiveValue>,
  nodeCount: number,
): ConfiguredAgent => ({
  nodeCount,
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
