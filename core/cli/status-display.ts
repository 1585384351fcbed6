// Shows the screens of `status --watch`: one after the other, or in place on a terminal.

import type { Process, Terminal } from './command.js';

/** Moves the cursor to the top; erases the rest of a line; erases the lines below. */
const [HOME, END_OF_LINE, BELOW] = ['\u001b[H', '\u001b[K', '\u001b[J'];

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

/** Redraws a terminal in place. A screen that is longer than the terminal ends with the number of the lines that do not fit. */
export function terminalDisplay(process: Process, terminal: Terminal): Display {
  return (text) => {
    const { columns, rows } = terminal.size();
    // The cursor stays on the last row.
    const shown = fitting(text.trimEnd().split('\n'), rows - 1).map((line) => cut(line, columns));
    return process.out(`${HOME}${shown.map((line) => `${line}${END_OF_LINE}\n`).join('')}${BELOW}`);
  };
}

function fitting(lines: readonly string[], rows: number): readonly string[] {
  if (lines.length <= rows) return lines;
  const size = Math.max(0, rows - 1);
  return [...lines.slice(0, size), `${lines.length - size} more lines; status without --watch shows all`];
}

const cut = (line: string, columns: number): string =>
  line.length <= columns ? line : `${line.slice(0, columns - 1)}…`;
