// The monitored nodes as consenters of a channel: from their last readings and their ledger directories.

import type { ChannelConsenters, ChannelResponses } from '../contract/internal/index.js';
import { NO_CHANNEL, OTHER_KEY, type Consenter } from '../fabric/channel.js';
import type { FabricNode } from '../nodes/index.js';
import type { NodeChannel } from '../status/index.js';
import { DOWN, RUNS_RAFT, SILENT } from './verdict.js';

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
  /** The channels in the lists of a checker since the start of the agent, until they are removed. */
  readonly listed: Set<string>;
  /** The channels that it no longer reports, or does not report yet after a restart. */
  missing: ReadonlySet<string>;
  consenters: ReadonlyMap<string, ChannelConsenters>;
  /** BFT: the number of envelopes in its request pool, by channel. */
  waiting: ReadonlyMap<string, number>;
  /** The number of transactions that it has committed since its start, by channel; of a peer. */
  transactions: ReadonlyMap<string, number>;
  /** The public key of its TLS certificate, in the form of {@link ChannelConsenters}; undefined: unknown. */
  key: string | undefined;
  /** Its last address in the configs, by channel; kept when it is removed from the channel or gets another key. */
  readonly addresses: Map<string, string>;
  /** The responses of orderers to this peer, by channel. */
  responses: ReadonlyMap<string, ChannelResponses>;
}

/** A node before its first reading. */
export const newObservation = (name: string, kind: Observation['kind']): Observation => ({
  name,
  kind,
  isUp: undefined,
  isLate: false,
  upSince: 0,
  isStarting: true,
  channels: new Map(),
  listed: new Set(),
  missing: new Set(),
  consenters: new Map(),
  key: undefined,
  addresses: new Map(),
  waiting: new Map(),
  transactions: new Map(),
  responses: new Map(),
});

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
export interface Observed {
  readonly consenter: Consenter;
  readonly channel: NodeChannel | undefined;
  /** Whether it runs Raft in maintenance although the type in the config is BFT already. */
  readonly isOutdated: boolean;
  /** BFT: the number of envelopes in its request pool. */
  readonly waiting: number;
}

/** A node as a consenter of a channel; undefined: it is not a consenter, or that is unknown. */
export function observedIn(
  node: Observation,
  channel: string,
  config: ChannelConsenters | undefined,
): Observed | undefined {
  const { name, kind, isUp, isLate, isStarting, channels, missing, waiting } = node;
  if (kind !== 'orderer' || isUp === undefined) return undefined;
  const address = addressOf(node, channel, config);
  const named = config?.consenters.find((consenter) => consenter.address === address);
  const known = channels.get(channel);
  const { relation, status = 'active', consensus, removed } = known ?? {};
  // Without channel participation, as before Fabric 2.3, only the consensus metrics show it.
  const isReported = relation === undefined ? consensus !== undefined : relation === 'consenter';
  // It may have been removed from the channel since it went down.
  const isCounted =
    isReported && (isUp || named !== undefined || address === undefined || config === undefined);
  const follows = relation === 'follower' || relation === 'config-tracker';
  const isNamed = named !== undefined && (!isUp || known === undefined || removed === true || follows);
  const isConsenter = isCounted || isNamed;
  if (!isConsenter || (isUp && isStarting && known === undefined)) return undefined;
  const hasChannel = known !== undefined && removed !== true && !missing.has(channel);
  const isOutdated = isUp && hasChannel && config?.consensus === 'BFT' && consensus?.type === 'etcdraft';
  const other = hasOtherKey(node, channel, config, named) ? OTHER_KEY : FOLLOWS;
  // In maintenance the consenters are restarted one after the other.
  const role = !isCounted ? other : isOutdated && config.maintenance === undefined ? RUNS_RAFT : undefined;
  const outage = isUp ? outageIn(hasChannel, status, role) : DOWN;
  const isElecting =
    consensus?.type === 'BFT' ? consensus.view_change === true : consensus?.active_nodes === 0;
  const state = stateOf(outage, isElecting, isLate);
  return {
    consenter: { name, node: name, address, state, outage },
    channel: known,
    isOutdated: isOutdated && outage === undefined,
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

const FOLLOWS = 'only follows the channel';

/** Returns true if the certificate of a node has another key than its consenter. BFT compares identities, which only the node's checker reads. */
function hasOtherKey(
  { consenters, key }: Observation,
  channel: string,
  config: ChannelConsenters | undefined,
  named: ChannelConsenters['consenters'][number] | undefined,
): boolean {
  if (consenters.get(channel)?.hasOtherKey === true) return true;
  return (
    config?.consensus === 'etcdraft' && key !== undefined && named?.key !== undefined && named.key !== key
  );
}

/** Why a running node does not participate in a channel; undefined: it does. @param role undefined: it is a consenter, as it reports */
function outageIn(hasChannel: boolean, status: string, role: string | undefined): string | undefined {
  if (!hasChannel) return NO_CHANNEL;
  if (status === 'active') return role;
  return status === 'failed' ? 'has failed in the channel' : `is ${status} in the channel`;
}

/** @param isLate whether it is down only because it did not respond in time */
export function stateOf(outage: string | undefined, isElecting: boolean, isLate = false): Consenter['state'] {
  if (outage === undefined) return isElecting ? 'electing' : 'active';
  if (outage === SILENT || (outage === DOWN && isLate)) return 'silent';
  return outage === DOWN ? 'down' : 'absent';
}
