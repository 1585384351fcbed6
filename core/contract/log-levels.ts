/**
 * The log levels, lowest first, with the number that orders them. A logger at level L writes entries of level L and above. `dpanic`,
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

/** Parses a level or an alias of one, all in lower case or all in upper case; undefined for anything else. */
export function parseLevel(text: string): LevelName | undefined {
  return LEVELS_BY_TEXT.get(text);
}
