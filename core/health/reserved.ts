import { AGENT } from './interruptions.js';
import { CHANNELS } from './selection.js';

/** The component of the logging specification of a node. */
export const levelComponent = (node: string): string => `${node}/level`;

/**
 * What the agent itself uses the name of a component for.
 *
 * @param nodes the names of the nodes
 * @returns undefined if a checker can have the name
 */
export function reservedFor(name: string, nodes: readonly string[]): string | undefined {
  if (name === CHANNELS || name.startsWith(`${CHANNELS}/`)) return 'the channels of the nodes';
  if (name === AGENT) return 'interruptions of the agent itself';
  const node = nodes.find((each) => name === levelComponent(each));
  return node === undefined ? undefined : `the logging specification of the node ${node}`;
}
