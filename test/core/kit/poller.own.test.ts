import { useFakeTimers } from 'sinon';
import test from 'ava';
import { Poller } from '../../../core/kit/poller.js';

test.serial('polls start at the interval, or after the poll before them', async (t) => {
  const clock = useFakeTimers();
  t.teardown(() => clock.restore());
  const starts: number[] = [];
  const work = async (): Promise<void> => {
    starts.push(performance.now());
    await new Promise((resolve) => setTimeout(resolve, starts.length === 2 ? 2500 : 400));
  };
  const poller = new Poller({ interval: 1000, timeout: 5000 }, work, () => 0);
  poller.start();
  await clock.tickAsync(5600);
  poller.stop();
  t.deepEqual(starts, [0, 1000, 3501, 4501, 5501]);
  await clock.tickAsync(10_000);
  t.is(starts.length, 5);
  t.is(clock.countTimers(), 0);
});

test.serial('the first interval is shorter by a random part of its half', async (t) => {
  const clock = useFakeTimers();
  t.teardown(() => clock.restore());
  for (const [random, expected] of [
    [0, [0, 1000, 2000]],
    [0.5, [0, 750, 1750]],
    [1, [0, 500, 1500]],
  ] as const) {
    const begin = performance.now();
    const starts: number[] = [];
    const work = async (): Promise<void> => void starts.push(performance.now() - begin);
    const poller = new Poller({ interval: 1000, timeout: 5000 }, work, () => random);
    poller.start();
    await clock.tickAsync(2100);
    poller.stop();
    t.deepEqual(starts.slice(0, 3), [...expected], `random ${random}`);
  }
});

test.serial('a failure says when the run began that found it, until the next run has ended', async (t) => {
  const clock = useFakeTimers();
  t.teardown(() => clock.restore());
  const poller = new Poller(
    { interval: 1000, timeout: 5000 },
    async () => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      throw new Error('down');
    },
    () => 0,
  );
  poller.start();
  const lookedAt: unknown[] = [];
  for (const time of [400, 800, 200]) {
    await clock.tickAsync(time);
    const error: unknown = await poller.outcome(AbortSignal.abort()).catch((thrown: unknown) => thrown);
    lookedAt.push((error as { readonly lookedAt?: unknown }).lookedAt);
  }
  poller.stop();
  t.deepEqual(lookedAt, [0, 0, 1000]);
});
