// The update and the config that it is applied to.

import type { Applied, ConfigUpdate } from '../../channel/index.js';
import type { ChannelState } from '../../state/index.js';

/** The Raft consenters that are alive: their number, or their positions in the list of the current config, from 0. */
export type Active = number | ReadonlySet<number>;

/** An update applied to a channel, without its signatures; or a config by itself, which is the same before and after. */
export interface Proposal {
  /** The name of the channel. */
  readonly channel: string;
  readonly before: ChannelState;
  readonly after: ChannelState;
  /** Undefined for a config by itself. */
  readonly update: ConfigUpdate | undefined;
  readonly applied: Applied;
  /** Undefined: all of them are alive. */
  readonly active?: Active | undefined;
}

/** The beginning of the orderer's text for a config that it cannot apply; empty for a config by itself. */
export const applying = ({ channel, update }: Pick<Proposal, 'channel' | 'update'>): string =>
  update === undefined ? '' : `error applying config update to existing channel '${channel}': `;
