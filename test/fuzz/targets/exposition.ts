// Metrics of nodes: a text is accepted or refused in the same way whatever the parser has read before, and what is accepted is a valid
// reading, since the agent does not check the readings of built-in sources.

import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { SourceError, type SourceFamily } from '../../../core/contract/index.js';
import { readingProblem } from '../../../core/contract/reading-problem.js';
import { ExpositionParser } from '../../../core/kit/exposition/parse.js';
import { samplesOfFamilies } from '../../helpers/source-samples.js';
import type { Random } from '../random.js';
import type { Input, Outcome } from '../target.js';

/** Pieces with a meaning in the format. */
export const EXPOSITION_WORDS = [
  ' 1\n',
  ' NaN\n',
  ' +Inf\n',
  ' -1e-999\n',
  ' 0x1p-2\n',
  ' 1 1395066363000\n',
  '{',
  '}',
  '{}',
  '",',
  '="',
  '\\',
  '\\"',
  '\\n',
  '\r\n',
  '\t',
  '\0',
  '\u2028',
  '__proto__="1",',
  'constructor 1\n',
  '# TYPE a histogram\n',
  '# TYPE a summary\na{quantile="0.5"} 1\na_sum 1\na_count 1\n',
  '# HELP a \\n\n',
  '# EOF\n',
  'le="+Inf"',
  'le="-Inf"',
  'a_bucket{le="1"} 1\n',
  'a_count 1\n',
];

/** How many lines of a sample are one input. */
const LINES = 60;
const FIRST_LINE = /^# HELP/;

/** Pieces of what real nodes responded; each begins with a family. */
export function expositionSamples(): readonly Input[] {
  return ['peer', 'orderer'].flatMap((node) => {
    const lines = readFileSync(`test/vectors/node/${node}-metrics.txt`, 'utf8').split('\n').slice(0, -1);
    const starts = [...lines.keys()].filter((at) => FIRST_LINE.test(lines[at] ?? ''));
    const pieces = starts.map((start) => {
      const end = starts.findLast((at) => at <= start + LINES) ?? start;
      return lines.slice(start, end > start ? end : undefined);
    });
    return pieces.map((piece) => ({
      target: 'exposition' as const,
      type: '',
      bytes: Buffer.from(`${piece.join('\n')}\n`),
    }));
  });
}

const VALUES = ['0', '5', '-1', '1.5', '1e-07', 'NaN', '+Inf', '1 1395066363000', 'x', ''];

type Change = (line: string, random: Random) => string[];

const changes: readonly Change[] = [
  (line, random) => [line.replace(/[^ ]*$/, random.pick(VALUES))],
  (line, random) => [line.replace(/"[^"]*"/, `"${random.pick(['', 'a', '+Inf', '1', '\\\\', '\\n', 'é'])}"`)],
  (line, random) => [
    line.replace(/\w+(?==)/, random.pick(['a', 'le', 'quantile', '__proto__', '__name__', 'channel'])),
  ],
  (line, random) => [
    line.replace(/(?<=^# TYPE \w+ ).*/, random.pick(['gauge', 'untyped', 'summary', 'histogram'])),
  ],
  (line, random) => [line, `other${random.below(3)} 1`],
  (line) => [line, line],
  () => [],
];

/** Changes one or two lines. */
export function mutateExposition(input: Buffer, random: Random): Buffer {
  let lines = input.toString().split('\n');
  for (let left = 1 + random.below(2); left > 0; left -= 1) {
    const at = random.below(lines.length);
    lines = lines.toSpliced(at, 1, ...random.pick(changes)(lines[at] ?? '', random));
  }
  return Buffer.from(lines.join('\n'));
}

const { signal } = new AbortController();
/** It has seen every text before. */
const shared = new ExpositionParser();

/** @throws any error that is not a proper refusal */
export async function runExposition({ bytes }: Input): Promise<Outcome> {
  const text = bytes.toString();
  const first = await parsed(new ExpositionParser(), text);
  const repeated = new ExpositionParser();
  for (const parser of [repeated, repeated, shared]) {
    const again = await parsed(parser, text);
    if (!isDeepStrictEqual(shown(again), shown(first)))
      throw new Error(`parsed another way: ${JSON.stringify([shown(again), shown(first)]).slice(0, 500)}`);
  }
  if (typeof first === 'string') return 'refused';
  const problem = await readingProblem({ families: first });
  if (problem !== undefined) throw new Error(`accepted, although ${problem}`);
  return 'accepted';
}

const shown = (found: readonly SourceFamily[] | string): unknown =>
  typeof found === 'string'
    ? found
    : [found.map(({ name, type, help }) => [name, type, help]), samplesOfFamilies(found)];

/** The families, or the message of the refusal. */
async function parsed(parser: ExpositionParser, text: string): Promise<readonly SourceFamily[] | string> {
  try {
    const { families } = await parser.parse(Buffer.from(text), signal);
    return families;
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    if (!/^line \d+: [^\n]{1,250}$/.test(error.message))
      throw new Error(`not a reason: ${error.message}`, { cause: error });
    return error.message;
  }
}
