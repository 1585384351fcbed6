import type { LevelName } from './log-levels.js';

/** Structured values of a log entry, printed after its message. They must not contain secrets. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Writes one entry if the level of the logger allows it; otherwise costs one comparison. Never throws. */
export type LogMethod = (message: string, fields?: LogFields) => void;

/** A named logger. A change of the active logging specification changes the level of existing loggers at once. */
export interface Logger extends Readonly<Record<LevelName, LogMethod>> {
  readonly name: string;
  /** Whether an entry of this level would be written now. Use it to skip work that only prepares a log line. */
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
  /** The method that was called: `Error.captureStackTrace(target, entry.method)` omits the frames of the logger. */
  readonly method: (...args: never[]) => unknown;
}
