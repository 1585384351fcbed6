import { spawnSync } from 'node:child_process';
import test, { type ExecutionContext } from 'ava';
import { stub, useFakeTimers } from 'sinon';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../helpers/until.js';
import {
  LeveledLoggers,
  type LogEntry,
  type Logger,
  type MetricBatch,
  type PushSink,
} from '../../../core/contract/index.js';
import { errorCodeOf } from '../../../core/contract/errors.js';
import { MetricStore, PushRunner, Sources } from '../../../core/metrics/index.js';
import { LAST_FLUSH_TIMEOUT } from '../../../core/metrics/push.js';
import { stopTimeouts } from '../../helpers/clock.js';
import { PATIENCE } from '../../helpers/patience.js';

/** A logger that records its lines as `level message`. */
function recorder(): { log: Logger; lines: string[] } {
  const lines: string[] = [];
  const write = ({ level, message }: LogEntry): void => void lines.push(`${level} ${message}`);
  return { log: new LeveledLoggers({ write }).logger('plugins.test'), lines };
}

const callsIn = ({ counters }: MetricBatch): number | undefined =>
  counters.find(({ name }) => name === 'calls')?.value;

function storeWithCalls(): { store: MetricStore; calls: { inc(amount: number): void } } {
  const store = new MetricStore(10);
  return { store, calls: store.counter({ name: 'calls', help: 'Calls.' }) };
}

const noFault = (): never => {
  throw new Error('no fault was expected');
};

test('the first flush is after one interval, then one per interval', async (t) => {
  const { store } = storeWithCalls();
  let flushes = 0;
  const flush = async (): Promise<void> => void (flushes += 1);
  const runner = new PushRunner({ interval: 20, flush }, store, recorder().log, noFault);
  runner.start();
  t.is(flushes, 0);
  await until(() => flushes >= 3);
  await runner.stop();
  t.true(flushes >= 4);
});

test('flushes do not overlap when one takes longer than the interval', async (t) => {
  const { store } = storeWithCalls();
  let running = 0;
  let most = 0;
  let flushes = 0;
  const flush = async (): Promise<void> => {
    flushes += 1;
    running += 1;
    most = Math.max(most, running);
    await sleep(30);
    running -= 1;
  };
  const runner = new PushRunner({ interval: 5, flush }, store, recorder().log, noFault);
  runner.start();
  await until(() => flushes >= 3);
  await runner.stop();
  t.is(most, 1);
  t.is(running, 0);
});

test('a stop flushes the values since the last flush', async (t) => {
  const { store, calls } = storeWithCalls();
  const flushed: (number | undefined)[] = [];
  const flush = async (batch: MetricBatch): Promise<void> => void flushed.push(callsIn(batch));
  const runner = new PushRunner({ interval: 60_000, flush }, store, recorder().log, noFault);
  runner.start();
  calls.inc(3);
  await runner.stop();
  t.deepEqual(flushed, [3]);
  await runner.stop();
  t.deepEqual(flushed, [3], 'a second stop has no effect');
});

test('a runner that was not started does not flush when it is stopped', async (t) => {
  const runner = new PushRunner(
    { interval: 10, flush: noFault },
    storeWithCalls().store,
    recorder().log,
    noFault,
  );
  await runner.stop();
  t.pass();
});

test('growth of a failed flush is kept, each failure is counted, and only changes are logged', async (t) => {
  const { store, calls } = storeWithCalls();
  const { log, lines } = recorder();
  const offered: (number | undefined)[] = [];
  let faults = 0;
  const flush = async (batch: MetricBatch): Promise<void> => {
    offered.push(callsIn(batch));
    calls.inc(1);
    if (offered.length <= 3) throw new Error(`refused ${offered.length}`);
  };
  calls.inc(1);
  const runner = new PushRunner({ interval: 5, flush }, store, log, () => (faults += 1));
  runner.start();
  await until(() => offered.length >= 5);
  await runner.stop();
  t.deepEqual(offered.slice(0, 5), [1, 2, 3, 4, 1]);
  t.is(faults, 3);
  t.deepEqual(lines, [
    'warn pushing metrics failed, the values are kept for the next push: refused 1',
    'info pushing metrics works again',
  ]);
});

test('a sink that throws synchronously fails its flush', async (t) => {
  const { store } = storeWithCalls();
  const { log, lines } = recorder();
  const flush = (): never => {
    throw new Error('thrown');
  };
  let faults = 0;
  const runner = new PushRunner({ interval: 60_000, flush }, store, log, () => (faults += 1));
  runner.start();
  await runner.stop();
  t.is(faults, 1);
  t.deepEqual(lines, ['warn pushing metrics failed, the values are kept for the next push: thrown']);
});

test.serial('a last flush that hangs is aborted after 2 s', async (t) => {
  const clock = stopTimeouts(t);
  const { store } = storeWithCalls();
  const { log, lines } = recorder();
  let aborted: unknown;
  const flush = (_batch: MetricBatch, signal: AbortSignal): Promise<void> => {
    signal.addEventListener('abort', () => (aborted = signal.reason));
    return new Promise(() => undefined);
  };
  const runner = new PushRunner({ interval: 60_000, flush }, store, log, () => undefined);
  runner.start();
  const stopped = runner.stop();
  await until(() => clock.countTimers() === 1);
  clock.tick(LAST_FLUSH_TIMEOUT);
  await stopped;
  t.is((aborted as Error).message, 'the flush took longer than 2s');
  t.deepEqual(lines, [
    'warn pushing metrics failed, the values are kept for the next push: the flush took longer than 2s',
  ]);
});

