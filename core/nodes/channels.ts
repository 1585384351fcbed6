// The channels of a node in a reading of its metrics.

import type { SourceReading } from '../contract/index.js';
import type { NodeChannel } from '../status/index.js';

/** The families of a consensus, without their common prefix. */
const CONSENSUS_FAMILY = /^consensus_(etcdraft|BFT)_(is_leader|leader_id|cluster_size|active_nodes)$/;
const HEIGHT_FAMILY = 'ledger_blockchain_height';
/** The view of BFT. `consensus_BFT_leader_id` is the leader of the last block, which may be dead. */
const VIEW_FAMILY = /^consensus_smartbft_(?:view_(leader)_id|viewchange_(current|next|real)_view)$/;
/** The values of the metrics of channel participation (orderer/common/types/channelinfo.go). */
const PARTICIPATION: ReadonlyMap<
  string,
  { readonly member: 'relation' | 'status'; readonly texts: readonly string[] }
> = new Map([
  [
    'participation_consensus_relation',
    { member: 'relation', texts: ['other', 'consenter', 'follower', 'config-tracker'] },
  ],
  ['participation_status', { member: 'status', texts: ['inactive', 'active', 'onboarding', 'failed'] }],
]);
/** Longest name of a channel (common/configtx/validator.go, `MaxLength`), and maximum number of listed channels of a node. */
const MAX = { name: 249, channels: 1000 };

/** The values of the metrics of a channel. */
interface FoundValues {
  readonly name: string;
  height?: number;
  relation?: string | undefined;
  status?: string | undefined;
  consensus?: { type: 'etcdraft' | 'BFT' } & Record<string, number | boolean | string>;
  readonly view: { leader?: number; current?: number; next?: number; real?: number };
}

/**
 * The channels in a reading, sorted by name.
 *
 * @param removed the channels that were removed from the node
 */
export function channelsOf({ families }: SourceReading, removed: readonly string[]): NodeChannel[] {
  const found = new Map<string, FoundValues>();
  for (const { name, series } of families) {
    const [, type, fact] = CONSENSUS_FAMILY.exec(name) ?? [];
    const participation = PARTICIPATION.get(name);
    const [, leader, view = leader] = VIEW_FAMILY.exec(name) ?? [];
    if (name !== HEIGHT_FAMILY && fact === undefined && participation === undefined && view === undefined)
      continue;
    for (const { labels, value } of series) {
      const channel = labels['channel'];
      // Heights, ids and numbers of nodes, without NaN and other impossible values.
      if (!Number.isSafeInteger(value) || (value as number) < 0) continue;
      if (typeof channel !== 'string' || channel.length > MAX.name) continue;
      let entry = found.get(channel);
      if (entry === undefined) {
        if (found.size === MAX.channels) continue;
        found.set(channel, (entry = { name: channel, view: {} }));
      }
      if (participation !== undefined) entry[participation.member] = participation.texts[value as number];
      else if (view !== undefined) entry.view[view as keyof FoundValues['view']] = value as number;
      else if (fact === undefined) entry.height = value as number;
      else {
        entry.consensus ??= { type: type as 'etcdraft' | 'BFT' };
        if (entry.consensus.type === type)
          entry.consensus[fact] = fact === 'is_leader' ? value === 1 : (value as number);
      }
    }
  }
  const gone = removed.map((name) => ({ name, removed: true as const }));
  return [...[...found.values()].map(withView), ...gone].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Adds the leader and the change of the view. A BFT orderer that has asked for the next view, or knows no leader, waits for a quorum of the
 * others. When a quorum has asked, the view becomes the current one, but the real one only when its leader has begun it
 * (SmartBFT: internal/bft/viewchanger.go).
 */
function withView({ view: { leader, current, next, real }, ...channel }: FoundValues): NodeChannel {
  const { consensus } = channel;
  if (consensus?.type !== 'BFT') return channel;
  const isAbove = (view = 0, other = view): boolean => view > other;
  const isChanging = leader === 0 || isAbove(next, current) || isAbove(current, real);
  return {
    ...channel,
    consensus: {
      ...consensus,
      ...(leader !== undefined && { leader_id: leader }),
      ...(isChanging && { view_change: true }),
    },
  };
}
