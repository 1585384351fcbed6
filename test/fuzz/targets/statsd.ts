// The lines of the StatsD sink: a sample is one line of the protocol, for any name and labels.

import type { Sample } from '../../../core/contract/index.js';
import statsd from '../../../plugins/metrics/statsd/index.js';
import { normalPrefix, type TagStyle } from '../../../core/kit/lines/buckets.js';
import type { LineOptions } from '../../../plugins/metrics/statsd/client.js';
import { sentLines } from '../../helpers/statsd-lines.js';
import type { Random } from '../random.js';
import type { Input, Outcome } from '../target.js';

/** The content of an input, as JSON. */
interface Case {
  readonly kind: 'counter' | 'gauge' | 'timing';
  readonly options: LineOptions;
  readonly sample: Sample;
}

/** Letters with bytes that are `\n`, `:` or `|` without their highest bit, and characters that are special in a dialect. */
const PIECES = [
  'a',
  'Z',
  '0',
  '_',
  '-',
  '/',
  '.',
  '..',
  ':',
  '|',
  ';',
  ',',
  '=',
  '#',
  '~',
  '!',
  '@',
  '@0.1',
  '|c',
  ':1|c',
  '"',
  '\n',
  '\r',
  '\0',
  '\t',
  ' ',
  '\x7f',
  '\x85',
  '\xa0',
  '\u2028',
  '\ufeff',
  '\ud800',
  '\udc00',
  '😀',
  'Ċ',
  'ĺ',
  'ż',
  '\n.forged:1|c\n',
  '__proto__',
  'constructor',
  '{}',
  '%0a',
  '\\n',
  '\x1b[0m',
  '\u202e',
];
const VALUES = [0, 1, -1, 0.1, 1e-9, -1e-9, 1e21, 1.7e308, -5e20, 123456.7890123, 2 ** 53];
const TYPE = { counter: 'c', gauge: 'g', timing: 'ms' } as const;

/** Generates an input with random names, labels and options. */
export function statsdInput(random: Random): Input {
  const text = (most: number): string =>
    Array.from({ length: random.below(most + 1) }, () => random.pick(PIECES)).join('');
  const value: Case = {
    kind: random.pick(['counter', 'gauge', 'timing']),
    options: {
      prefix: text(random.below(3)),
      tags: random.pick(['none', 'dogstatsd', 'influx', 'graphite']),
      timingUnit: random.pick(['milliseconds', 'seconds']),
      network: random.pick(['udp', 'tcp']),
      nodePrefix: random.pick(['escaped', 'dotted']),
    },
    sample: {
      namespace: text(2),
      subsystem: text(2),
      name: `${random.pick(PIECES)}${text(4)}`,
      labels: Object.fromEntries(Array.from({ length: random.below(4) }, () => [text(3), text(6)])),
      value: random.pick(VALUES),
      node: text(3),
    },
  };
  return { target: 'statsd', type: '', bytes: Buffer.from(JSON.stringify(value)) };
}

const ENDS = '|:;\\s\\p{Cc}';
const NAME = `[^${ENDS}]+`;
const TAG = `[^${ENDS},=#~!]+`;
const VALUE = String.raw`-?\d+\.\d{6}\|(?:c|g|ms)`;

/** A line after the prefix, in each dialect. */
const LINES: Readonly<Record<TagStyle, RegExp>> = {
  none: new RegExp(`^${NAME}:${VALUE}$`, 'u'),
  dogstatsd: new RegExp(`^${TAG}:${VALUE}(?:\\|#${TAG}:${TAG}(?:,${TAG}:${TAG})*)?$`, 'u'),
  influx: new RegExp(`^${TAG}(?:,${TAG}=${TAG})*:${VALUE}$`, 'u'),
  graphite: new RegExp(`^${TAG}(?:;${TAG}=${TAG})*:${VALUE}$`, 'u'),
};

/** @throws Error when the lines are not valid */
export function runStatsd({ bytes }: Input): Outcome {
  const { kind, options, sample } = JSON.parse(bytes.toString()) as Case;
  if (!isAccepted(options.prefix)) return 'refused';
  const [written] = sentLines(options, (client) => void client[kind](sample));
  if (written === undefined) return 'refused';
  const lines = written.split('\n');
  const count = kind === 'gauge' && sample.value < 0 ? 2 : 1;
  if (lines.length !== count) throw new Error(`not ${count} lines: ${written}`);
  if (options.network === 'tcp' && /[^ -~\n]/.test(written)) throw new Error(`not ASCII: ${written}`);
  for (const line of lines) checkLine(line, TYPE[kind], options);
  return 'accepted';
}

function checkLine(line: string, type: string, { prefix, tags }: LineOptions): void {
  // Over tcp some characters of the prefix are replaced, but their number is the same.
  const rest = [...line].slice([...normalPrefix(prefix)].length).join('');
  if (!LINES[tags].test(rest) || !rest.includes(`|${type}`) || /[|:\s\p{Cc}]/u.test(prefix))
    throw new Error(`not a valid line with tags ${tags}: ${JSON.stringify(line)}`);
}

/** Whether the option `prefix` accepts the value; others are never written. */
function isAccepted(prefix: string): boolean {
  try {
    statsd.options.prefix.format(prefix);
    return true;
  } catch {
    return false;
  }
}