test('a sink that ignores the abort signal gets no further batch until its flush ends', async (t) => {
  const { store, calls } = storeWithCalls();
  const offered: (number | undefined)[] = [];
  let end = (): void => undefined;
  let isHanging = true;
  const flush = (batch: MetricBatch): Promise<void> => {
    offered.push(callsIn(batch));
    return isHanging ? new Promise((resolve) => (end = resolve)) : Promise.resolve();
  };
  const { log, lines } = recorder();
  let faults = 0;
  const runner = new PushRunner({ interval: 5, flush }, store, log, () => (faults += 1), { timeout: 20 });
  calls.inc(1);
  runner.start();
  await until(() => faults >= 5);
  t.deepEqual(offered, [1]);
  calls.inc(1);
  isHanging = false;
  end();
  await until(() => offered.length > 1);
  t.is(offered[1], 2, 'the batch of the aborted flush is part of the next one');
  await until(() => lines.length > 1);
  t.regex(lines[0] ?? '', /the flush took longer than 0\.02s$/);
  t.regex(lines[1] ?? '', /works again$/);
  await runner.stop();
});

test.serial(
  'a stop during a flush that hangs takes at most twice the timeout of the last flush',
  async (t) => {
    const { store } = storeWithCalls();
    const clock = stopTimeouts(t);
    const signals: AbortSignal[] = [];
    const flush = (_batch: MetricBatch, signal: AbortSignal): Promise<void> => {
      signals.push(signal);
      return new Promise(() => undefined);
    };
    const runner = new PushRunner({ interval: 5, flush }, store, recorder().log, () => undefined);
    runner.start();
    await until(() => signals.length > 0);
    const stopped = runner.stop();
    // The timeouts of the flush that hangs and of the wait for it; then the timeout of the last flush.
    for (const timers of [2, 1]) {
      await until(() => clock.countTimers() === timers);
      clock.tick(LAST_FLUSH_TIMEOUT);
    }
    await stopped;
    t.true(signals.every(({ aborted }) => aborted));
  },
);

test('a runner does not keep the process alive', (t) => {
  const core = new URL('../../../core/', import.meta.url).href;
  const source = `
    import { MetricStore, PushRunner } from '${core}metrics/index.js';
    const sink = { interval: 60_000, flush: async () => undefined };
    new PushRunner(sink, new MetricStore(10), undefined, () => undefined).start();
  `;
  const { status, signal } = spawnSync(process.execPath, ['--input-type=module', '-e', source], {
    timeout: PATIENCE,
  });
  t.deepEqual([status, signal], [0, null]);
});

/** A runner with an interval of 10 s, and the time of the test. */
function startSlowRunner(
  t: ExecutionContext,
  sink: Pick<PushSink['push'], 'flush' | 'rejected'>,
): { tick: () => Promise<void>; warning: () => string | undefined } {
  const clock = useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  t.teardown(() => clock.restore());
  let ended = 0;
  const flush: PushSink['push']['flush'] = async (batch, signal) => {
    try {
      await sink.flush(batch, signal);
    } finally {
      ended += 1;
    }
  };
  const push = { ...sink, interval: 10_000, flush };
  const runner = new PushRunner(push, storeWithCalls().store, recorder().log, () => undefined);
  runner.start();
  return {
    async tick() {
      const before = ended;
      clock.tick(10_000);
      await until(() => ended > before);
      // The runner goes on after the flush.
      await sleep(0);
    },
    warning() {
      try {
        runner.check();
        return undefined;
      } catch (error) {
        t.is(errorCodeOf(error), 'CHECK_WARNING');
        return (error as Error).message;
      }
    },
  };
}

test.serial('a sink with failing flushes is a warning after two intervals, until one succeeds', async (t) => {
  let isDown = true;
  const { tick, warning } = startSlowRunner(t, {
    flush: async () => {
      if (isDown) throw new Error('getaddrinfo ENOTFOUND statsd');
    },
  });
  t.is(warning(), undefined);
  await tick();
  t.is(warning(), undefined);
  await tick();
  t.is(warning(), 'no metrics delivered for 20s: getaddrinfo ENOTFOUND statsd');
  await tick();
  t.is(warning(), 'no metrics delivered for 30s: getaddrinfo ENOTFOUND statsd');
  isDown = false;
  await tick();
  t.is(warning(), undefined);
  isDown = true;
  await tick();
  t.is(warning(), undefined);
  await tick();
  t.is(warning(), 'no metrics delivered for 20s: getaddrinfo ENOTFOUND statsd');
});

test.serial('a sink that only queues its batches needs attention after two intervals', async (t) => {
  let problem: string | undefined = 'values are queued';
  const { tick, warning } = startSlowRunner(t, { flush: async () => undefined, rejected: () => problem });
  await tick();
  t.is(warning(), undefined);
  await tick();
  t.is(warning(), 'no metrics delivered for 20s: values are queued');
  problem = undefined;
  await tick();
  t.is(warning(), undefined);
});

test('a runner that is stopped, started or not, no longer collects growth and observations', async (t) => {
  for (const isStarted of [true, false]) {
    const { store } = storeWithCalls();
    const sources = new Sources();
    const ended: string[] = [];
    const end = (what: string) => (): void => void ended.push(what);
    const stubs = [
      stub(sources, 'addGrowthSink').returns(end('growth')),
      stub(store, 'onObservation').returns(end('observations')),
    ];
    const sink = { interval: 60_000, flush: async () => undefined };
    const runner = new PushRunner(sink, store, recorder().log, noFault, { sources });
    if (isStarted) runner.start();
    t.deepEqual(ended, []);
    await runner.stop();
    t.deepEqual(ended.toSorted(), ['growth', 'observations']);
    for (const each of stubs) each.restore();
  }
});
