// The kinds of flags and arguments: each validates a text of the command line and converts it.

import { parseTime } from '../../core/common/text/time.js';
import { isFabricVersion, KNOWN_VERSIONS } from '../msp/releases.js';
import type { Position } from '../ledger/index.js';
import type { Kind } from './command.js';
import { asUsage, UsageError } from './errors.js';
import { checkInput, checkOutput } from './files.js';
import { isNetworkAddress, parseNetworkAddress } from './network-address.js';

/** A kind with quoted default values. */
export const kind = <Value>(parse: Kind<Value>['parse']): Kind<Value> => ({ parse, isQuoted: true });

/** Any text. */
export const text = kind((given) => given);

/** The path of a file to read. It is not opened, because a named pipe must be opened only once. */
export const inputPath: Kind<string> = {
  parse: (path, _name, process) => {
    asUsage(() => checkInput(path, process));
    return path;
  },
  isQuoted: false,
};

/** The path of a file to write. */
export const outputPath: Kind<string> = {
  parse: (path, _name, process) => {
    asUsage(() => checkOutput(path, process));
    return path;
  },
  isQuoted: false,
};

/** The source of a config: the path of a file or of a ledger, or the address of a network. */
export const source = kind((given, name, process) => {
  if (!isNetworkAddress(given)) return inputPath.parse(given, name, process);
  asUsage(() => parseNetworkAddress(given));
  return given;
});

const HASH = /^[0-9a-f]{64}$/i;

/** Whether a text is a SHA-256 in hexadecimal. */
export const isHash = (given: string): boolean => HASH.test(given);

/** A trusted block: the path of its file, or its hash. */
export const trust = kind((given, name, process) =>
  isHash(given) ? given : inputPath.parse(given, name, process),
);

const FLOAT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const MAX_PORT = 65_535;

/** A port. Like Fabric's configtxlator, it accepts any number and truncates it; the errors are Go's. */
export const port: Kind<number> = {
  parse: (given) => {
    const fail = (reason: string): UsageError =>
      new UsageError(`strconv.ParseFloat: parsing ${JSON.stringify(given)}: ${reason}`);
    if (!FLOAT.test(given)) throw fail('invalid syntax');
    const number = Math.trunc(Number(given));
    if (number < 0 || number > MAX_PORT) throw fail('value out of range');
    // Turns the -0 of -0.5 into 0.
    return number + 0;
  },
  isQuoted: false,
};

const SIZE = /^(\d+)(?:([KMG])B?)?$/i;
const SIZE_UNITS: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['K', 1024],
  ['M', 1024 ** 2],
  ['G', 1024 ** 3],
]);
/** About the longest string of Node.js. */
const MAX_SIZE_MB = 512;

/** A size in bytes: a number, or a number with a unit such as 100MB. */
export const size: Kind<number> = {
  parse: (given, name) => {
    const [, digits, unit = ''] = SIZE.exec(given) ?? [];
    const bytes = Number(digits) * (SIZE_UNITS.get(unit.toUpperCase()) ?? 1);
    if (bytes >= 1 && bytes <= MAX_SIZE_MB * 1024 ** 2) return bytes;
    throw new UsageError(
      `--${name} must be a size between 1 and ${MAX_SIZE_MB}MB, such as 100MB: found ${JSON.stringify(given)}`,
    );
  },
  isQuoted: false,
};

/** The error for a flag with an invalid value. */
const mustBe = (name: string, expected: string, found: string): UsageError =>
  new UsageError(`flag '${name}' must be ${expected}, found ${JSON.stringify(found)}`);

/** A positive number. */
export const count = kind((given, name) => {
  if (/^[1-9]\d{0,8}$/.test(given)) return Number(given);
  throw mustBe(name, 'a number from 1 to 999999999', given);
});

const MAX_BLOCK = 2n ** 64n - 1n;

/** The number of a block. */
export const blockNumber = kind((given, name) => {
  const number = /^\d{1,20}$/.test(given) ? BigInt(given) : undefined;
  if (number !== undefined && number <= MAX_BLOCK) return number;
  throw mustBe(name, 'the number of a block', given);
});

/** The number of a block, `newest` or `oldest`. */
export const blockPosition = kind((given, name, process): Position =>
  given === 'newest' || given === 'oldest' ? given : blockNumber.parse(given, name, process),
);

const MILLISECONDS = 1000;

/** A time in RFC 3339, a date, or seconds since 1970. */
export const time = kind((given, name) => {
  const found = /^\d{1,12}$/.test(given) ? new Date(Number(given) * MILLISECONDS) : parseTime(given);
  if (found !== undefined) return found;
  throw mustBe(
    name,
    'a time that exists, with its zone, such as 2026-11-22T12:00:00Z, or seconds since 1970',
    given,
  );
});

const DURATION_UNITS: Readonly<Record<string, number>> = { s: 1, m: 60 };

/** A duration, such as 30s or 5m, in seconds. */
export const duration = kind((given, name) => {
  const [, number = '', unit = ''] = /^([1-9]\d{0,5})([sm])$/.exec(given) ?? [];
  const seconds = Number(number) * (DURATION_UNITS[unit] ?? 0);
  if (seconds > 0) return seconds;
  throw mustBe(name, 'a time such as 30s or 5m', given);
});

const PERIOD_UNITS: Readonly<Record<string, number>> = { h: 3600, d: 86_400 };

/** A period of days or hours, such as 30d or 12h, in seconds; it may be 0d. */
export const period = kind((given, name) => {
  const [, number, unit = ''] = /^(\d{1,4})([hd])$/.exec(given) ?? [];
  if (number !== undefined) return Number(number) * (PERIOD_UNITS[unit] ?? 0);
  throw mustBe(name, 'a time such as 30d or 12h', given);
});

/** Versions of Fabric, separated by commas. */
export const fabricVersions = kind((given, name): readonly string[] => {
  const versions = given.split(',').map((each) => each.trim());
  const unknown = versions.find((version) => !isFabricVersion(version));
  if (unknown !== undefined) throw mustBe(name, KNOWN_VERSIONS, unknown);
  return versions;
});

const FORMATS = ['text', 'json', 'markdown'] as const;

/** The format of a result. */
export type Format = (typeof FORMATS)[number];

/** Parses a {@link Format}. */
export const format = kind((given, name): Format => {
  const found = FORMATS.find((each) => each === given);
  if (found !== undefined) return found;
  throw mustBe(name, `one of ${FORMATS.join(', ')}`, given);
});

/** The id of a danger that can be allowed. */
export const danger: Kind<string> = {
  ...text,
  verify: async (given, name) => {
    const { canBeAllowed } = await import('../rules/index.js');
    if (!canBeAllowed(given))
      throw mustBe(name, 'the id of a danger that can be allowed, as review --json shows it', given);
  },
};
