// The consenters of a channel and their states: from the monitored nodes, their ledger directories, the agents of other hosts, and the
// responses of orderers to monitored peers.

import type { ChannelConsenters, ChannelResponses, OrdererResponse } from '../contract/index.js';
import { bftQuorum } from '../common/quorum.js';
import type { Consenter, Quorum } from '../fabric/channel.js';
import type { FabricNode } from '../nodes/index.js';
import type { ConsenterStatus, NodeChannel } from '../status/index.js';
import { DOWN, quorumOf, SILENT, type VerdictFacts } from './verdict.js';

/** The last data of a monitored node. */
export interface Observation extends Pick<FabricNode, 'name' | 'kind'> {
  /** Undefined: not read yet. */
  isUp: boolean | undefined;
  /** Whether it counts as down only because it did not respond in time. */
  isLate: boolean;
  /** Time of the first reading after the node was down, of a monotonic clock in milliseconds; 0 before the first reading. */
  upSince: number;
  /** Whether it started so recently that it may not report all its channels yet. */
  isStarting: boolean;
  /** The channels in its last reading; a node that is down keeps its channels. */
  channels: ReadonlyMap<string, NodeChannel>;
  /** The channels that it no longer reports, or does not report yet after a restart. */
  missing: ReadonlySet<string>;
  consenters: ReadonlyMap<string, ChannelConsenters>;
  /** BFT: the number of envelopes in its request pool, by channel. */
  waiting: ReadonlyMap<string, number>;
  /** The public key of its TLS certificate, in the form of {@link ChannelConsenters}; undefined: unknown. */
  key: string | undefined;
  /** Its last address in the configs, by channel; kept when it is removed from the channel or gets another key. */
  readonly addresses: Map<string, string>;
  /** The responses of orderers to this peer, by channel. */
  responses: ReadonlyMap<string, ChannelResponses>;
}

/** The nodes without data that is uncertain while this host is slow: nodes and orderers that did not respond in time may be up. */
export const withoutLate = (nodes: readonly Observation[]): Observation[] =>
  nodes.map(({ responses, ...node }) => ({
    ...node,
    ...(node.isLate && { isUp: true, missing: new Set<string>() }),
    responses: new Map(
      [...responses].map(([channel, each]) => [
        channel,
        { ...each, responses: each.responses.filter(({ state }) => state !== 'silent') },
      ]),
    ),
  }));

/** A consenter that is a monitored node, with the last data of its channel. */
interface Observed {
  readonly consenter: Consenter;
  readonly channel: NodeChannel | undefined;
  /** BFT: the number of envelopes in its request pool. */
  readonly waiting: number;
}

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

