// Compares the output that a document shows with the output of the command.

/** Text that changes from run to run. A document can also write `…` for any text within a line; a line `…` stands for any lines. */
const VARIABLE: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} UTC [0-9a-f]{4}/g, '<time and sequence number>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>'],
  [/\bat \d\d:\d\d:\d\d UTC/g, 'at <time>'],
  [/\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/g, '<time>'],
  [/\w{3} [ \d]\d \d\d:\d\d:\d\d \d{4} GMT/g, '<time>'],
  [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<request id>'],
  [/Content-Length: \d+/g, 'Content-Length: <number>'],
  [/("CommitSHA":"|Commit SHA: )\w+/g, '$1<commit>'],
  [/("Version":"| Version: )[\w.-]+/g, '$1<version>'],
  // The column of a table has a width that depends on its values, such as `2m10s` and `0s ago`.
  [/(?<=\S) {2,}(?:\d+[dhm])*\d+s(?: ago)?(?= |$)/gm, '  <duration>'],
  [/(?<=\S) {2,}/g, '  '],
  // A free port that a test has taken.
  [/\b127\.0\.0\.1:\d{5}\b/g, '127.0.0.1:<port>'],
  [/\bv\d+\.\d+\.\d+\b/g, '<version of Node.js>'],
];

/** Splits a text into lines and replaces what changes from run to run. */
export function normalizedLines(text: string): string[] {
  const stable = VARIABLE.reduce((rest, [pattern, word]) => rest.replaceAll(pattern, word), text);
  const lines = stable.replaceAll('\r', '').trimEnd();
  return lines === '' ? [] : lines.split('\n');
}

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
const pattern = (line: string): string =>
  line.trim() === '…' ? '(?:.*\n)*?' : `${line.split('…').map(escape).join('.*')}\n`;

/**
 * Compares the lines of a document with the lines that a command printed.
 *
 * @returns the lines that follow those of the command, which background programs must print; undefined if the command printed
 *   something else
 */
export function remainingLines(
  expected: readonly string[],
  printed: readonly string[],
): readonly string[] | undefined {
  const text = printed.map((line) => `${line}\n`).join('');
  for (let count = expected.length; count >= 0; count -= 1) {
    if (new RegExp(`^${expected.slice(0, count).map(pattern).join('')}$`).test(text))
      return expected.slice(count);
  }
  return undefined;
}

/** Whether the lines were printed in this order, possibly with other lines in between. */
export function appearInOrder(expected: readonly string[], printed: readonly string[]): boolean {
  const text = printed.map((line) => `${line}\n`).join('');
  return new RegExp(`^(?:.*\n)*?${expected.map(pattern).join('(?:.*\n)*?')}`).test(text);
}
