// Log specs: an accepted spec renders as a text with the same meaning.

import { readFileSync } from 'node:fs';
import { AgentError, parseLogSpec } from '../../../core/contract/index.js';
import type { Random } from '../random.js';
import type { Input, Outcome } from '../target.js';

/** Pieces with a meaning in a spec. */
export const LOGSPEC_WORDS = [
  ':',
  '=',
  ',',
  '.',
  '..',
  '.=',
  '=info',
  ':info',
  'a.b.=debug',
  'payload',
  'WARNING',
  'Level(-2)',
  '__proto__=debug',
  'constructor.prototype=warn',
  'İnfo',
  'ſ',
  ' ',
  '\n',
  '\0',
  '\u2028',
  'a=b=c',
];

const NAMES = [
  'a',
  'a.',
  'a.b',
  'a.b.c.',
  'grpc',
  '__proto__',
  'constructor.prototype',
  '#-_',
  'toString.',
  '0',
];
const LEVELS = [
  'debug',
  'INFO',
  'Warning',
  'error',
  'DPANIC',
  'panic',
  'fatal',
  'payload',
  'CRITICAL',
  'notice',
  '',
];
/** Most segments of a spec. */
const SEGMENTS = 300;

/** Creates a spec that is mostly valid. */
export function logspecText(random: Random): string {
  const names = (): string => Array.from({ length: 1 + random.below(3) }, () => random.pick(NAMES)).join();
  const segment = (): string =>
    random.below(3) === 0 ? random.pick(LEVELS) : `${names()}=${random.pick(LEVELS.slice(0, -1))}`;
  const count = random.below(random.pick([2, 5, SEGMENTS]));
  return Array.from({ length: count }, segment).join(':');
}

/** Specs that were sent to Fabric nodes. */
export function logspecSamples(): readonly Input[] {
  const cases = JSON.parse(readFileSync('test/vectors/logspec-cases.json', 'utf8')) as { put: string }[];
  return cases.map(({ put }) => ({ target: 'logspec', type: '', bytes: Buffer.from(put) }));
}

/** @throws any error that is not a proper refusal */
export function runLogspec({ bytes }: Input): Outcome {
  const text = bytes.toString();
  const spec = parsedOf(text);
  if (spec === undefined) return 'refused';
  const rendered = spec.toString();
  const again = parseLogSpec(rendered);
  if (again.toString() !== rendered) throw new Error(`${rendered} renders as ${again.toString()}`);
  for (const name of [...spec.entries.keys(), 'x', 'a.b.c', '__proto__', 'constructor.prototype.x'])
    if (spec.levelOf(name) !== again.levelOf(name)) throw new Error(`${name} has another level: ${rendered}`);
  return 'accepted';
}

/** Parses a spec; undefined if it is refused. */
export function parsedOf(text: string): ReturnType<typeof parseLogSpec> | undefined {
  try {
    return parseLogSpec(text);
  } catch (error) {
    if (error instanceof AgentError && error.code === 'LOG_SPEC_INVALID') return undefined;
    throw error;
  }
}
