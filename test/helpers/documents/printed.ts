// What a document says that a command prints, against what it printed.

/** What changes from run to run. Beside these `…` stands for any text in a line, and on a line of its own for any lines. */
const CHANGING: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} UTC [0-9a-f]{4}/g, '<time and number>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>'],
  [/\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/g, '<time>'],
  [/\w{3} [ \d]\d \d\d:\d\d:\d\d \d{4} GMT/g, '<time>'],
  [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<request id>'],
  [/Content-Length: \d+/g, 'Content-Length: <number>'],
  [/("CommitSHA":"|Commit SHA: )\w+/g, '$1<commit>'],
  [/("Version":"| Version: )[\w.-]+/g, '$1<version>'],
  [/\bv\d+\.\d+\.\d+\b/g, '<version of Node.js>'],
];

/** A text without what changes from run to run, as lines. */
export function linesOf(text: string): string[] {
  const steady = CHANGING.reduce((rest, [pattern, word]) => rest.replaceAll(pattern, word), text);
  const lines = steady.replaceAll('\r', '').trimEnd();
  return lines === '' ? [] : lines.split('\n');
}

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
const pattern = (line: string): string =>
  line.trim() === '…' ? '(?:.*\n)*?' : `${line.split('…').map(escape).join('.*')}\n`;

/**
 * Compares lines of a document with the lines that a command printed.
 *
 * @returns the lines that must come from programs in the background, since the command itself printed only those before; undefined
 *   when the command printed something else
 */
export function linesLeft(
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

/** Whether lines appear in this order among others. */
export function appearIn(expected: readonly string[], printed: readonly string[]): boolean {
  const text = printed.map((line) => `${line}\n`).join('');
  return new RegExp(`^(?:.*\n)*?${expected.map(pattern).join('(?:.*\n)*?')}`).test(text);
}
