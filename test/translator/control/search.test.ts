// The search for the sets at which a value changes.

import test from 'ava';
import { LongCall } from '../../../translator/long-call.js';
import { searchCounts, chosen, type Counts, type Searched } from '../../../translator/control/search.js';

const MANY = { maxValues: 1000, left: 1_000_000 };

/** Searches sets by a number that grows with them; each evaluated set costs one unit of work. */
async function search(
  sizes: Counts,
  valueOf: (counts: Counts) => number,
  { maxValues, left } = MANY,
): Promise<Searched & { readonly evaluated: number }> {
  const work = { left };
  let evaluated = 0;
  const found = await searchCounts(
    sizes,
    (counts) => {
      work.left -= 1;
      evaluated += 1;
      return Uint8Array.of(valueOf(counts));
    },
    { maxValues, work, call: new LongCall() },
  );
  return { ...found, evaluated };
}

const TOTAL = (counts: Counts): number => counts.reduce((sum, count) => sum + count, 0);

test('a value that is the same for all sets needs two sets', async (t) => {
  t.deepEqual(await search([250], () => 1), { points: [[0]], unsearched: 0, evaluated: 2 });
});

for (const needed of [1, 126, 250])
  test(`the smallest of 250 organisations that control something is ${needed}`, async (t) => {
    const { points, unsearched } = await search([250], ([count = 0]) => Number(count >= needed));
    t.deepEqual([points[0], unsearched], [[0], 0]);
    t.true(points.some(([count]) => count === needed));
    t.true(points.length < 20);
  });

test('with two classes, the sets with each value are found', async (t) => {
  const { points, unsearched } = await search([3, 2], (counts) => Number(TOTAL(counts) >= 4));
  t.is(unsearched, 0);
  const reaching = points.filter((point) => TOTAL(point) === 4).map((point) => point.join());
  t.deepEqual(reaching.toSorted(), ['2,2', '3,1']);
});

test('no organisation: the empty set is the only one', async (t) => {
  t.deepEqual(await search([], () => 0), { points: [[]], unsearched: 0, evaluated: 1 });
});

test('a search that may evaluate few sets counts the others', async (t) => {
  const value = ([count = 0]: Counts): number => count;
  // The sets 0 and 7 differ: both halves are left, with four sets each.
  t.deepEqual(await search([7], value, { maxValues: 2, left: 100 }), {
    points: [[0]],
    unsearched: 8,
    evaluated: 2,
  });
});

test('if the work ends while a part is evaluated, this part was not searched', async (t) => {
  const value = ([count = 0]: Counts): number => count;
  t.is((await search([7], value, { maxValues: 100, left: 1 })).unsearched, 8);
  // The whole, then the first half; the work ends in the second half.
  t.is((await search([7], value, { maxValues: 100, left: 3 })).unsearched, 8);
  t.is((await search([7], value, { maxValues: 100, left: -1 })).unsearched, 8);
});

test('an interrupted search rejects with the reason of the signal', async (t) => {
  const reason = new Error('enough');
  const call = new LongCall({ signal: AbortSignal.abort(reason) });
  const searching = searchCounts([1], () => Uint8Array.of(0), { maxValues: 9, work: { left: 9 }, call });
  t.is(await t.throwsAsync(searching), reason);
});

test('the chosen organisations are the first of each class', (t) => {
  t.deepEqual(chosen([['A', 'B'], ['C'], ['D', 'E']], [1, 0, 2]), ['A', 'D', 'E']);
});
