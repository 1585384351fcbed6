// The names of components that the agent needs for itself. A checker is a component of its own name, and the checkers of a node have its name.

import { AGENT, CHANNELS, CLOCK } from './health/index.js';
import type { PluginInstance } from './host/index.js';
import { levelComponent } from './node/index.js';

/**
 * One line for each node, and for each checker of another name, that cannot have its name.
 *
 * @param nodes the names of the nodes, which are the names of their sources
 */
export function reservedNameProblems(
  plugins: readonly Pick<PluginInstance, 'name' | 'kind' | 'origin'>[],
  nodes: readonly string[],
): string[] {
  const levels = new Map(nodes.map((node) => [levelComponent(node), node]));
  const purposeOf = (name: string): string | undefined => {
    if (name === CHANNELS || name.startsWith(`${CHANNELS}/`)) return 'the channels of all nodes';
    if (name === AGENT) return 'the lag of the agent itself';
    if (name === CLOCK) return 'the clock of this host';
    const node = levels.get(name);
    return node === undefined ? undefined : `the logging specification of the node ${node}`;
  };
  const refused = nodes.filter((node) => purposeOf(node) !== undefined);
  const isOfRefused = (name: string): boolean =>
    refused.some((node) => name === node || name.startsWith(`${node}/`));
  return plugins.flatMap(({ name, kind, origin }) => {
    const isNode = kind === 'source' && refused.includes(name);
    const isChecker = kind === 'health' && !isOfRefused(name);
    const purpose = isNode || isChecker ? purposeOf(name) : undefined;
    return purpose === undefined
      ? []
      : [
          `${origin}: a ${isNode ? 'node' : 'checker'} cannot have the name '${name}', which the agent has for ${purpose}; set another name`,
        ];
  });
}
