// The difference between the clock of a node and the clock of the host.

import test from 'ava';
import { clockProblem, differenceOf } from '../../../../plugins/health/node-health/clock.js';

const NOON = Date.UTC(2026, 0, 1, 12);
const DATE = new Date(NOON).toUTCString();

for (const [what, startedAt, endedAt, difference] of [
  ['during the request', NOON - 1, NOON + 1, 0],
  ['at its start', NOON, NOON + 1, 0],
  ['at its end', NOON - 1, NOON, 0],
  ['after it', NOON - 3, NOON - 2, 2],
  ['before it', NOON + 3, NOON + 4, -3],
] as const)
  test(`a node whose date is ${what} differs by ${difference} ms`, (t) => {
    t.is(differenceOf({ date: DATE, startedAt, endedAt }), difference);
  });

for (const date of [undefined, '', 'yesterday'])
  test(`the date ${JSON.stringify(date)} gives no difference`, (t) => {
    t.is(differenceOf({ date, startedAt: NOON, endedAt: NOON }), undefined);
  });

for (const [difference, problem] of [
  [undefined, undefined],
  [0, undefined],
  [300_000, undefined],
  [-300_000, undefined],
  [300_001, 'the clock of this host is 5m behind the clock of the node: one of them is wrong'],
  [-300_001, 'the clock of this host is 5m ahead of the clock of the node: one of them is wrong'],
  [7_230_000, 'the clock of this host is 2h1m behind the clock of the node: one of them is wrong'],
] as const)
  test(`a difference of ${difference} ms: ${problem ?? 'no problem'}`, (t) => {
    t.is(clockProblem(difference), problem);
  });
