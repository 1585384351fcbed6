// Loggers, and the contract of a logging backend.

import type { Lifecycle } from './lifecycle.js';
import { checkLoggerName, LEVELS, type LevelName, type LogSpec, parseLogSpec } from './log-spec.js';

/** Structured values of a log entry, printed after the message. Must not contain secrets. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Writes one entry if the level of the logger allows it; otherwise costs one comparison. Never throws. */
export type LogMethod = (message: string, fields?: LogFields) => void;

/** A named logger. A change of the active logging specification changes the level of existing loggers at once. */
export interface Logger extends Readonly<Record<LevelName, LogMethod>> {
  readonly name: string;
  /** Returns true if an entry of this level would be written now. Use it to skip work that only prepares a log line. */
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

/**
 * Owns the active logging specification and the loggers. An in-process backend builds on `LeveledLoggers` and only formats
 * and writes entries; a backend that forwards to another process keeps the specification there.
 */
export interface LoggingBackend extends Lifecycle {
  /** The active specification in its normal form; `info` before the first `activate`. */
  spec(): string | Promise<string>;
  /**
   * Activates a specification for all loggers at once.
   *
   * @throws AgentError `LOG_SPEC_INVALID`; the active specification then stays
   */
  activate(spec: string): void | Promise<void>;
  /** The logger with this name; the same object for the same name. Usable before `start`. */
  logger(name: string): Logger;
}

/** Marks a logger that never throws, for all copies of this package that are loaded in one process. */
const NEVER_THROWS = Symbol.for('fabric-ops-agent.logger-never-throws');

/** Returns true if a logger was created by {@link LeveledLoggers}: its methods never throw. */
export function neverThrows(logger: Logger): boolean {
  try {
    return (logger as { readonly [NEVER_THROWS]?: unknown })[NEVER_THROWS] === true;
  } catch {
    return false;
  }
}

/** The callbacks of {@link LeveledLoggers}. */
export interface LeveledLoggersOptions {
  /** Writes one entry; called in order, during the log call. */
  write(entry: LogEntry): void;
  /** Called for each log call that passes the lowest level of the whole specification. */
  checked?(level: LevelName): void;
  /** Called for each entry written. */
  written?(level: LevelName): void;
}

/** The common part of in-process logging backends: the active specification, the named loggers and their levels. */
export class LeveledLoggers {
  readonly #options: LeveledLoggersOptions;
  readonly #loggers = new Map<string, LeveledLogger>();
  #spec: LogSpec = parseLogSpec('');

  constructor(options: LeveledLoggersOptions) {
    this.#options = options;
  }

  /** The active specification in its normal form. */
  spec(): string {
    return this.#spec.toString();
  }

  /**
   * Activates a specification for all loggers at once.
   *
   * @throws AgentError `LOG_SPEC_INVALID`; the active specification then stays
   */
  activate(spec: string): void {
    this.#spec = parseLogSpec(spec);
    for (const logger of this.#loggers.values()) logger.follow(this.#spec);
  }

  /**
   * The logger with this name; the same object for the same name.
   *
   * @throws AgentError `LOGGER_NAME_INVALID`
   */
  logger(name: string): Logger {
    const known = this.#loggers.get(name);
    if (known !== undefined) return known;
    checkLoggerName(name);
    const logger = new LeveledLogger(name, this.#options);
    logger.follow(this.#spec);
    this.#loggers.set(name, logger);
    return logger;
  }
}

class LeveledLogger implements Logger {
  readonly [NEVER_THROWS] = true;
  readonly name: string;
  readonly #options: LeveledLoggersOptions;
  /** The lowest level of the whole specification. A disabled call costs one comparison with it. */
  #gate: number = LEVELS.info;
  #threshold: number = LEVELS.info;

  constructor(name: string, options: LeveledLoggersOptions) {
    this.name = name;
    this.#options = options;
  }

  follow(spec: LogSpec): void {
    this.#gate = LEVELS[spec.lowestLevel];
    this.#threshold = LEVELS[spec.levelOf(this.name)];
  }

  enabled(level: LevelName): boolean {
    return LEVELS[level] >= this.#threshold;
  }

  payload(message: string, fields?: LogFields): void {
    if (LEVELS.payload >= this.#gate) this.#log('payload', message, fields);
  }
  debug(message: string, fields?: LogFields): void {
    if (LEVELS.debug >= this.#gate) this.#log('debug', message, fields);
  }
  info(message: string, fields?: LogFields): void {
    if (LEVELS.info >= this.#gate) this.#log('info', message, fields);
  }
  warn(message: string, fields?: LogFields): void {
    if (LEVELS.warn >= this.#gate) this.#log('warn', message, fields);
  }
  error(message: string, fields?: LogFields): void {
    if (LEVELS.error >= this.#gate) this.#log('error', message, fields);
  }
  dpanic(message: string, fields?: LogFields): void {
    if (LEVELS.dpanic >= this.#gate) this.#log('dpanic', message, fields);
  }
  panic(message: string, fields?: LogFields): void {
    if (LEVELS.panic >= this.#gate) this.#log('panic', message, fields);
  }
  fatal(message: string, fields?: LogFields): void {
    if (LEVELS.fatal >= this.#gate) this.#log('fatal', message, fields);
  }

  #log(level: LevelName, message: string, fields: LogFields | undefined): void {
    try {
      this.#options.checked?.(level);
      if (LEVELS[level] < this.#threshold) return;
      this.#options.written?.(level);
      this.#options.write({ level, time: Date.now(), name: this.name, message, fields, method: this[level] });
    } catch {
      // A value that cannot be written must not fail the caller.
    }
  }
}
