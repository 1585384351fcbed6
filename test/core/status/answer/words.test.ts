// How the page writes numbers, lists, times and log lines.

import test from 'ava';
import {
  ageText,
  clockText,
  countText,
  dayText,
  exactText,
  listText,
  messageOf,
  numberText,
  secondsText,
  sinceText,
} from '../../../../core/status/answer/index.js';

test('a time that is not known is written as unknown', (t) => {
  t.deepEqual([clockText(NaN), dayText(NaN, 0), dayText(1e20, 0)], ['unknown', 'unknown', 'unknown']);
});

for (const [names, expected] of [
  [[], ''],
  [['a'], 'a'],
  [['a', 'b'], 'a and b'],
  [['a', 'b', 'c', 'd'], 'a, b, c and d'],
  [['a', 'b', 'c', 'd', 'e'], 'a, b, c and 2 more'],
] as const)
  test(`a list of ${names.length} names is written as "${expected}"`, (t) => {
    t.is(listText(names), expected);
  });

for (const [milliseconds, expected] of [
  [-5, '0 s'],
  [999, '0 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [3_599_999, '59 min'],
  [7_200_000, '2 h'],
  [86_400_000, '1 day'],
  [4.5 * 86_400_000, '4 days'],
] as const)
  test(`a duration of ${milliseconds} ms is written as "${expected}"`, (t) => {
    t.is(ageText(milliseconds), expected);
  });

test('numbers have a comma every three digits, and one thing has no plural', (t) => {
  t.deepEqual([7, 1204, 1234567].map(numberText), ['7', '1,204', '1,234,567']);
  t.deepEqual([countText(1, 'check'), countText(1200, 'check')], ['1 check', '1,200 checks']);
});

test('times are written in the given zone, and a tooltip has them in UTC as well', (t) => {
  const time = Date.parse('2026-11-30T23:09:07Z');
  t.is(clockText(time, 'UTC'), '23:09');
  t.is(clockText(time, 'Asia/Tokyo'), '08:09');
  t.is(dayText(time, Date.parse('2026-11-26T00:00:00Z'), 'UTC'), 'Mon 30 Nov 23:09 UTC');
  t.is(dayText(time, Date.parse('2026-11-26T00:00:00Z'), 'Asia/Tokyo'), 'Tue 1 Dec 08:09 GMT+9');
  t.is(dayText(Date.parse('2036-11-22T00:00:00Z'), time, 'UTC'), 'Sat 22 Nov 2036');
  t.is(exactText('2026-11-30T23:09:07Z', 'Asia/Tokyo'), '2026-11-30 23:09:07 UTC (08:09:07 local time)');
  t.is(exactText('soon'), 'soon');
});

test('a day has the year instead of the time from 300 days on, in the past as well', (t) => {
  const now = Date.parse('2026-11-30T00:00:00Z');
  const days = (count: number): string => dayText(now + count * 86_400_000, now, 'UTC');
  t.deepEqual([299, 300, -299, -300].map(days), [
    'Sat 25 Sept 00:00 UTC',
    'Sun 26 Sept 2027',
    'Wed 4 Feb 00:00 UTC',
    'Tue 3 Feb 2026',
  ]);
  t.is(secondsText(now, 'UTC'), '00:00:00');
  t.is(secondsText(NaN), 'unknown');
});

test('a list can join its last name with another word, and count from fewer names on', (t) => {
  t.is(listText(['a', 'b', 'c'], 'or'), 'a, b or c');
  t.is(listText(['a', 'b', 'c'], 'and', 2), 'a and 2 more');
});

test('the age of something whose begin is unknown, or less than a second ago, is empty', (t) => {
  t.is(sinceText('1970-01-01T00:00:00Z', 999), '');
  t.is(sinceText('1970-01-01T00:00:00Z', 1000), '1 s');
  t.is(sinceText(undefined, 0), '');
  t.is(sinceText('1970-01-01T00:00:00Z', 90_000), '1 min');
});

for (const [line, expected] of [
  [
    '2026-11-26 12:00:00.123 UTC 0042 PANI [orderer.consensus.etcdraft] Step -> no space left',
    'no space left',
  ],
  [
    '2026-11-26 12:00:00.123 UTC 0042 INFO [orderer.common.server] Main -> Received signal: 15',
    'Received signal: 15',
  ],
  ['{"level":"error","ts":1,"name":"x","msg":"it \\"failed\\""}', 'it \\"failed\\"'],
  ['ts=2026 level=error logger=x msg="it failed"', 'it failed'],
  ['panic: runtime error', 'panic: runtime error'],
  [`${'x'.repeat(100)}${'e'.repeat(100)}`, `${'x'.repeat(45)}…${'e'.repeat(44)}`],
  ['y'.repeat(91), `${'y'.repeat(45)}…${'y'.repeat(44)}`],
  ['z'.repeat(90), 'z'.repeat(90)],
] as const)
  test(`the message of a log line of ${line.length} characters: ${line.slice(0, 60)}`, (t) => {
    t.is(messageOf(line), expected);
  });
