// The update and the config that it is applied to.

import type { Applied, BftVersion, FabricVersion, Config, ConfigUpdate } from '../../channel/index.js';

/** The Raft consenters that are alive: their number, or their positions in the list of the current config, from 0. */
export type Active = number | ReadonlySet<number>;

/** The update applied to the current config: what stages look at that need no signatures and no certificates. */
export interface Proposal {
  /** The name of the channel. */
  readonly channel: string;
  /** The current config. */
  readonly before: Config;
  /** Undefined where a config by itself is checked. */
  readonly update: ConfigUpdate | undefined;
  readonly applied: Applied;
  /** The version of the orderers. */
  readonly fabric: FabricVersion;
  /** Their BFT consensus. */
  readonly bft: BftVersion;
  /** Undefined: all of them are alive. */
  readonly active?: Active | undefined;
}
