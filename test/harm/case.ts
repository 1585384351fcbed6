// A case of the laboratory: a network, and the updates that it gets.

import type { ConfigGroupJson } from '../e2e/fabric/channel-edits.js';
import type { FabricNetwork, NetworkOptions } from '../e2e/fabric/network.js';
import type { FabricVersion } from '../e2e/fabric/programs.js';

/** The networks: each has two organisations with one peer, which is their anchor peer. */
export const NETS = {
  raft1: { orderers: 1, consensus: 'etcdraft' },
  raft3: { orderers: 3, consensus: 'etcdraft' },
  bft4: { orderers: 4, consensus: 'BFT' },
} as const satisfies Readonly<Record<string, NetworkOptions>>;

export type NetName = keyof typeof NETS;

/** The releases whose programs the laboratory has. */
export const RELEASES = ['3.1.5', '3.0.0', '2.5.16', '2.5.12'] as const;

export type Release = (typeof RELEASES)[number];

/** The releases of the nodes of a network: the nodes of each kind have them in turn. */
export type Releases = readonly [Release, ...Release[]];

/** The releases as the helpers of networks name them. */
export const versionsOf = ([first, ...more]: Releases): readonly [FabricVersion, ...FabricVersion[]] => [
  `v${first}`,
  ...more.map((each): FabricVersion => `v${each}`),
];

/** A change of a config. */
export interface Update {
  /** What it does, so that somebody can repeat it by hand. */
  readonly text: string;
  /** Whether administrators make it every day and nothing may be lost: any danger is false. */
  readonly isRoutine?: true;
  /** Changes the config in its JSON form. */
  readonly edit: (channel: ConfigGroupJson, network: FabricNetwork) => void;
}

/** Updates of one network, one after the other. */
export interface HarmCase {
  /** What repeats it: `RELEASES/NET/KIND/SEED/NUMBER`, or the name of a fixed case. */
  readonly id: string;
  readonly net: NetName;
  readonly releases: Releases;
  readonly updates: readonly Update[];
  /** Whether the last update completes the harm: the network is checked after each, and each review names what its own update completes. */
  readonly isStepwise?: true;
}

/** Whether all updates of a case are routine ones. */
export const isRoutine = ({ updates }: HarmCase): boolean => updates.every((each) => each.isRoutine === true);
