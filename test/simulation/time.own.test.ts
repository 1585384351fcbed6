import test from 'ava';
import { SimulatedProcess, SimulatedTime } from './time.js';

/** Runs code of processes on a simulated clock. */
async function simulated<Result>(run: (time: SimulatedTime) => Promise<Result>): Promise<Result> {
  const time = new SimulatedTime();
  const restore = time.install(() => 0.5);
  try {
    return await run(time);
  } finally {
    restore();
  }
}

test.serial(
  'timers fire in the order of their times, those of the same time in the order in which they were set',
  async (t) => {
    const fired = await simulated(async (time) => {
      const all: string[] = [];
      setTimeout((name: string) => void all.push(name), 20, 'second');
      setTimeout(() => void all.push('first'), 10);
      setTimeout(() => void all.push('third'), 20);
      setImmediate(() => void all.push('at once'));
      const cleared = setTimeout(() => void all.push('cleared'), 5);
      clearTimeout(cleared);
      await time.run(15);
      all.push(`at ${performance.now()}`);
      await time.run(100);
      return all;
    });
    t.deepEqual(fired, ['at once', 'first', 'at 15', 'second', 'third']);
  },
);

test.serial('an interval fires until it is cleared', async (t) => {
  const count = await simulated(async (time) => {
    let calls = 0;
    const interval = setInterval(() => {
      calls += 1;
      if (calls === 3) clearInterval(interval);
    }, 10);
    await time.run(1_000);
    return calls;
  });
  t.is(count, 3);
});

test.serial('work that follows without a timer is done before the time goes on', async (t) => {
  const at = await simulated(async (time) => {
    const times: number[] = [];
    setTimeout(() => {
      let chain: Promise<unknown> = Promise.resolve();
      for (let count = 0; count < 100; count += 1) chain = chain.then(() => undefined);
      void chain.then(() => times.push(performance.now()));
    }, 10);
    setTimeout(() => undefined, 11);
    await time.run(20);
    return times;
  });
  t.deepEqual(at, [10]);
});

test.serial('each process has its timers: it can be late, frozen or dead', async (t) => {
  const fired = await simulated(async (time) => {
    const all: string[] = [];
    const processes = ['usual', 'late', 'frozen', 'dead'].map((name) => new SimulatedProcess(name));
    for (const each of processes)
      time.later(each, 0, () => {
        setTimeout(() => void all.push(`${each.name} at ${performance.now()}`), 100);
      });
    await time.run(50);
    const [, late, frozen, dead] = processes as [
      SimulatedProcess,
      SimulatedProcess,
      SimulatedProcess,
      SimulatedProcess,
    ];
    [late.lateBy, frozen.frozenUntil, dead.isDead] = [30, 500, true];
    await time.run(1_000);
    return { all, pending: processes.map(({ pending }) => pending.size) };
  });
  t.deepEqual(fired, {
    all: ['usual at 100', 'late at 130', 'frozen at 500'],
    pending: [0, 0, 0, 1],
  });
});

test.serial(
  'immediates of processes that are late or dead end in the same turn, and are not left',
  async (t) => {
    const found = await simulated(async (time) => {
      const all: string[] = [];
      const [late, dead] = [new SimulatedProcess('late'), new SimulatedProcess('dead')];
      late.lateBy = 700;
      for (const each of [late, dead])
        time.later(each, 0, () => {
          setImmediate(() => void all.push(`${each.name} at ${performance.now()}`));
          all.push(`${each.name} has ${each.pending.size}`);
          dead.isDead = each === dead;
        });
      await time.run(1_000);
      return all;
    });
    t.deepEqual(found, ['dead has 0', 'dead at 0', 'late has 0', 'late at 700']);
  },
);

test.serial('each host has its calendar, and skipped time moves it without a timer', async (t) => {
  const dates = await simulated(async (time) => {
    const all: string[] = [];
    const clock = { ahead: 3_600_000 };
    const note = (): void => void all.push(`${new Date().toISOString()} ${performance.now()}`);
    setTimeout(note, 2_000);
    await time.run(1_000);
    time.skip(86_400_000);
    await time.run(1_500);
    time.later(new SimulatedProcess('ahead', clock), 100, note);
    await time.run(3_000);
    return { all, elapsed: time.elapsed };
  });
  t.deepEqual(dates, {
    all: ['2026-01-02T01:00:01.600Z 1600', '2026-01-02T00:00:02.000Z 2000'],
    elapsed: 86_403_000,
  });
});

test.serial('the time and the random numbers of the process are restored', async (t) => {
  const before = [setTimeout, setImmediate, Date, performance, Math.random];
  t.is(await simulated(async () => Math.random()), 0.5);
  t.deepEqual([setTimeout, setImmediate, Date, performance, Math.random], before);
});
