// Declares plugins for the nodes beside the agent: the built-in ones, and listed ones that say what a node implies.

import type { BesideNode, PluginDeclaration } from '../config/index.js';
import { suggestion } from './common/text/nearest.js';
import type {
  ConfiguredAgent,
  ConfiguredNode,
  NodeOptions,
  NodePlugin,
  Sourced,
} from './contract/for-node.js';
import { reasonOf } from './contract/errors.js';

/** A plugin with a function `forNode`. */
export interface NamedNodePlugin extends NodePlugin {
  /** Its key in `node.checks`, and the default of the component. */
  readonly name: string;
}

/** What else a declaration for a node has. */
export type NodeDeclaration = Pick<PluginDeclaration, 'plugin' | 'onStartError' | 'directory' | 'origin'>;

/** The declaration of a plugin for a node; undefined: there is none. */
export function declareForNode(
  { name, forNode, nodeComponent = name }: NamedNodePlugin,
  declaration: NodeDeclaration,
  node: BesideNode,
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

/** What a plugin sees of a node. */
function configuredNode(node: BesideNode): ConfiguredNode {
  const { name, kind, origin, address, tls, admin, metrics, health } = node;
  return { name, kind, origin, address, tls, admin, metrics, health, get: (key) => node.get(key) };
}

/**
 * Adds to a listed declaration without options what it becomes when its plugin turns out to have `forNode`: an instance for each node
 * for which that returns options.
 */
export function withNodes(
  listed: PluginDeclaration,
  nodes: readonly BesideNode[],
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

/** The problems of the names in `node.checks`, by the name. @param names the plugins that can be switched off */
export function unknownChecks(
  nodes: readonly BesideNode[],
  names: readonly string[],
): ReadonlyMap<string, string> {
  return new Map(
    nodes.flatMap(({ checks: { value, origin } }) =>
      [...value.keys()]
        .filter((name) => !names.includes(name))
        .map((name) => [name, `${origin}: unknown check '${name}'; ${suggestion(name, names)}`]),
    ),
  );
}

/** Separates the values of options from their origins. @param origin that of plain values */
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

function hasOrigin(option: unknown): option is Sourced<unknown> {
  if (typeof option !== 'object' || option === null) return false;
  const names = Object.keys(option).filter((name) => name !== 'isDefault');
  return names.length === 2 && 'value' in option && typeof (option as Sourced<unknown>).origin === 'string';
}
