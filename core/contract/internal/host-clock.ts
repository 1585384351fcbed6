// Evidence of checkers about the clock of this host.

/** Evidence from one checker; it replaces earlier evidence from the same checker. */
export interface TimeEvidence {
  /** Distinct certificates. */
  readonly certificates?: {
    readonly count: number;
    /** How many are not valid yet. */
    readonly early: number;
    /** How many are no longer valid. */
    readonly expired: number;
    /** The latest notBefore of all of them, in milliseconds since the epoch. */
    readonly newest: number;
  };
  /** The latest modification time of some files, in milliseconds since the epoch. */
  readonly written?: number;
  /** How much the clock of another process is ahead of the clock of this host, in milliseconds; negative: behind. */
  readonly difference?: number;
}

/** Takes evidence of checkers about the clock of this host. */
export interface HostClock {
  /** Records the evidence of this checker. */
  record(evidence: TimeEvidence): void;
}
