// The grammar of a Fabric logging specification:
//
//   spec    = segment *( ":" segment )
//   segment = "" / level / names "=" level
//   names   = name *( "," name )
//   name    = part *( "." part ) [ "." ]      with a final dot: this logger only, not its children
//
// Grammar, rendering and error texts are the same as in Fabric v2.5 and v3.0 (common/flogging), except that the level `payload` is rendered
// as `payload` and not as `Level(-2)`, so that every rendered specification can be parsed again.

import { AgentError } from './errors.js';

/**
 * The log levels, lowest first, with numbers to compare them. A logger at level L writes entries of level L and above. `dpanic`,
 * `panic` and `fatal` are severities only: logging at them neither throws nor ends the process.
 */
export const LEVELS = {
  payload: -2,
  debug: -1,
  info: 0,
  warn: 1,
  error: 2,
  dpanic: 3,
  panic: 4,
  fatal: 5,
} as const;

/** The name of a level, as in a rendered logging specification. */
export type LevelName = keyof typeof LEVELS;

/** All level names, lowest level first. */
export const LEVEL_NAMES = Object.keys(LEVELS) as LevelName[];

const ALIASES: ReadonlyMap<string, LevelName> = new Map([
  ['notice', 'info'],
  ['warning', 'warn'],
  ['critical', 'error'],
]);

const LEVELS_BY_TEXT: ReadonlyMap<string, LevelName> = new Map(
  [...LEVEL_NAMES.map((name) => [name, name] as const), ...ALIASES].flatMap(([text, level]) => [
    [text, level],
    [text.toUpperCase(), level],
  ]),
);

/** Parses a level or an alias, all in lower case or all in upper case; undefined for other texts. */
export function parseLevel(text: string): LevelName | undefined {
  return LEVELS_BY_TEXT.get(text);
}

const NAME = /^[A-Za-z0-9_#-]+(?:\.[A-Za-z0-9_#-]+)*\.?$/;
const LOGGER_NAME = /^[A-Za-z0-9_#:-]+(?:\.[A-Za-z0-9_#:-]+)*$/;
const DEFAULT_LEVEL: LevelName = 'info';

/** A parsed logging specification. */
export class LogSpec {
  /** The level of loggers without an entry. */
  readonly defaultLevel: LevelName;
  /** The levels by logger name; a name with a final dot applies only to this logger, not to its children. */
  readonly entries: ReadonlyMap<string, LevelName>;
  /** The lowest level of any logger; no logger writes an entry below it. */
  readonly lowestLevel: LevelName;

  constructor(defaultLevel: LevelName, entries: ReadonlyMap<string, LevelName>) {
    this.defaultLevel = defaultLevel;
    this.entries = entries;
    this.lowestLevel = [...entries.values()].reduce(
      (low, level) => (LEVELS[level] < LEVELS[low] ? level : low),
      defaultLevel,
    );
  }

  /** The level of a logger: from its entry with a final dot, its own entry, its nearest parent, or the default, in this order. */
  levelOf(loggerName: string): LevelName {
    const exact = this.entries.get(`${loggerName}.`);
    if (exact !== undefined) return exact;
    for (let name = loggerName; ; name = name.slice(0, name.lastIndexOf('.'))) {
      const level = this.entries.get(name);
      if (level !== undefined) return level;
      if (!name.includes('.')) return this.defaultLevel;
    }
  }

  /** The normal form: `name=level` entries in byte order, then the default level. Parsing it gives an equal specification. */
  toString(): string {
    const rendered = [...this.entries].map(([name, level]) => `${name}=${level}`).sort();
    return [...rendered, this.defaultLevel].join(':');
  }
}

/**
 * Parses a logging specification. The empty one means `info`.
 *
 * @throws AgentError `LOG_SPEC_INVALID`, naming the first invalid segment
 */
export function parseLogSpec(text: string): LogSpec {
  const entries = new Map<string, LevelName>();
  let defaultLevel: LevelName = DEFAULT_LEVEL;
  const fail = (reason: string): never => {
    throw new AgentError('LOG_SPEC_INVALID', `invalid logging specification '${text}': ${reason}`);
  };

  for (const segment of text.split(':')) {
    const [names = '', level, ...rest] = segment.split('=');
    if (level === undefined) {
      defaultLevel =
        segment === '' ? DEFAULT_LEVEL : (parseLevel(segment) ?? fail(`bad segment '${segment}'`));
      continue;
    }
    if (rest.length > 0) fail(`bad segment '${segment}'`);
    if (names === '') fail(`no logger specified in segment '${segment}'`);
    const parsed = parseLevel(level) ?? fail(`bad segment '${segment}'`);
    for (const name of names.split(',')) {
      if (!NAME.test(name)) fail(`bad logger name '${name}'`);
      entries.set(name, parsed);
    }
  }
  return new LogSpec(defaultLevel, entries);
}

/**
 * Checks a logger name: dot-separated parts of ASCII letters, digits, `_`, `#`, `-` and `:`.
 *
 * @throws AgentError `LOGGER_NAME_INVALID`
 */
export function checkLoggerName(name: string): void {
  if (!LOGGER_NAME.test(name)) throw new AgentError('LOGGER_NAME_INVALID', `invalid logger name: ${name}`);
}
