// The channels of all nodes, by channel.

import type { ChannelNode, ChannelStatus, NodeStatus } from './document.js';

/** The verdict about a channel as a whole. */
export type ChannelVerdict = Pick<ChannelStatus, 'verdict' | 'reason'>;

/**
 * The channels sorted by name, each with its nodes in the given order.
 *
 * @param verdicts by channel, also of channels without a node that is up
 */
export function channelsByName(
  nodes: readonly NodeStatus[],
  verdicts: ReadonlyMap<string, ChannelVerdict>,
): ChannelStatus[] {
  const byName = new Map<string, ChannelNode[]>([...verdicts.keys()].map((name) => [name, []]));
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
      const { verdict, reason } = verdicts.get(name) ?? {};
      return {
        name,
        verdict,
        reason,
        height: heights.length === 0 ? undefined : Math.max(...heights),
        nodes: ofChannel,
      };
    });
}
