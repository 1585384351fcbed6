// What a command of the program is, and what it uses of the process.

import type { Environment } from '../../config/index.js';

/** The terminal of standard output. */
export interface Terminal {
  size(): { readonly columns: number; readonly rows: number };
}

/** The parts of the process that commands use; only `main.ts` accesses `process`. */
export interface Process {
  readonly environment: Environment;
  readonly cwd: string;
  /** The version of Node.js, such as `v22.12.0`. */
  readonly nodeVersion: string;
  /** Undefined if standard output is not a terminal. */
  readonly terminal: Terminal | undefined;
  /** Writes to standard output. Returns false if its reader has closed it. */
  out(text: string): boolean;
  /** Writes to standard error. */
  error(text: string): void;
  /** Calls the listener at the first SIGTERM or SIGINT; the second signal ends the process immediately. */
  onStop(listener: () => void): void;
  /** Calls the listener at each SIGHUP. */
  onReload(listener: () => void): void;
  /**
   * Calls the listener for each uncaught error; such errors no longer end the process at once. When the listener returns false, the command
   * ends because of the error, and the process ends even if the command hangs.
   */
  onUncaught(listener: (error: unknown, isRejection: boolean) => boolean): void;
}

/** Exit statuses. `incomplete`: nothing failed, but there are warnings, or something is missing. */
export const EXIT = { ok: 0, failed: 1, usage: 2, incomplete: 3 } as const;

/** One command of the program. */
export interface Command {
  /** The help text. */
  readonly help: string;
  /**
   * @returns the exit status
   * @throws AgentError or SettingsError, which the program prints
   */
  run(args: readonly string[], process: Process): Promise<number>;
}
