import { spawnSync } from 'node:child_process';
import test, { type ExecutionContext } from 'ava';
import { useFakeTimers, type SinonFakeTimers } from 'sinon';
import { createYielder } from '../../../../core/contract/index.js';
import { PATIENCE } from '../../../helpers/patience.js';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

let clock: SinonFakeTimers;
async function stopClock(t: ExecutionContext): Promise<void> {
  // The slice of the test before has ended.
  await nextTurn();
  clock = useFakeTimers({ toFake: ['performance'] });
  t.teardown(() => clock.restore());
}

/** Works for milliseconds, one after the other, until it must yield; returns their number. */
function workUntilYield(yieldIfDue: ReturnType<typeof createYielder>): {
  worked: number;
  turn: Promise<void>;
} {
  for (let worked = 0; ; worked += 1) {
    const turn = yieldIfDue();
    if (turn !== undefined) return { worked, turn };
    clock.tick(1);
  }
}

test.serial('of several concurrent long tasks, one continues in each turn of the event loop', async (t) => {
  await stopClock(t);
  let turn = 0;
  const count = (): void => void ((turn += 1), (counting = setImmediate(count)));
  let counting = setImmediate(count);
  t.teardown(() => clearImmediate(counting));
  const turns: number[] = [];
  const slices: number[] = [];
  const work = async (): Promise<void> => {
    const yieldIfDue = createYielder(1);
    for (let slice = 0; slice < 4; slice += 1) {
      const { worked, turn: next } = workUntilYield(yieldIfDue);
      slices.push(worked);
      await next;
      turns.push(turn);
    }
  };
  await Promise.all([work(), work(), work()]);
  t.is(turns.length, 12);
  t.is(new Set(turns).size, 12, turns.join());
  t.deepEqual(slices, [6, 0, 0, ...Array<number>(9).fill(6)]);
});

for (const [others, slice] of [
  [0, 6],
  [1, 5],
  [2, 4],
  [50, 4],
] as const)
  test.serial(`when other code runs for ${others} ms, work continues for ${slice} ms`, async (t) => {
    await stopClock(t);
    const yieldIfDue = createYielder(1);
    const { turn } = workUntilYield(yieldIfDue);
    clock.tick(others);
    await turn;
    t.is(workUntilYield(yieldIfDue).worked, slice);
  });

test.serial('a task that starts in a turn in which another has run long enough yields at once', async (t) => {
  await stopClock(t);
  const { turn } = workUntilYield(createYielder(1));
  const second = createYielder(1000)();
  t.not(second, undefined);
  await Promise.all([turn, second]);
});

test.serial('the clock is read once in the number of calls', async (t) => {
  await stopClock(t);
  const yieldIfDue = createYielder(1000);
  for (let call = 0; call < 1000; call += 1) {
    t.is(yieldIfDue(), undefined);
    clock.tick(10);
  }
  t.not(yieldIfDue(), undefined);
});

const BROWSER = `
delete globalThis.setImmediate;
let [turns, timeouts] = [0, 0];
globalThis.setTimeout = () => { timeouts += 1; };
let time = 0;
performance.now = () => (time += 10);
const { createYielder } = await import(process.argv[1]);
const yieldIfDue = createYielder(1);
for (let step = 0; step < 5; step += 1) {
  const turn = yieldIfDue();
  if (turn === undefined) continue;
  turns += 1;
  await turn;
}
console.log(turns, 'turns', timeouts, 'timeouts');
`;

test.serial('without setImmediate, as in browsers, work yields by messages, and the process ends', (t) => {
  const yielder = new URL('../../../../core/common/flow/yielder.js', import.meta.url).href;
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', BROWSER, yielder],
    { encoding: 'utf8', timeout: PATIENCE },
  );
  t.deepEqual([stdout, stderr, status], ['5 turns 0 timeouts\n', '', 0]);
});
