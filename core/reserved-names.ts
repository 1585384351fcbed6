// Component names that the agent uses itself. The component of a checker has the name of the checker; checkers of a node are named after it.

import { isBelow, ownerOf } from './common/text/component.js';
import { SILENCE } from './events/index.js';
import { AGENT, CHANNELS, CLOCK } from './health/index.js';
import type { PluginInstance } from './host/index.js';
import { levelComponent } from './nodes/index.js';
import { AGENTS } from './agents/index.js';

/**
 * One line for each node with a reserved name, and for each checker with a reserved name that does not come from such a node.
 *
 * @param nodes the names of the nodes; the source of a node has the same name
 */
export function reservedNameProblems(
  plugins: readonly Pick<PluginInstance, 'name' | 'kind' | 'origin'>[],
  nodes: readonly string[],
): string[] {
  const levels = new Map(nodes.map((node) => [levelComponent(node), node]));
  const purposeOf = (name: string): string | undefined => {
    if (isBelow(name, CHANNELS)) return 'the channels of all nodes';
    if (name === AGENT) return 'the lag of the agent itself';
    if (name === CLOCK) return 'the clock of this host';
    if (name === SILENCE) return 'the silences of planned work';
    if (isBelow(name, AGENTS)) return 'the agents of other hosts';
    const node = levels.get(name);
    return node === undefined ? undefined : `the logging specification of the node ${node}`;
  };
  const refused = nodes.filter((node) => purposeOf(node) !== undefined);
  const isOfRefused = (name: string): boolean => ownerOf(name, refused) !== undefined;
  return plugins.flatMap(({ name, kind, origin }) => {
    const isNode = kind === 'source' && refused.includes(name);
    const isChecker = kind === 'checker' && !isOfRefused(name);
    const purpose = isNode || isChecker ? purposeOf(name) : undefined;
    return purpose === undefined
      ? []
      : [
          `${origin}: a ${isNode ? 'node' : 'checker'} cannot have the name '${name}', which the agent uses for ${purpose}; set another name`,
        ];
  });
}
