// The consenters of a channel and their states: the monitored nodes and the others.

import type { ChannelConsenters } from '../contract/internal/index.js';
import { bftQuorum } from '../common/quorum.js';
import type { Consenter, Quorum } from '../fabric/channel.js';
import type { ConsenterStatus } from '../status/index.js';
import { observedIn, type Observation, type Observed } from './observation.js';
import { leaderElsewhere, unmonitoredIn, type Leader } from './unmonitored.js';
import { quorumOf, type VerdictFacts } from './verdict.js';

/** The facts about the consenters of a channel. */
export interface ObservedFacts extends Omit<
  VerdictFacts,
  'electingFor' | 'hadStopped' | 'hasOrdered' | 'stalledFor'
> {
  readonly quorum: Quorum;
  /** Undefined: unknown. */
  readonly leader: Leader | undefined;
  /** The greatest height among the active consenters. */
  readonly height: number;
  /** The leader and view that each active consenter reports, to compare. */
  readonly views: string;
  /** BFT: whether envelopes wait for a block in a quorum. An envelope in fewer pools may be invalid for the other consenters. */
  readonly hasWaiting: boolean;
}

/**
 * Collects the facts about the consenters of a channel from the monitored nodes.
 *
 * @param elsewhere the consenters that agents of other hosts monitor
 */
export function consentersOf(
  channel: string,
  nodes: readonly Observation[],
  elsewhere: readonly ConsenterStatus[] = [],
): ObservedFacts {
  const config = newestConfig(channel, nodes);
  const observed = nodes.flatMap((node) => observedIn(node, channel, config) ?? []);
  const monitored = observed.map(({ consenter }) => consenter);
  const active = observed.filter(({ consenter }) => consenter.outage === undefined);
  const type = typeOf(observed, config);
  const size = sizeOf(active, observed, config);
  const reached = reachedBy(active);
  const responses = nodes.flatMap((node) => node.responses.get(channel)?.responses ?? []);
  const names = nodes.map(({ name }) => name);
  const known = { config, monitored, type, size, reached };
  const { others, asked, counted } = unmonitoredIn(known, { responses, elsewhere, names });
  const addresses = new Set(counted.map(({ address }) => address));
  const leader = leaderOf(active, [...monitored, ...asked], config) ?? leaderElsewhere(asked, elsewhere);
  return {
    // A node without a known address may be one of the others.
    quorum: quorumIn({
      type,
      size,
      monitored,
      asked,
      others: monitored.some(({ address }) => address === undefined) ? [] : others,
      reached,
      leader: leader?.name,
    }),
    type,
    size,
    observed: [...monitored, ...counted],
    others: others.filter((address) => !addresses.has(address)),
    out: asked.filter(({ outage }) => outage !== undefined),
    unmatched: [
      ...new Set(responses.flatMap(({ address, consenter }) => (consenter === undefined ? [address] : []))),
    ],
    reached,
    maintenance: config?.maintenance,
    outdated: observed.flatMap(({ consenter, isOutdated }) => (isOutdated ? [consenter] : [])),
    leader,
    lostLeader:
      type === 'BFT'
        ? [...monitored, ...asked].find(({ name, outage }) => name === leader?.name && outage !== undefined)
        : undefined,
    leaderHeartbeatTimeout: config?.leaderHeartbeatTimeout,
    ...blocksOf(active, type, size),
  };
}

/** What the active consenters report about blocks, leaders and views. */
function blocksOf(
  active: readonly Observed[],
  type: VerdictFacts['type'],
  size: number | undefined,
): Pick<ObservedFacts, 'isAwaited' | 'height' | 'views' | 'hasWaiting'> {
  const height = Math.max(0, ...active.map(({ channel }) => channel?.height ?? 0));
  const waiting = active.filter((each) => each.waiting > 0);
  return {
    // The pool of a consenter that is behind may have envelopes that are already in blocks.
    isAwaited: waiting.some(({ channel }) => (channel?.height ?? 0) === height),
    height,
    views: JSON.stringify(
      active.map(({ consenter: { name, state }, channel }) => [name, state, channel?.consensus?.leader_id]),
    ),
    hasWaiting: type === 'BFT' && size !== undefined && waiting.length >= bftQuorum(size).quorum,
  };
}

