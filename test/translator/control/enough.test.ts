// Whether fewer or other signatures are enough after an update.

import test from 'ava';
import { isEnoughNow, type ControlSet } from '../../../translator/control/index.js';

const all = (...of: readonly string[]): ControlSet => [{ count: of.length, of }];
const any = (count: number, ...of: readonly string[]): ControlSet => [{ count, of }];
const many = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `O${index}`);

for (const [what, before, after, expected] of [
  ['the same set', [all('A', 'B')], [all('A', 'B')], false],
  ['more signatures', [all('A')], [all('A', 'B')], false],
  ['fewer signatures', [all('A', 'B')], [all('A')], true],
  ['a majority with a third organisation', [all('A', 'B')], [any(2, 'A', 'B', 'C')], true],
  ['2 of 3, and then 3 of 4', [any(2, 'A', 'B', 'C')], [any(3, 'A', 'B', 'C', 'D')], false],
  ['3 of 4, and then 3 of 5', [any(3, 'A', 'B', 'C', 'D')], [any(3, 'A', 'B', 'C', 'D', 'E')], true],
  ['3 of 4, and then 2 of 3 after a removal', [any(3, 'A', 'B', 'C', 'D')], [any(2, 'A', 'B', 'C')], true],
  ['2 of 3, and then 2 of 2 after a removal', [any(2, 'A', 'B', 'C')], [all('A', 'B')], false],
  ['one of two, in other words', [all('A'), all('B')], [any(1, 'A', 'B')], false],
  ['another organisation', [all('A')], [all('B')], true],
  ['nobody before', [], [all('A')], true],
  ['nobody after', [all('A')], [], false],
  ['anybody after', [all('A')], [[]], true],
  ['anybody before', [[]], [all('A')], false],
  ['a majority of 250 and of 251', [any(126, ...many(250))], [any(126, ...many(251))], true],
  ['a majority of 251 and of 252', [any(126, ...many(251))], [any(127, ...many(252))], false],
] as const)
  test(`fewer or other signatures are${expected ? '' : ' not'} enough: ${what}`, (t) => {
    t.is(isEnoughNow(before, after), expected);
  });
