// The output line for Nagios. More lines are tested with the command `check`.

import test from 'ava';
import { readStatus } from '../../../core/status/read.js';
import { formatNagios, formatUnknown } from '../../../core/tools/nagios.js';

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

const formatted = (document: object) => formatNagios(readStatus(JSON.stringify(document)));

test('the performance data for Nagios have the running nodes, whole days of the first certificate, and the heights', (t) => {
  const { state, line } = formatted({
    time: '2026-01-01T12:00:00Z',
    agent: { healthy: true },
    checks: ['a', 'b'],
    nodes: [
      { name: 'peer0', up: true, state: 'up' },
      { name: 'peer1', up: false, state: 'unknown' },
    ],
    certificates: [{ not_after: '2026-01-11T11:59:59Z' }, { not_after: '2027-01-01T00:00:00Z' }],
    channels: [{ name: 'a' }, { name: "b'=|c", height: 7 }, { name: 'd', height: 0 }],
  });
  t.is(state, 'CRITICAL');
  t.is(
    line.slice(line.indexOf('|')),
    "| failed=0;;0;0 warnings=0;0;;0 checks=2;;;0 nodes_up=1;;2:;0;2 certificate_days=9 'height b___c'=7c;;;0 'height d'=0c;;;0\n",
  );
});

for (const [count, shown] of [
  [50, 50],
  [51, 50],
] as const)
  test(`of ${count} channels Nagios gets the heights of ${shown}`, (t) => {
    const channels = Array.from({ length: count }, (_, index) => ({ name: `ch${index}`, height: 1 }));
    t.is([...formatted({ channels }).line.matchAll(/'height ch/g)].length, shown);
  });

test('a Nagios line begins with a wrong clock, which is named once', (t) => {
  const problem = { state: 'failed', severity: 'critical' };
  const { state, line } = formatted({
    problems: [
      { ...problem, component: 'disk', reason: 'full' },
      { ...problem, component: 'clock', reason: 'the clock of this host is 2h behind' },
    ],
  });
  t.is(state, 'CRITICAL');
  t.regex(
    line,
    /^FABRIC CRITICAL - [^;]*the clock of this host is 2h behind[^;]*; disk: full \| failed=2;;0;0 /,
  );
});
