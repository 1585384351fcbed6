// The environment of a command.

import type { Display } from '../documents/index.js';

/** The parts of the process that a command uses; only main.ts accesses the process itself. */
export interface Io {
  /** File descriptors of standard input and output. */
  readonly stdin: number;
  readonly stdout: number;
  /** Writes to standard error. */
  error(text: string): void;
  /** Whether standard error is a terminal and shows colours. */
  readonly isErrorTerminal: boolean;
  /** Asks for a password, once for each prompt; undefined if standard input is not a terminal. @throws CommandError if there is no answer */
  readonly askPassword?: ((prompt: string) => Promise<string>) | undefined;
  /** The maximum width of a line of help, in characters. */
  readonly columns: number;
  /** Standard output. */
  readonly display: Display;
  /** The Node.js version, operating system and architecture, as Node.js names them. */
  readonly runtime: { readonly version: string; readonly platform: string; readonly arch: string };
  /** The variable PATH. */
  readonly searchPath?: string | undefined;
  /** Registers a listener for SIGTERM and SIGINT; the second signal ends the process at once. */
  onStop(listener: () => void): void;
}
