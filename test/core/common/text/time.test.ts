import test from 'ava';
import { isStartTime, timeText } from '../../../../core/common/text/time.js';

for (const [time, text] of [
  [0, '1970-01-01T00:00:00.000Z'],
  [8.64e15, '+275760-09-13T00:00:00.000Z'],
  [-8.64e15, '-271821-04-20T00:00:00.000Z'],
  [8.64e15 + 1, undefined],
  [Number.NaN, undefined],
  [undefined, undefined],
] as const)
  test(`the time ${time} is ${text ?? 'not shown'}`, (t) => {
    t.is(timeText(time), text);
  });

const NOW = 1_800_000_000_000;
for (const [value, isValid] of [
  [0, true],
  [-1, false],
  [NOW / 1000, true],
  [NOW / 1000 + 86_400, true],
  [NOW / 1000 + 86_401, false],
  [Number.NaN, false],
  ['1', false],
  [undefined, false],
] as const)
  test(`${JSON.stringify(value)} ${isValid ? 'can' : 'cannot'} be the start time of a process at ${NOW / 1000}`, (t) => {
    t.is(isStartTime(value, NOW), isValid);
  });
