// The output line of a check that could not be made. The other lines are tested with the command `check`.

import test from 'ava';
import { formatUnknown } from '../../../core/tools/nagios.js';

for (const [what, lines, text] of [
  ['no reason is an empty text', [], ''],
  [
    'a vertical bar, which would begin the performance data, is replaced',
    ['a|b\n', 'c | d'],
    'a/b\\n; c / d',
  ],
  ['600 characters are complete', ['x'.repeat(600)], 'x'.repeat(600)],
  ['of 601 characters the last one is left out', ['x'.repeat(601)], `${'x'.repeat(600)}…`],
  [
    'lines are joined up to 600 characters',
    ['x'.repeat(400), 'y'.repeat(200)],
    `${'x'.repeat(400)}; ${'y'.repeat(200)}`,
  ],
  [
    'further lines are counted, although a later one would fit',
    ['x'.repeat(400), 'y'.repeat(201), 'z'],
    `${'x'.repeat(400)}; and 2 more`,
  ],
  ['one further line is counted', ['x'.repeat(600), 'y'], `${'x'.repeat(600)}; and 1 more`],
] as const)
  test(`in the output for Nagios ${what}`, (t) => {
    t.is(formatUnknown(lines), `FABRIC UNKNOWN - ${text}\n`);
  });
