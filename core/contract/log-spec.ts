// The logging specification of a Fabric node:
//
//   spec    = segment *( ":" segment )
//   segment = "" / level / names "=" level
//   names   = name *( "," name )
//   name    = part *( "." part ) [ "." ]      a final dot: exactly this logger, not its children
//
// Grammar, rendering and error texts are those of Fabric v2.5 and v3.0, except that the level `payload` renders as
// `payload`, so that every rendered specification can be put back.

import { AgentError } from './errors.js';
import { LEVELS, parseLevel, type LevelName } from './log-levels.js';

const NAME = /^[A-Za-z0-9_#-]+(?:\.[A-Za-z0-9_#-]+)*\.?$/;
const LOGGER_NAME = /^[A-Za-z0-9_#:-]+(?:\.[A-Za-z0-9_#:-]+)*$/;
const DEFAULT_LEVEL: LevelName = 'info';

/** A parsed logging specification: which level each logger has. */
export class LogSpec {
  /** The level of loggers that no entry covers. */
  readonly defaultLevel: LevelName;
  /** The entries by logger name; a name with a final dot covers exactly that logger. */
  readonly entries: ReadonlyMap<string, LevelName>;
  /** The lowest level any logger can have: an entry below it is written by nobody. */
  readonly lowestLevel: LevelName;

  constructor(defaultLevel: LevelName, entries: ReadonlyMap<string, LevelName>) {
    this.defaultLevel = defaultLevel;
    this.entries = entries;
    this.lowestLevel = [...entries.values()].reduce(
      (low, level) => (LEVELS[level] < LEVELS[low] ? level : low),
      defaultLevel,
    );
  }

  /** The level of a logger: its exact entry, then its own, then that of its nearest parent, then the default. */
  levelOf(loggerName: string): LevelName {
    const exact = this.entries.get(`${loggerName}.`);
    if (exact !== undefined) return exact;
    for (let name = loggerName; ; name = name.slice(0, name.lastIndexOf('.'))) {
      const level = this.entries.get(name);
      if (level !== undefined) return level;
      if (!name.includes('.')) return this.defaultLevel;
    }
  }

  /** The normal form: entries sorted by the bytes of `name=level`, the default level last. Parsing it gives the same specification. */
  toString(): string {
    const rendered = [...this.entries].map(([name, level]) => `${name}=${level}`).sort();
    return [...rendered, this.defaultLevel].join(':');
  }
}

/**
 * Reads a logging specification. The empty one means `info`.
 *
 * @throws AgentError `LOG_SPEC_INVALID`, naming the first faulty segment from the left
 */
export function parseLogSpec(text: string): LogSpec {
  const entries = new Map<string, LevelName>();
  let defaultLevel: LevelName = DEFAULT_LEVEL;
  const refuse = (reason: string): never => {
    throw new AgentError('LOG_SPEC_INVALID', `invalid logging specification '${text}': ${reason}`);
  };

  for (const segment of text.split(':')) {
    const [names = '', level, ...rest] = segment.split('=');
    if (level === undefined) {
      defaultLevel =
        segment === '' ? DEFAULT_LEVEL : (parseLevel(segment) ?? refuse(`bad segment '${segment}'`));
      continue;
    }
    if (rest.length > 0) refuse(`bad segment '${segment}'`);
    if (names === '') refuse(`no logger specified in segment '${segment}'`);
    const parsed = parseLevel(level) ?? refuse(`bad segment '${segment}'`);
    for (const name of names.split(',')) {
      if (!NAME.test(name)) refuse(`bad logger name '${name}'`);
      entries.set(name, parsed);
    }
  }
  return new LogSpec(defaultLevel, entries);
}

/**
 * Checks the name of a logger: dot-separated parts of ASCII letters, digits, `_`, `#`, `-` and `:`.
 *
 * @throws AgentError `LOGGER_NAME_INVALID`
 */
export function checkLoggerName(name: string): void {
  if (!LOGGER_NAME.test(name)) throw new AgentError('LOGGER_NAME_INVALID', `invalid logger name: ${name}`);
}
