// What a simulation begins with: the hosts, their notifiers, and the channels.

import { raftQuorum } from '../../core/common/quorum.js';
import type { NotifierSchedule } from '../../core/contract/notifier.js';
import type { Random } from '../fuzz/random.js';

/** A notifier of an agent. */
export interface NotifierSetup extends Pick<NotifierSchedule, 'events' | 'heartbeat'> {
  readonly name: string;
  /** Whether its receiver never accepts anything. */
  readonly isBroken?: boolean;
}

/** A host with an agent, an orderer and a peer. Its number is part of all names. */
export interface HostSetup {
  readonly name: string;
  readonly notifiers: readonly NotifierSetup[];
  /** How long the peer runs before it listens, in seconds. */
  readonly peerStart: number;
}

/** The beginning of a simulation. */
export interface Setup {
  readonly hosts: readonly HostSetup[];
  /** All orderers are consenters of each. */
  readonly channels: readonly string[];
}

/** The usual notifier. */
export const PAGER: NotifierSetup = { name: 'pager' };

/** A plain setup: each agent sends everything to one pager. */
export const plainSetup = (hosts: number, channels: readonly string[]): Setup => ({
  hosts: Array.from({ length: hosts }, (_, index) => ({
    name: `host${index + 1}`,
    notifiers: [PAGER],
    peerStart: 2,
  })),
  channels,
});

const NOTIFIERS: readonly (readonly NotifierSetup[])[] = [
  [PAGER],
  [PAGER],
  [PAGER],
  [PAGER, { name: 'oncall', events: 'critical' }],
  [{ name: 'oncall', events: 'critical' }],
  [{ name: 'heartbeat', events: 'none', heartbeat: 300_000 }],
  [{ name: 'command', isBroken: true }],
];

/** Draws a setup. A channel can have the name of a checker. */
export function drawSetup(random: Random, hosts: number, channels: number): Setup {
  const names = ['trade', 'disk', ...Array.from({ length: channels }, (_, index) => `channel${index + 1}`)];
  return {
    hosts: plainSetup(hosts, []).hosts.map((host) => ({
      ...host,
      notifiers: random.pick(NOTIFIERS),
      peerStart: random.pick([2, 4, 12]),
    })),
    channels: names.slice(0, channels),
  };
}

/** The name of a node of a host. */
export const nodeOf = (kind: 'orderer' | 'peer', host: string): string =>
  `${kind}${host.slice('host'.length)}`;

/** The host of a node. */
export const hostOf = (node: string): string => node.replace(/^\D+/, 'host');

/** The address of an orderer as a consenter. */
export const addressOf = (orderer: string): string => `${hostOf(orderer)}.example.com:7050`;

/** How many of the consenters must run. */
export const quorumOf = (consenters: number): number => raftQuorum(consenters);
