// Compares the heights of ledgers.

import { valuesByChannel } from '../../../core/kit/index.js';
import type { NodeReading } from '../../../core/kit/internal/index.js';

/** A channel in which another node has more blocks. */
export interface HeightGap {
  readonly channel: string;
  readonly height: number;
  /** The height of the highest ledger, and the name of its node. */
  readonly highest: number;
  readonly at: string;
}

const FAMILY = 'ledger_blockchain_height';

/** Returns true if a node is a peer with a channel: only peers have this family. */
export const isPeerOf = (channel: string, { reading }: Pick<NodeReading, 'reading'>): boolean =>
  valuesByChannel(reading, 'gossip_membership_total_peers_known').has(channel);

/** The channels in which the ledger of a node is behind. Channels without another node are not compared. */
export function channelsBehind(
  { reading }: Pick<NodeReading, 'reading'>,
  others: readonly NodeReading[],
): HeightGap[] {
  const highest = new Map<string, { readonly height: number; readonly at: string }>();
  for (const { name, reading: other } of others)
    for (const [channel, height] of valuesByChannel(other, FAMILY))
      if (height > (highest.get(channel)?.height ?? -1)) highest.set(channel, { height, at: name });
  return [...valuesByChannel(reading, FAMILY)].flatMap(([channel, height]) => {
    const top = highest.get(channel);
    return top === undefined || top.height <= height
      ? []
      : [{ channel, height, highest: top.height, at: top.at }];
  });
}
