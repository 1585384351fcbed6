// Changes values, lines and indentation of YAML so that it often stays valid and passes the parser.

import type { Random } from './random.js';

type Change = (lines: readonly string[], at: number, random: Random, words: readonly string[]) => string[];

/** The value after a key or a dash, at the end of a line. */
const LAST_VALUE = /(?<=[:-] )[^:#]*$/;

const changes: readonly Change[] = [
  function replaceValue(lines, at, random, words) {
    return lines.with(
      at,
      (lines[at] ?? '').replace(LAST_VALUE, () => random.pick(words)),
    );
  },
  function indent(lines, at, random) {
    return lines.with(at, `${' '.repeat(1 + random.below(4))}${lines[at]}`);
  },
  function outdent(lines, at) {
    return lines.with(at, (lines[at] ?? '').trimStart());
  },
  function move(lines, at, random) {
    const rest = lines.toSpliced(at, 1);
    return rest.toSpliced(random.below(rest.length + 1), 0, lines[at] ?? '');
  },
  function duplicate(lines, at, random) {
    return lines.toSpliced(random.below(lines.length + 1), 0, lines[at] ?? '');
  },
  function changeCase(lines, at) {
    return lines.with(at, (lines[at] ?? '').toUpperCase());
  },
];

/** Changes one to three lines of a text; comments and empty lines are removed. */
export function mutateLines(input: Buffer, random: Random, words: readonly string[]): Buffer {
  let lines = input
    .toString()
    .split('\n')
    .filter((line) => !/^\s*(?:#|$)/.test(line));
  for (let left = 1 + random.below(3); left > 0 && lines.length > 0; left -= 1)
    lines = random.pick(changes)(lines, random.below(lines.length), random, words);
  return Buffer.from(lines.join('\n'));
}
