// Long texts: other code runs while their lines are read and their families are completed, and an abort ends the work there too.

import { setImmediate as nextTurn } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { stub } from 'sinon';
import { ExpositionParser, type Exposition } from '../../../../core/kit/exposition/parse.js';

const FAMILIES = 20;
const TEXT = Buffer.from(Array.from({ length: FAMILIES }, (_, at) => `a${at} 1\n`).join(''));

/** Parses a text while each step takes 10 ms. @param onTurn called in each turn of the event loop with its number */
async function parseSlowly(
  t: ExecutionContext,
  signal: AbortSignal,
  onTurn: (turn: number) => void,
  text = TEXT,
): Promise<Exposition> {
  // The slice of the test before has ended.
  await nextTurn();
  let now = performance.now();
  const clock = stub(performance, 'now').callsFake(() => (now += 10));
  t.teardown(() => clock.restore());
  let turns = 0;
  const next = (): void => {
    turns += 1;
    onTurn(turns);
    immediate = setImmediate(next);
  };
  let immediate = setImmediate(next);
  try {
    return await new ExpositionParser().parse(text, signal);
  } finally {
    clearImmediate(immediate);
    clock.restore();
  }
}

test.serial('other code runs between two families', async (t) => {
  let counted = 0;
  const { families } = await parseSlowly(t, new AbortController().signal, (turn) => (counted = turn));
  t.is(families.length, FAMILIES);
  t.true(counted >= FAMILIES, `${counted} turns`);
});

test.serial('an abort ends the work between two families', async (t) => {
  const abort = new AbortController();
  const parsed = parseSlowly(t, abort.signal, (turn) => {
    if (turn === FAMILIES / 2) abort.abort(new Error('too late'));
  });
  await t.throwsAsync(parsed, { message: 'too late' });
});

for (const [title, text, turns] of [
  [
    'the 10,000 lines of a histogram without a sum become a family',
    `# TYPE h histogram\n${Array.from({ length: 10_000 }, (_, at) => `h_bucket{le="${at}"} ${at}\n`).join('')}`,
    150,
  ],
  [
    'the 15,000 lines of histograms with a wrong count become families',
    `# TYPE h histogram\n${Array.from({ length: 5_000 }, (_, at) => `h_bucket{a="${at}",le="+Inf"} 2\nh_sum{a="${at}"} 1\nh_count{a="${at}"} 1\n`).join('')}`,
    220,
  ],
  [
    '100 lines of 16 KB are read',
    Array.from({ length: 100 }, (_, at) => `a{b="${'x'.repeat(16_000)}${at}"} 1\n`).join(''),
    40,
  ],
] as const)
  test.serial(`other code runs while ${title}`, async (t) => {
    let counted = 0;
    const { signal } = new AbortController();
    const { families } = await parseSlowly(t, signal, (turn) => (counted = turn), Buffer.from(text));
    t.true(families.length > 0);
    t.true(counted >= turns, `${counted} turns`);
  });
