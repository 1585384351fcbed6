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
  const observedAt: unknown[] = [];
  for (const time of [400, 800, 200]) {
    await clock.tickAsync(time);
    const error: unknown = await poller.outcome(AbortSignal.abort()).catch((thrown: unknown) => thrown);
    observedAt.push((error as { readonly observedAt?: unknown }).observedAt);
  }
  poller.stop();
  t.deepEqual(observedAt, [0, 0, 1000]);
});

test.serial(
  'a poller that is started again ends its first run, and only the new one continues',
  async (t) => {
    const clock = useFakeTimers();
    t.teardown(() => clock.restore());
    const signals: AbortSignal[] = [];
    const work = async (signal: AbortSignal): Promise<void> => {
      signals.push(signal);
      await new Promise((resolve) => setTimeout(resolve, 100));
    };
    const poller = new Poller({ interval: 1000, timeout: 5000 }, work, () => 0);
    poller.start();
    poller.start();
    await clock.tickAsync(2500);
    poller.stop();
    t.is(signals.length, 4);
    t.is((signals[0]!.reason as Error).message, 'the plugin is stopping');
    t.deepEqual(
      signals.slice(1).map(({ aborted }) => aborted),
      [false, false, false],
    );
  },
);

test.serial(
  'a run that takes too long fails with its name, and a stop aborts a run in progress',
  async (t) => {
    const clock = useFakeTimers();
    t.teardown(() => clock.restore());
    const reasons: unknown[] = [];
    const work = (signal: AbortSignal): Promise<void> =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          reasons.push((signal.reason as Error).message);
          reject(signal.reason as Error);
        });
      });
    const { signal } = new AbortController();
    for (const [what, message] of [
      [undefined, 'the poll took longer than 5s'],
      ['the query', 'the query took longer than 5s'],
    ] as const) {
      const poller = new Poller({ interval: 6000, timeout: 5000, ...(what && { what }) }, work, () => 0);
      poller.start();
      const failed = t.throwsAsync(poller.outcome(signal), { message });
      await clock.tickAsync(5000);
      await failed;
      await clock.tickAsync(1000);
      poller.stop();
      await clock.tickAsync(0);
      t.is(reasons.at(-1), 'the plugin is stopping');
    }
    t.is(reasons.length, 4);
  },
);

test('the outcome needs a start, and a stop or the signal ends the wait for it', async (t) => {
  const poller = new Poller({ interval: 1000, timeout: 300_000 }, () => new Promise(() => undefined));
  const { signal } = new AbortController();
  await t.throwsAsync(poller.outcome(signal), { message: 'the plugin is not started' });
  poller.start();
  await t.throwsAsync(poller.outcome(AbortSignal.abort(new Error('the check is late'))), {
    message: 'the check is late',
  });
  const waiting = poller.outcome(signal);
  poller.stop();
  await t.throwsAsync(waiting, { message: 'the plugin is stopping' });
  await t.throwsAsync(poller.outcome(signal), { message: 'the plugin is not started' });
});

for (const [what, thrown] of [
  ['an error that cannot be extended', Object.freeze(new Error('down'))],
  ['a text', 'down'],
] as const)
  test(`work that throws ${what} has it as its outcome`, async (t) => {
    const work = async (): Promise<void> => {
      throw thrown;
    };
    const poller = new Poller({ interval: 300_000, timeout: 300_000 }, work);
    t.teardown(() => poller.stop());
    poller.start();
    const found: unknown = await poller
      .outcome(new AbortController().signal)
      .catch((error: unknown) => error);
    t.is(found, thrown);
  });
