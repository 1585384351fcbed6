import type { Environment } from '../../config/index.js';

/** What a command sees of the process; only `main.ts` has the process itself. */
export interface Process {
  readonly environment: Environment;
  readonly cwd: string;
  /** Writes to standard output. */
  out(text: string): void;
  /** Writes to standard error. */
  error(text: string): void;
  /** Calls back for SIGTERM and SIGINT; at the second one the process ends at once. */
  onStop(listener: () => void): void;
  /** Calls back for SIGHUP. */
  onReload(listener: () => void): void;
  /** Calls back with errors that nobody caught, which then do not end the process. */
  onUncaught(listener: (error: unknown, isRejection: boolean) => void): void;
}

/** Exit statuses. */
export const EXIT = { ok: 0, failed: 1, usage: 2 } as const;

/** One command of the program. */
export interface Command {
  /** As typed after the program's name. */
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** The whole help text. */
  readonly help: string;
  /**
   * @returns the exit status
   * @throws AgentError or SettingsError; the program prints it
   */
  run(args: readonly string[], process: Process): Promise<number>;
}
