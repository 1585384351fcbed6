// A channel and its consenters.

/** `at-risk`: one more failure stops the channel. `maintenance`: it is in maintenance mode and accepts no transactions. */
export type Verdict = 'working' | 'at-risk' | 'maintenance' | 'stopped' | 'unknown';

/** All verdicts, the worst first. */
export const VERDICTS: readonly string[] = [
  'stopped',
  'maintenance',
  'at-risk',
  'unknown',
  'working',
] satisfies Verdict[];

/** The outage of a consenter whose node runs without the channel, for example after `osnadmin channel remove`. */
export const NO_CHANNEL = 'does not have the channel';

/** The outage of a consenter whose node has another key than the channel has for it (Fabric: `detectSelfID` of both consensus plugins). */
export const OTHER_KEY = 'only follows the channel, because its certificate has another key';

/** A consenter in the config of a channel, or a node that reports that it is one. */
export interface Consenter {
  /** The name of its node, or `host:port` if it is not monitored. */
  readonly name: string;
  /** The monitored node. */
  readonly node?: string | undefined;
  /** Its address in the config. */
  readonly address?: string | undefined;
  /**
   * `active`: it participates. `electing`: it knows no leader, or with BFT, waits for the next view. `down`: its process does not run, or is
   * unreachable. `silent`: it does not respond. `absent`: it runs, but does not have the channel, only follows it, or has failed in it.
   */
  readonly state: 'active' | 'electing' | 'down' | 'silent' | 'absent' | 'unknown';
  /** Why it does not participate, such as `is down`; a reason has it after the name. Undefined: it participates, or that is unknown. */
  readonly outage?: string | undefined;
}

/** The consenters of a channel, and how many of them it needs. */
export interface Quorum {
  readonly consenters: readonly Consenter[];
  /** The name of the leader; undefined: unknown. */
  readonly leader: string | undefined;
  /** How many must participate; undefined: unknown. */
  readonly needed: number | undefined;
  /** How many may still fail; undefined: unknown. */
  readonly mayFail: number | undefined;
}

/** The state of a channel. Times are milliseconds since the epoch. */
export interface Channel extends Quorum {
  readonly verdict: Verdict;
  /** For example `2 of 3 consenters are down (orderer2, orderer3)`. */
  readonly reason: string;
  /** When the verdict began. */
  readonly since: number;
  /** When the last new block was found; undefined: none since the agent started. */
  readonly lastBlockAt: number | undefined;
  /** The new blocks in each of the last minutes that have ended, at most 60, the oldest first. */
  readonly blocks: readonly number[];
  /** The transactions in them; undefined: no monitored peer has counted any. */
  readonly transactions?: readonly number[] | undefined;
}
