import type { LevelName } from './log-levels.js';

/** Structured values that belong to a log entry, printed after its message. Never put a secret here. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Writes one entry when the logger's level allows it; costs one comparison when it does not. Never throws. */
export type LogMethod = (message: string, fields?: LogFields) => void;

/** A named logger. Its level follows the active logging specification at once, also for loggers made before a change. */
export interface Logger extends Readonly<Record<LevelName, LogMethod>> {
  readonly name: string;
  /** Whether an entry of this level would be written now; for skipping work that only prepares a log line. */
  enabled(level: LevelName): boolean;
}

/** One entry that passed the level of its logger. */
export interface LogEntry {
  readonly level: LevelName;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** The name of the logger. */
  readonly name: string;
  readonly message: string;
  readonly fields: LogFields | undefined;
  /** The logger's own method, for `Error.captureStackTrace(holder, entry.method)` to leave the logger's frames out. */
  readonly method: (...args: never[]) => unknown;
}
