// What a command sees of the process; only main.ts has the process itself.

/** The process around a command. */
export interface Process {
  /** Descriptors of standard input and output. */
  readonly stdin: number;
  readonly stdout: number;
  /** Writes to standard error. */
  error(text: string): void;
  /** Whether standard error is a terminal, which shows colours. */
  readonly isErrorTerminal: boolean;
  /** How many characters a line of a help text may have. */
  readonly columns: number;
  /** What runs the program: the version of node, the operating system and the architecture as node names them. */
  readonly runtime: { readonly version: string; readonly platform: string; readonly arch: string };
  /** Calls back for SIGTERM and SIGINT; at the second one the process ends at once. */
  onStop(listener: () => void): void;
}
