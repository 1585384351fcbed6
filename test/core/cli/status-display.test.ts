// The screens of `status --watch`.

import test from 'ava';
import type { Process } from '../../../core/cli/command.js';
import { plainDisplay, terminalDisplay } from '../../../core/cli/status-display.js';

/** A process that records its output, which its reader closes after some writes. */
function recorder(most = Infinity): { process: Process; written: string[] } {
  const written: string[] = [];
  const process = { out: (text: string) => written.push(text) < most } as unknown as Process;
  return { process, written };
}

test('screens that are not on a terminal are separated by an empty line, until the reader closes the output', (t) => {
  const { process, written } = recorder(3);
  const display = plainDisplay(process);
  t.deepEqual(
    ['a\n', 'b\n', 'c\n'].map((text) => display(text)),
    [true, true, false],
  );
  t.deepEqual(written, ['a\n', '\nb\n', '\nc\n']);
});

for (const [rows, expected] of [
  [4, ['12345', '1234…', 'c']],
  [3, ['12345', '2 mo…']],
  [2, ['3 mo…']],
  [1, ['3 mo…']],
] as const)
  test(`of three lines a terminal of 5 columns and ${rows} rows shows ${expected.join(', ')}`, (t) => {
    const { process, written } = recorder();
    terminalDisplay(process, { size: () => ({ columns: 5, rows }) })('12345\n123456\nc\n');
    t.deepEqual(written, [`\u001b[H${expected.map((line) => `${line}\u001b[K\n`).join('')}\u001b[J`]);
  });
