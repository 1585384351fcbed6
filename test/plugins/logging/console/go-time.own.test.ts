// Go's time layouts. The tests change the time zone of their process.

import test from 'ava';
import { compileLayout } from '../../../../plugins/logging/console/go-time.js';

/** Formats times in a time zone. */
function write(
  zone: string,
  cases: readonly (readonly [layout: string, time: string, ...unknown[]])[],
): string[] {
  const { TZ } = process.env;
  process.env.TZ = zone;
  try {
    return cases.map(([layout, time]) => compileLayout(layout)(Date.parse(time)));
  } finally {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  }
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
  ['Z0700 Z07 Z07:00 -07:00 -07', NOON, 'Z Z Z +00:00 +00'],
  ['3:4:5 PM pm', '2026-06-07T11:59:59.999Z', '11:59:59 AM am'],
  ['15 03 3 PM', '2026-06-07T12:01:00.000Z', '12 12 12 PM'],
  ['15 03 3 PM', '2026-06-07T13:01:00.000Z', '13 01 1 PM'],
  ['15 03 3 PM', '2026-06-07T00:01:00.000Z', '00 12 12 AM'],
  ['06 2006', '2009-06-07T00:00:00.000Z', '09 2009'],
  ['002 __2 _2 02 2', '2026-04-10T00:00:00.000Z', '100 100 10 10 10'],
  ['002', '2024-12-31T23:59:59.999Z', '366'],
  ['.000 .00 .0 .999 .99 .9', '2026-01-01T00:00:00.120Z', '.120 .12 .1 .12 .12 .1'],
  ['05.999', '2026-01-01T00:00:00.000Z', '00'],
  ['Month Janus', MORNING, 'Month Janus'],
  ['at hh:mm', MORNING, 'at hh:mm'],
  ['', MORNING, ''],
];

const inUtc = write('UTC', UTC);
for (const [index, [layout, time, expected]] of UTC.entries()) {
  test(`the layout '${layout}' formats ${time} as '${expected}' in UTC`, (t) => {
    t.is(inUtc[index], expected);
  });
}

const KOLKATA: readonly (readonly [string, string, string])[] = [
  ['2006-01-02T15:04:05Z07:00', EVENING, '2026-11-21T03:10:09+05:30'],
  ['-0700 -07 Z0700 Z07', EVENING, '+0530 +05 +0530 +05'],
];
const NEW_YORK: readonly (readonly [string, string, string])[] = [
  ['2006-01-02T15:04:05Z07:00 MST', EVENING, '2026-11-20T16:40:09-05:00 EST'],
  ['Z07 -07:00', EVENING, '-05 -05:00'],
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

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const daysOfWeek = write(
  'UTC',
  DAYS.map((_, index) => ['Monday Mon', `2026-02-0${index + 1}T12:00:00Z`]),
);
for (const [index, day] of DAYS.entries())
  test(`the day of the week ${index} is ${day}`, (t) => {
    t.is(daysOfWeek[index], `${day} ${day.slice(0, 3)}`);
  });

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const monthsOfYear = write(
  'UTC',
  MONTHS.map((_, index) => ['January Jan 1', `2026-${String(index + 1).padStart(2, '0')}-15T12:00:00Z`]),
);
for (const [index, month] of MONTHS.entries())
  test(`the month ${index + 1} is ${month}`, (t) => {
    t.is(monthsOfYear[index], `${month} ${month.slice(0, 3)} ${index + 1}`);
  });
