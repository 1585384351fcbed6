// Losses: what worked on a channel before an update, and does not work after it.

/** When something is tried. `one down`: after the update, while one orderer is stopped. `restarted`: after all nodes have started again. */
export type Phase = 'before' | 'after' | 'one down' | 'restarted';

/** What is tried. */
export type Probe =
  /** A node runs. */
  | 'process'
  /** A node starts again. */
  | 'start'
  /** An orderer sends its newest block to an admin; or an admin gets one from any orderer. */
  | 'fetch'
  /** An accepted update gets into a block. */
  | 'order'
  /** A peer gets all blocks. */
  | 'height'
  /** An admin approves a chaincode definition. */
  | 'approve'
  /** A chaincode definition that all have approved is committed. */
  | 'commit'
  /** Orderers accept a transaction of a client. */
  | 'transaction'
  /** Orderers accept that an admin submits a config update. */
  | 'submit'
  /** All admins together change a group of the config. */
  | 'update'
  /** A peer knows the peers of the other organisations. */
  | 'gossip';

/** Something that failed. */
export interface Loss {
  readonly phase: Phase;
  readonly probe: Probe;
  /**
   * The name of a node such as `peer1`, the name of the users who tried it (an MSP id, or `Org1MSP (CA ca2)`), the path of the group of the config that was
   * to change, such as `/Channel/Orderer`, or {@link ALL}.
   */
  readonly who: string;
  /** The last response or error. */
  readonly reason: string;
  /** The line of the log of the node that explains it; undefined if there is none. */
  readonly line?: string | undefined;
}

/** Everybody on the channel. */
export const ALL = 'all';

const WORDS: Readonly<Record<Probe, (who: string) => string>> = {
  process: (who) => `${who} does not run any more`,
  start: (who) => `${who} does not start`,
  fetch: (who) => `${who}: no block can be fetched`,
  order: () => 'an accepted update gets into no block',
  height: (who) => `${who} does not get the newest blocks`,
  approve: (who) => `${who} cannot approve a chaincode definition`,
  commit: () => 'no chaincode definition can be committed',
  transaction: (who) => `clients of ${who} cannot submit transactions`,
  submit: (who) => `admins of ${who} cannot submit config updates`,
  update: (who) => `all admins together cannot change ${who}`,
  gossip: (who) => `${who} does not know the peers of the other organisations`,
};

/** The sentence about a loss, without its reason and without a period. */
export const lossText = ({ probe, who }: Pick<Loss, 'probe' | 'who'>): string => WORDS[probe](who);