/** The leader of a channel. */
export interface Leader {
  /** Identifies the leader: with BFT the consenter id, because its name may become known later. */
  readonly key: string | number;
  readonly name: string;
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
  const own = new Set(monitored.map(({ address }) => address));
  const others = (config?.consenters ?? [])
    .map(({ address }) => address)
    .filter((address) => !own.has(address));
  const type = typeOf(observed, config);
  const size = sizeOf(active, observed, config);
  const reached = reachedBy(active);
  const responses = nodes.flatMap((node) => node.responses.get(channel)?.responses ?? []);
  // Without the address of each node, or with an outdated config, a consenter could count twice.
  const isExact = !own.has(undefined) && size === config?.consenters.length;
  const names = nodes.map(({ name }) => name);
  const fromElsewhere = new Map(
    others.map((address) => [address, observedElsewhere(address, elsewhere, names)]),
  );
  const asked = isExact
    ? others.flatMap((address) => fromElsewhere.get(address) ?? askedOf(address, responses, type) ?? [])
    : [];
  // The number of consenters that the Raft leader reaches is newer than responses to peers, and takes precedence.
  const counted = asked.filter(
    ({ name, address = name }) => reached === undefined || fromElsewhere.get(address) !== undefined,
  );
  const addresses = new Set(counted.map(({ address }) => address));
  const leader = leaderOf(active, [...monitored, ...asked], config) ?? leaderElsewhere(asked, elsewhere);
  const height = Math.max(0, ...active.map((each) => each.channel?.height ?? 0));
  const waiting = active.filter((each) => each.waiting > 0);
  return {
    // A node without a known address may be one of the others.
    quorum: quorumIn({
      type,
      size,
      monitored,
      asked,
      others: own.has(undefined) ? [] : others,
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
    leader,
    lostLeader:
      type === 'BFT'
        ? [...monitored, ...asked].find(({ name, outage }) => name === leader?.name && outage !== undefined)
        : undefined,
    leaderHeartbeatTimeout: config?.leaderHeartbeatTimeout,
    // The pool of a consenter that is behind may have envelopes that are already in blocks.
    isAwaited: waiting.some((each) => (each.channel?.height ?? 0) === height),
    height,
    views: JSON.stringify(
      active.map(({ consenter: { name, state }, channel: known }) => [
        name,
        state,
        known?.consensus?.leader_id,
      ]),
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
  const said = new Map(asked.map((each) => [each.address, each]));
  const unasked = reached === size ? 'active' : 'unknown';
  const consenters = [
    ...monitored,
    ...others.map((address): Consenter => said.get(address) ?? { name: address, address, state: unasked }),
  ];
  if (type === undefined || size === undefined || size === 0)
    return { consenters, leader, needed: undefined, mayFail: undefined };
  const needed = quorumOf(type, size);
  const isKnown = consenters.length === size && consenters.every(({ state }) => state !== 'unknown');
  const running = consenters.filter(({ state }) => state === 'active' || state === 'electing').length;
  return { consenters, leader, needed, mayFail: isKnown ? Math.max(0, running - needed) : undefined };
}

/** @param isLate whether it is down only because it did not respond in time */
function stateOf(outage: string | undefined, isElecting: boolean, isLate = false): Consenter['state'] {
  if (outage === undefined) return isElecting ? 'electing' : 'active';
  if (outage === SILENT || (outage === DOWN && isLate)) return 'silent';
  return outage === DOWN ? 'down' : 'absent';
}

/**
 * The state of a consenter according to the agent that monitors it; undefined: there is none.
 *
 * @param names the names of the nodes of this agent: a consenter with such a name has its address as name
 */
function observedElsewhere(
  address: string,
  elsewhere: readonly ConsenterStatus[],
  names: readonly string[],
): Consenter | undefined {
  const same = elsewhere.filter((each) => each.address === address);
  // Two agents may monitor it, of which one does not reach it.
  const found = same.find(({ outage }) => outage === undefined) ?? same[0];
  if (found === undefined) return undefined;
  const isAmbiguous =
    names.includes(found.name) ||
    elsewhere.some((each) => each.name === found.name && each.address !== address);
  const name = isAmbiguous ? address : found.name;
  const { state } = found;
  if (state === 'active' || state === 'electing') return { name, address, state };
  const outage = found.outage ?? 'does not participate';
  return { name, address, state: stateOf(outage, false), outage };
}

/** The leader according to other agents; undefined: unknown, or they disagree. @param asked the consenters that this agent does not monitor */
function leaderElsewhere(
  asked: readonly Consenter[],
  elsewhere: readonly ConsenterStatus[],
): Leader | undefined {
  const said = new Set(elsewhere.flatMap(({ address, leader }) => (leader ? [address] : [])));
  const [leader, ...others] = asked.filter(
    ({ address, outage }) => said.has(address) && outage === undefined,
  );
  return leader === undefined || others.length > 0 ? undefined : { key: leader.name, name: leader.name };
}

/** States in a response, the best first: one peer may reach an orderer that another peer does not reach. */
const STATES = ['alive', 'unavailable', 'no-channel', 'silent'] as const satisfies OrdererResponse['state'][];

/** The state of a consenter that is not monitored, from its responses to peers; undefined: unknown. */
function askedOf(
  address: string,
  responses: readonly OrdererResponse[],
  type: VerdictFacts['type'],
): Consenter | undefined {
  const own = responses.filter(({ consenter }) => consenter === address);
  const found = STATES.find((state) => own.some((each) => each.state === state));
  if (found === undefined) return undefined;
  // With three or more consenters, a Raft orderer serves no blocks while it knows no leader; a BFT orderer does (`Errored` of their chains).
  const isElecting = found === 'unavailable' && type !== 'BFT';
  const outage = found === 'alive' || isElecting ? undefined : OUTAGES[found];
  return { name: address, address, state: stateOf(outage, isElecting), outage };
}

const OUTAGES = {
  unavailable: 'does not serve the channel',
  'no-channel': 'has not joined the channel, or only follows it',
  silent: SILENT,
};

/** The newest config of a channel in the ledger directories; a node that is behind or down has an older one. */
function newestConfig(channel: string, nodes: readonly Observation[]): ChannelConsenters | undefined {
  let newest: ChannelConsenters | undefined;
  for (const { consenters } of nodes) {
    const found = consenters.get(channel);
    if (found !== undefined && (newest === undefined || found.block > newest.block)) newest = found;
  }
  return newest;
}

/** A node as a consenter of a channel; undefined: it is not a consenter, or that is unknown. */
function observedIn(
  node: Observation,
  channel: string,
  config: ChannelConsenters | undefined,
): Observed | undefined {
  const { name, kind, isUp, isLate, isStarting, channels, missing, waiting } = node;
  if (kind !== 'orderer' || isUp === undefined) return undefined;
  const address = addressOf(node, channel, config);
  const inConfig =
    address !== undefined && config?.consenters.some((consenter) => consenter.address === address);
  const known = channels.get(channel);
  const { relation, status = 'active', consensus, removed } = known ?? {};
  // Without channel participation, as before Fabric 2.3, only the consensus metrics show it.
  const says = relation === undefined ? consensus !== undefined : relation === 'consenter';
  const follows = relation === 'follower' || relation === 'config-tracker';
  const isNamed = inConfig === true && (!isUp || known === undefined || removed === true || follows);
  const isConsenter = says || isNamed;
  if (!isConsenter || (isUp && isStarting && known === undefined)) return undefined;
  const hasChannel = known !== undefined && removed !== true && !missing.has(channel);
  const outage = isUp ? outageIn(hasChannel, status, says) : DOWN;
  const isElecting =
    consensus?.type === 'BFT' ? consensus.view_change === true : consensus?.active_nodes === 0;
  const state = stateOf(outage, isElecting, isLate);
  return {
    consenter: { name, node: name, address, state, outage },
    channel: known,
    waiting: waiting.get(channel) ?? 0,
  };
}

/** The address of a node in the newest config of a channel: by its ledger directory, by its key, or its last known address. */
function addressOf(
  { consenters, key, addresses }: Observation,
  channel: string,
  config: ChannelConsenters | undefined,
): string | undefined {
  const own = consenters.get(channel)?.own;
  if (own !== undefined) return own;
  const sameKey = config?.consenters.find((each) => key !== undefined && each.key === key);
  return sameKey?.address ?? addresses.get(channel);
}

/** Why a running node does not participate in a channel; undefined: it does. @param isConsenter as the node reports */
function outageIn(hasChannel: boolean, status: string, isConsenter: boolean): string | undefined {
  if (!hasChannel) return 'does not have the channel';
  if (status === 'active') return isConsenter ? undefined : 'only follows the channel';
  return status === 'failed' ? 'has failed in the channel' : `is ${status} in the channel`;
}

function typeOf(
  observed: readonly Observed[],
  config: ChannelConsenters | undefined,
): 'etcdraft' | 'BFT' | undefined {
  const type = observed.find(({ channel }) => channel?.consensus !== undefined)?.channel?.consensus?.type;
  const found = type ?? config?.consensus;
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
  const said = (isLeader: boolean): number[] =>
    active.flatMap(({ channel }) => {
      const { type, active_nodes: count = 0, is_leader: leads = false } = channel?.consensus ?? {};
      return type === 'etcdraft' && count > 0 && (leads || !isLeader) ? [count] : [];
    });
  const [byLeader, byAll] = [said(true), said(false)];
  if (byLeader.length > 0) return Math.max(...byLeader);
  return byAll.length > 0 ? Math.max(...byAll) : undefined;
}

/** The leader; undefined: unknown, or several nodes report that they are the leader. */
function leaderOf(
  active: readonly Observed[],
  consenters: readonly Consenter[],
  config: ChannelConsenters | undefined,
): Leader | undefined {
  const said = new Set(
    active.flatMap(({ consenter: { name }, channel }): (string | number)[] => {
      const { type, is_leader: isLeader = false, leader_id: id = 0 } = channel?.consensus ?? {};
      return type === 'BFT' ? [id] : isLeader ? [name] : [];
    }),
  );
  const [key, ...others] = said;
  if (key === undefined || key === 0 || others.length > 0) return undefined;
  if (typeof key === 'string') return { key, name: key };
  const address = config?.consenters.find(({ id }) => id === key)?.address;
  const node = consenters.find((each) => address !== undefined && each.address === address);
  return { key, name: node?.name ?? address ?? `consenter ${key}` };
}
