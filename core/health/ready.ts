// What `/readyz` covers.

import type { Selection } from './selection.js';

/** What `/readyz` covers. */
export interface ReadySelection extends Selection {
  /** The nodes that it does not cover because there are several. */
  readonly otherNodes: readonly string[];
}

/**
 * Unless the settings name components, `/readyz` covers what decides whether this node can serve: the health that the only node beside
 * the agent reports, and declared checkers that belong to no node. What else is checked of a node does not count, for example a lost
 * quorum: orderers that are withdrawn because of it cannot elect a leader. With several nodes, none of them counts.
 *
 * @param nodes the names of the nodes
 * @param components the names of all components
 */
export function readySelection(
  { include, exclude }: Selection,
  nodes: readonly string[],
  components: readonly string[],
): ReadySelection {
  if (include.length > 0) return { include, exclude, otherNodes: [] };
  const [only] = nodes.length === 1 ? nodes : [];
  const ofNodes = components.filter(
    (component) =>
      component !== only && nodes.some((node) => component === node || component.startsWith(`${node}/`)),
  );
  return { include, exclude: [...ofNodes, ...exclude], otherNodes: only === undefined ? nodes : [] };
}
