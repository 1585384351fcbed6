/**
 * The levels of a logger, lowest first, with the number each one compares by. A logger at level L emits entries of level L
 * and above. `dpanic`, `panic` and `fatal` are levels of severity only: logging at them has no further effect.
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

/** The name of a level, as a rendered logging specification spells it. */
export type LevelName = keyof typeof LEVELS;

/** All level names, lowest level first. */
export const LEVEL_NAMES = Object.keys(LEVELS) as LevelName[];

const ALIASES: ReadonlyMap<string, LevelName> = new Map([
  ['notice', 'info'],
  ['warning', 'warn'],
  ['critical', 'error'],
]);

const SPELLINGS: ReadonlyMap<string, LevelName> = new Map(
  [...LEVEL_NAMES.map((name) => [name, name] as const), ...ALIASES].flatMap(([spelling, level]) => [
    [spelling, level],
    [spelling.toUpperCase(), level],
  ]),
);

/** The level that a spelling stands for: all lower case or all upper case, aliases included; undefined when it is none. */
export function parseLevel(spelling: string): LevelName | undefined {
  return SPELLINGS.get(spelling);
}
