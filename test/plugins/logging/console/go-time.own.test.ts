// Go's time layouts, in child processes with a given time zone.

import { spawnSync } from 'node:child_process';
import test from 'ava';

const MODULE = new URL('../../../../plugins/logging/console/go-time.js', import.meta.url).href;

/** Formats times in a time zone. */
function write(zone: string, cases: readonly (readonly string[])[]): string[] {
  const source = `
    import { compileLayout } from '${MODULE}';
    const cases = ${JSON.stringify(cases)};
    console.log(JSON.stringify(cases.map(([layout, time]) => compileLayout(layout)(Date.parse(time)))));
  `;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', source], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, TZ: zone },
  });
  return JSON.parse(stdout) as string[];
}

const MORNING = '2026-02-03T04:05:06.070Z';
const EVENING = '2026-11-20T21:40:09.500Z';
const NOON = '2026-11-20T12:00:00.000Z';
const MIDNIGHT = '2026-01-01T00:00:00.001Z';

const UTC: readonly (readonly [string, string, string])[] = [
  ['2006-01-02 15:04:05.000 MST', MORNING, '2026-02-03 04:05:06.070 UTC'],
  ['2006-01-02T15:04:05.999Z07:00', MORNING, '2026-02-03T04:05:06.07Z'],
  ['2006-01-02T15:04:05.999Z07:00', NOON, '2026-11-20T12:00:00Z'],
  ['2006-01-02T15:04:05.999999999Z07:00', EVENING, '2026-11-20T21:40:09.5Z'],
  ['15:04:05.000000', MORNING, '04:05:06.070000'],
  ['15:04:05.0', EVENING, '21:40:09.5'],
  ['15:04:05,000', MORNING, '04:05:06,070'],
  ['15:04:05.99', MORNING, '04:05:06.07'],
  ['05.0001', MORNING, '06.0002'],
  ['Mon Jan _2 15:04:05 2006', MORNING, 'Tue Feb  3 04:05:06 2026'],
  ['Monday, 02-Jan-06 15:04:05 MST', EVENING, 'Friday, 20-Nov-26 21:40:09 UTC'],
  ['Mon, 02 Jan 2006 15:04:05 -0700', EVENING, 'Fri, 20 Nov 2026 21:40:09 +0000'],
  ['January 2, 2006', MORNING, 'February 3, 2026'],
  ['3:04PM', MORNING, '4:05AM'],
  ['3:04PM', EVENING, '9:40PM'],
  ['03:04:05 pm', EVENING, '09:40:09 pm'],
  ['3PM', MIDNIGHT, '12AM'],
  ['3PM', NOON, '12PM'],
  ['1/2/06 4:5', MORNING, '2/3/26 5:6'],
  ['2006-002', EVENING, '2026-324'],
  ['002 __2', MIDNIGHT, '001   1'],
  ['Z0700 Z07 -07:00 -07', NOON, 'Z Z +00:00 +00'],
  ['Month Janus', MORNING, 'Month Janus'],
  ['at hh:mm', MORNING, 'at hh:mm'],
  ['', MORNING, ''],
];

test('all layouts are formatted in UTC', (t) => {
  const written = write('UTC', UTC);
  t.is(written.length, UTC.length);
});

const inUtc = write('UTC', UTC);
for (const [index, [layout, time, expected]] of UTC.entries()) {
  test(`the layout '${layout}' formats ${time} as '${expected}' in UTC`, (t) => {
    t.is(inUtc[index], expected);
  });
}

const KOLKATA: readonly (readonly [string, string, string])[] = [
  ['2006-01-02T15:04:05Z07:00', EVENING, '2026-11-21T03:10:09+05:30'],
  ['-0700 -07 Z0700', EVENING, '+0530 +05 +0530'],
];
const NEW_YORK: readonly (readonly [string, string, string])[] = [
  ['2006-01-02T15:04:05Z07:00 MST', EVENING, '2026-11-20T16:40:09-05:00 EST'],
  ['2006-01-02T15:04:05-0700 MST', '2026-07-01T00:00:00Z', '2026-06-30T20:00:00-0400 EDT'],
];
for (const [zone, cases] of [
  ['Asia/Kolkata', KOLKATA],
  ['America/New_York', NEW_YORK],
] as const) {
  test(`times are formatted in the local time zone, ${zone}`, (t) => {
    t.deepEqual(
      write(zone, cases),
      cases.map(([, , expected]) => expected),
    );
  });
}
