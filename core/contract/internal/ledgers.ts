// The ledger folders of nodes. All checkers of an agent read a folder through one follower.

/** A config block. */
export interface ConfigBlock {
  readonly number: bigint;
  /** As `common.Block`. */
  readonly bytes: Uint8Array;
}

/** A channel in a ledger folder, as of a reading. */
export interface LedgerChannel {
  readonly name: string;
  /** The folder of its blocks. */
  readonly directory: string;
  /** The number of blocks, including blocks before a snapshot; undefined: they cannot be read. */
  readonly height: bigint | undefined;
  /** The newest config block; undefined: the reader has returned it before, or it cannot be read. */
  readonly config: ConfigBlock | undefined;
  /** Why the blocks cannot be read; undefined: they can. */
  readonly error: unknown;
}

/** Reads a ledger folder for one checker. */
export interface LedgerReader {
  /**
   * Reads the blocks that were added since the last reading of any checker.
   *
   * @returns the channels, by name
   * @throws FileNotResponding; an error with the code `BAD_LEDGER` if it is no ledger folder; the error of the system call
   */
  read(): Promise<readonly LedgerChannel[]>;
  /** Returns the newest config block of a channel again in the next reading. */
  repeat(channel: string): void;
}

/** The ledger folders of nodes. */
export interface Ledgers {
  /** @param directory `FileLedger.Location` of an orderer, or `peer.fileSystemPath` */
  readerOf(directory: string): LedgerReader;
}