/** The data that a {@link Quorum} is created from. */
interface QuorumParts {
  readonly type: VerdictFacts['type'];
  readonly size: number | undefined;
  readonly monitored: readonly Consenter[];
  /** Consenters that are not monitored, according to agents of other hosts or to their responses to peers. */
  readonly asked: readonly Consenter[];
  /** The addresses of the consenters that are not monitored. */
  readonly others: readonly string[];
  /** How many consenters the Raft leader reaches; undefined: unknown. */
  readonly reached: number | undefined;
  /** The name of the leader; undefined: unknown. */
  readonly leader: string | undefined;
}

function quorumIn({ type, size, monitored, asked, others, reached, leader }: QuorumParts): Quorum {
  const responding = new Map(asked.map((each) => [each.address, each]));
  const unasked = reached === size ? 'active' : 'unknown';
  const consenters = [
    ...monitored,
    ...others.map(
      (address): Consenter => responding.get(address) ?? { name: address, address, state: unasked },
    ),
  ];
  if (type === undefined || size === undefined || size === 0)
    return { consenters, leader, needed: undefined, mayFail: undefined };
  const needed = quorumOf(type, size);
  const isKnown = consenters.length === size && consenters.every(({ state }) => state !== 'unknown');
  const running = consenters.filter(({ state }) => state === 'active' || state === 'electing').length;
  return { consenters, leader, needed, mayFail: isKnown ? Math.max(0, running - needed) : undefined };
}

/** The newest config of a channel in the ledger directories; a node that is behind or down has an older one. */
function newestConfig(channel: string, nodes: readonly Observation[]): ChannelConsenters | undefined {
  let newest: ChannelConsenters | undefined;
  for (const { consenters } of nodes) {
    const found = consenters.get(channel);
    if (found !== undefined && (newest === undefined || found.block > newest.block)) newest = found;
  }
  return newest;
}

function typeOf(
  observed: readonly Observed[],
  config: ChannelConsenters | undefined,
): 'etcdraft' | 'BFT' | undefined {
  const type = observed.find(({ channel }) => channel?.consensus !== undefined)?.channel?.consensus?.type;
  // There is no migration from BFT to Raft: an orderer that runs Raft then was not restarted.
  const found = config?.consensus === 'BFT' ? 'BFT' : (type ?? config?.consensus);
  return found === 'etcdraft' || found === 'BFT' ? found : undefined;
}

/** The number of consenters. Running orderers take precedence over the config in a ledger directory, which may be outdated. */
function sizeOf(
  active: readonly Observed[],
  observed: readonly Observed[],
  config: ChannelConsenters | undefined,
): number | undefined {
  const sizesOf = (consenters: readonly Observed[]): number[] =>
    consenters.flatMap(({ channel }) => channel?.consensus?.cluster_size ?? []);
  const [current, last] = [sizesOf(active), sizesOf(observed)];
  if (current.length > 0) return Math.max(...current);
  return config?.consenters.length ?? (last.length > 0 ? Math.max(...last) : undefined);
}

/** How many consenters the Raft leader reaches; it also sends the number to its followers (orderer/consensus/etcdraft/tracker.go). */
function reachedBy(active: readonly Observed[]): number | undefined {
  const counts = (isLeader: boolean): number[] =>
    active.flatMap(({ channel }) => {
      const { type, active_nodes: count = 0, is_leader: leads = false } = channel?.consensus ?? {};
      return type === 'etcdraft' && count > 0 && (leads || !isLeader) ? [count] : [];
    });
  const [byLeader, byAll] = [counts(true), counts(false)];
  if (byLeader.length > 0) return Math.max(...byLeader);
  return byAll.length > 0 ? Math.max(...byAll) : undefined;
}

/** The leader; undefined: unknown, or several nodes report that they are the leader. */
function leaderOf(
  active: readonly Observed[],
  consenters: readonly Consenter[],
  config: ChannelConsenters | undefined,
): Leader | undefined {
  const reported = new Set(
    active.flatMap(({ consenter: { name }, channel }): (string | number)[] => {
      const { type, is_leader: isLeader = false, leader_id: id = 0 } = channel?.consensus ?? {};
      return type === 'BFT' ? [id] : isLeader ? [name] : [];
    }),
  );
  const [key, ...others] = reported;
  if (key === undefined || key === 0 || others.length > 0) return undefined;
  if (typeof key === 'string') return { key, name: key };
  const address = config?.consenters.find(({ id }) => id === key)?.address;
  const node = consenters.find((each) => address !== undefined && each.address === address);
  return { key, name: node?.name ?? address ?? `consenter ${key}` };
}
