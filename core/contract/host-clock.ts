// What checkers know of the clock of this host.

/** What one checker has found; it replaces what the same checker found before. */
export interface TimeEvidence {
  /** Different certificates. */
  readonly certificates?: {
    readonly count: number;
    /** How many are not valid yet. */
    readonly early: number;
    /** How many are no longer valid. */
    readonly expired: number;
    /** When the last one of all begins to be valid, in milliseconds since the epoch. */
    readonly newest: number;
  };
  /** When the last of some files was written, in milliseconds since the epoch. */
  readonly written?: number;
  /** How much the clock of another process is ahead of the clock of this host, in milliseconds; negative: behind it. */
  readonly difference?: number;
}

/** Gets what checkers know of the clock of this host. */
export interface HostClock {
  /** Says what the checker has found. */
  record(evidence: TimeEvidence): void;
}
