// The lag of the agent itself. The clock of the process is replaced.

import test from 'ava';
import { Lag } from '../../../core/health/index.js';
import { stopTimeouts } from '../../helpers/clock.js';

const AT_ONCE = async (): Promise<void> => undefined;

test.serial(
  'an agent with timers that are late by less than a second in 10 s does not lag, with more it does',
  async (t) => {
    const clock = stopTimeouts(t);
    const lag = new Lag(AT_ONCE);
    lag.start();
    t.teardown(() => lag.stop());
    clock.jump(1_400);
    await clock.tickAsync(0);
    t.deepEqual([lag.isLagging, lag.lost], [false, undefined]);
    clock.jump(700);
    await clock.tickAsync(0);
    t.deepEqual([lag.isLagging, lag.lost], [true, 1_100]);
    await clock.tickAsync(10_000);
    t.false(lag.isLagging);
    t.true(lag.hasLaggedSince(performance.now() - 20_000));
    t.false(lag.hasLaggedSince(performance.now()));
  },
);

test.serial(
  'an agent with late file calls lags, although its timers are not late, and while such a call has not ended',
  async (t) => {
    const clock = stopTimeouts(t);
    const calls: (() => void)[] = [];
    const lag = new Lag(() => new Promise<void>((resolve) => calls.push(resolve)));
    lag.start();
    t.teardown(() => lag.stop());
    await clock.tickAsync(500);
    t.false(lag.isLagging);
    await clock.tickAsync(1_000);
    t.true(lag.isLagging, 'it has not ended');
    calls[0]?.();
    await clock.tickAsync(0);
    t.true(lag.isLagging, 'it has ended');
    t.is(calls.length, 1);
    await clock.tickAsync(500);
    t.is(calls.length, 2);
    calls[1]?.();
    await clock.tickAsync(0);
  },
);

test.serial(
  'many file calls that take some hundred milliseconds are a lag, as on a host without CPU',
  async (t) => {
    const clock = stopTimeouts(t);
    const lag = new Lag(() => new Promise((resolve) => setTimeout(resolve, 300)));
    lag.start();
    t.teardown(() => lag.stop());
    await clock.tickAsync(900);
    t.false(lag.isLagging);
    await clock.tickAsync(9_000);
    t.true(lag.isLagging);
  },
);
