// The channels of all nodes, by channel.

import type { ChannelNode, ChannelStatus, NodeStatus } from './document.js';

/** The channels sorted by name, each with its nodes in their order. */
export function channelsByName(nodes: readonly NodeStatus[]): ChannelStatus[] {
  const byName = new Map<string, ChannelNode[]>();
  for (const { name: node, kind, channels } of nodes)
    for (const { name, ...facts } of channels) {
      const found = byName.get(name) ?? [];
      byName.set(name, found);
      found.push({ node, kind, ...facts });
    }
  return [...byName]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, ofChannel]) => {
      const heights = ofChannel.flatMap(({ height }) => height ?? []);
      return { name, height: heights.length === 0 ? undefined : Math.max(...heights), nodes: ofChannel };
    });
}
