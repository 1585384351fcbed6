// Shows the screens of `status --watch`: one after the other, or in place on a terminal, a page at a time.

import type { Process, Terminal } from './command.js';

/** Moves the cursor to the top; erases the rest of a line; erases the lines below. */
const [HOME, END_OF_LINE, BELOW] = ['\u001b[H', '\u001b[K', '\u001b[J'];

/** The actions of keys, as terminals send them: space, Page Down and Down; b, Page Up and Up; Home; q and Ctrl+C. */
const KEYS: ReadonlyMap<string, 'next' | 'previous' | 'first' | 'end'> = new Map([
  [' ', 'next'],
  ['\u001b[6~', 'next'],
  ['\u001b[B', 'next'],
  ['b', 'previous'],
  ['\u001b[5~', 'previous'],
  ['\u001b[A', 'previous'],
  ['\u001b[H', 'first'],
  ['q', 'end'],
  ['\u0003', 'end'],
]);

/** Shows a text; returns false if the reader of the output has closed it. */
export type Display = (text: string) => boolean;

/** Prints screens with an empty line between them. */
export function plainDisplay(process: Process): Display {
  let separator = '';
  return (text) => {
    const isOpen = process.out(separator + text);
    separator = '\n';
    return isOpen;
  };
}

/**
 * Redraws a terminal in place. A screen that is longer than the terminal has pages.
 *
 * @param onEnd called when the user wants to end
 */
export function terminalDisplay(process: Process, terminal: Terminal, onEnd: () => void): Display {
  let lines: readonly string[] = [];
  let page = 0;
  const draw = (): boolean => {
    const { columns, rows } = terminal.size();
    // The cursor stays on the last row.
    const shown = pageOf(lines, page, rows - 1).map((line) => cut(line, columns));
    return process.out(`${HOME}${shown.map((line) => `${line}${END_OF_LINE}\n`).join('')}${BELOW}`);
  };
  terminal.onKey((key) => {
    const action = KEYS.get(key);
    if (action === 'end') return onEnd();
    const last = pageCount(lines.length, terminal.size().rows - 1) - 1;
    if (action === 'next') page = Math.min(page + 1, last);
    if (action === 'previous') page = Math.max(0, page - 1);
    if (action === 'first') page = 0;
    draw();
  });
  return (text) => {
    lines = text.trimEnd().split('\n');
    page = Math.min(page, pageCount(lines.length, terminal.size().rows - 1) - 1);
    return draw();
  };
}

/** The number of pages. Each page ends with a line about the others, unless everything fits. */
const pageCount = (length: number, rows: number): number =>
  length <= rows ? 1 : Math.ceil(length / Math.max(1, rows - 1));

function pageOf(lines: readonly string[], page: number, rows: number): readonly string[] {
  const count = pageCount(lines.length, rows);
  if (count === 1) return lines;
  const size = Math.max(1, rows - 1);
  const shown = lines.slice(page * size, (page + 1) * size);
  return [...shown, `page ${page + 1} of ${count}; space: next, b: back, q: quit`];
}

const cut = (line: string, columns: number): string =>
  line.length <= columns ? line : `${line.slice(0, columns - 1)}…`;
