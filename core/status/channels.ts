// The channels of all nodes, by channel.

import { appendTo } from '../common/group-by.js';
import { timeText } from '../common/text/time.js';
import type { Channel } from '../fabric/channel.js';
import type { ChannelNode, ChannelStatus, NodeStatus, Span } from './document.js';

/**
 * The channels sorted by name, each with its nodes in the given order.
 *
 * @param known by channel, also channels without a node that is up
 * @param pastOf the failures of a channel that have ended
 */
export function channelsByName(
  nodes: readonly NodeStatus[],
  known: ReadonlyMap<string, Channel>,
  pastOf: (channel: string) => readonly Span[],
): ChannelStatus[] {
  const byName = new Map<string, ChannelNode[]>([...known.keys()].map((name) => [name, []]));
  for (const { name: node, kind, channels } of nodes)
    for (const { name, ...members } of channels) appendTo(byName, name, { node, kind, ...members });
  return [...byName]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, ofChannel]) => {
      const heights = ofChannel.flatMap(({ height }) => height ?? []);
      const channel = known.get(name);
      return {
        name,
        verdict: channel?.verdict,
        reason: channel?.reason,
        since: timeText(channel?.since),
        height: heights.length === 0 ? undefined : Math.max(...heights),
        last_block_at: timeText(channel?.lastBlockAt),
        blocks: channel?.blocks ?? [],
        transactions: channel?.transactions,
        consenters: (channel?.consenters ?? []).map((each) => ({
          ...each,
          leader: each.name === channel?.leader,
        })),
        needed: channel?.needed,
        may_fail: channel?.mayFail,
        nodes: ofChannel,
        past: pastOf(name),
      };
    });
}
