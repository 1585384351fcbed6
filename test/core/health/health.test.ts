import { setTimeout as wait } from 'node:timers/promises';
import test from 'ava';
import { LeveledLoggers } from '../../../core/contract/index.js';
import { createHealth, type AgentHealth } from '../../../core/health/index.js';
import { MAX_UNFINISHED_CALLS } from '../../../core/health/component.js';
import type { HealthOptions } from '../../../core/health/health.js';
import { MetricStore } from '../../../core/metrics/index.js';
import { valuesOf } from '../../helpers/snapshot.js';

interface Subject {
  readonly health: AgentHealth;
  readonly loggers: LeveledLoggers;
  readonly logged: string[];
  readonly store: MetricStore;
}

function subject(
  options: Partial<Pick<HealthOptions, 'timeout' | 'cacheFor' | 'interval' | 'groups'>> = {},
): Subject {
  const logged: string[] = [];
  const loggers = new LeveledLoggers({
    write: ({ level, message }) => void logged.push(`${level}: ${message}`),
  });
  const store = new MetricStore(100);
  return {
    loggers,
    logged,
    store,
    health: createHealth({
      timeout: 10_000,
      cacheFor: 0,
      interval: 60_000,
      groups: {},
      metrics: store,
      log: loggers.logger('health'),
      ...options,
    }),
  };
}

const forever = (): Promise<void> => new Promise(() => undefined);

test('without checks the report has no failed checks', async (t) => {
  t.deepEqual((await subject().health.run()).failedChecks, []);
});

test('failed checks are sorted by component', async (t) => {
  const { health } = subject();
  health.register('docker', async () => {
    throw new Error('down');
  });
  health.register('Zeta', () => {
    throw new Error('thrown at once');
  });
  health.register('couchdb', async () => {
    await wait(20);
    throw new Error('late');
  });
  health.register('fine', () => undefined);
  t.deepEqual((await health.run()).failedChecks, [
    { component: 'Zeta', reason: 'thrown at once' },
    { component: 'couchdb', reason: 'late' },
    { component: 'docker', reason: 'down' },
  ]);
});

test('a check that rejects fails with the reason, also when it rejects with undefined', async (t) => {
  const { health } = subject();
  health.register('error', () => Promise.reject(new Error('down')));
  // eslint-disable-next-line typescript/prefer-promise-reject-errors -- third-party code rejects with any value
  health.register('undefined', () => Promise.reject(undefined));
  t.deepEqual((await health.run()).failedChecks, [
    { component: 'error', reason: 'down' },
    { component: 'undefined', reason: 'no reason given' },
  ]);
});

test('a check that hangs fails at its deadline, its signal is aborted, and other checks succeed', async (t) => {
  const { health } = subject({ timeout: 50 });
  let aborted = false;
  health.register('hangs', (signal) => {
    signal.addEventListener('abort', () => (aborted = true));
    return forever();
  });
  health.register('works', () => undefined);
  t.deepEqual((await health.run()).failedChecks, [{ component: 'hangs', reason: 'timed out after 50ms' }]);
  t.true(aborted);
});

test('each run has the whole timeout, whether the previous run ended early or late', async (t) => {
  const { health } = subject({ timeout: 400 });
  let lasts = 250;
  health.register('slow', () => wait(lasts));
  t.deepEqual((await health.run()).failedChecks, []);
  t.deepEqual(
    (await health.run()).failedChecks,
    [],
    'more than one timeout has passed since the first run began',
  );
  lasts = 800;
  t.is((await health.run()).failedChecks[0]?.reason, 'timed out after 400ms');
  lasts = 250;
  t.deepEqual((await health.run()).failedChecks, []);
});

test('a check that failed before the deadline of its run is counted once', async (t) => {
  const { health, store } = subject({ timeout: 50 });
  health.register('fails', async () => {
    throw new Error('down');
  });
  health.register('hangs', forever);
  t.deepEqual((await health.run()).failedChecks, [
    { component: 'fails', reason: 'down' },
    { component: 'hangs', reason: 'timed out after 50ms' },
  ]);
  const counted = (await valuesOf(store, 'health_check_failures_total')).map(({ value }) => value);
  t.deepEqual(counted, [1, 1]);
});

test('a check that rejects after its deadline is not an unhandled rejection', async (t) => {
  const { health } = subject({ timeout: 20 });
  health.register('late', async (signal) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    throw new Error('ignored');
  });
  t.is((await health.run()).failedChecks[0]?.reason, 'timed out after 20ms');
  await wait(50);
});

test('a check that blocks the event loop misses its deadline, and other checks get that time back', async (t) => {
  const { health } = subject({ timeout: 200 });
  // Needs some turns of the event loop after the one in which the deadline passes.
  health.register('waits', async () => {
    for (let turn = 0; turn < 5; turn += 1) await wait(1);
  });
  const block = (): void => {
    const end = performance.now() + 500;
    while (performance.now() < end);
  };
  health.register('blocks', block);
  health.register('blocks-and-fails', async () => {
    block();
    throw new Error('ignored');
  });
  t.deepEqual((await health.run()).failedChecks, [
    { component: 'blocks', reason: 'timed out after 200ms' },
    { component: 'blocks-and-fails', reason: 'timed out after 200ms' },
  ]);
});

test('a check that never ends is not called again after 10 unfinished calls', async (t) => {
  const { health } = subject({ timeout: 5 });
  let calls = 0;
  health.register('leaks', () => {
    calls += 1;
    return forever();
  });
  for (let run = 0; run < MAX_UNFINISHED_CALLS + 3; run += 1) await health.run();
  t.is(calls, MAX_UNFINISHED_CALLS);
  t.is((await health.run()).failedChecks[0]?.reason, 'not checked: 10 earlier checks are still running');
});

test('two hundred concurrent probes share one run', async (t) => {
  const { health } = subject();
  let calls = 0;
  health.register('slow', async () => {
    calls += 1;
    await wait(20);
  });
  const reports = await Promise.all(Array.from({ length: 200 }, () => health.run()));
  t.is(calls, 1);
  t.is(new Set(reports).size, 1);
  await health.run();
  t.is(calls, 2);
});

test('a report is cached, until a check is added or removed', async (t) => {
  const { health } = subject({ cacheFor: 60_000 });
  let calls = 0;
  health.register('counted', () => void (calls += 1));
  const first = await health.run();
  t.is(await health.run(), first);
  t.is(calls, 1);
  const remove = health.register('another', () => undefined);
  await health.run();
  t.is(calls, 2);
  remove();
  await health.run();
  t.is(calls, 3);
});

test('the name of a component is unique until it is removed', async (t) => {
  const { health } = subject();
  const remove = health.register('docker', () => {
    throw new Error('the first');
  });
  t.throws(() => health.register('docker', () => undefined), {
    code: 'COMPONENT_INVALID',
    message: "'docker' is already registered",
  });
  t.throws(() => health.register('', () => undefined), {
    code: 'COMPONENT_INVALID',
    message: 'a health component needs a name',
  });
  remove();
  health.register('docker', () => undefined);
  remove();
  t.deepEqual((await health.run()).failedChecks, []);
  t.is((await subject().health.run()).failedChecks.length, 0);
});

test('each change of state is logged once, and every run is measured', async (t) => {
  const { health, logged, store } = subject();
  let reason: string | undefined = 'down';
  health.register('docker', () => {
    if (reason !== undefined) throw new Error(reason);
  });
  await health.run();
  await health.run();
  reason = undefined;
  await health.run();
  await health.run();
  t.deepEqual(logged, ['warn: docker is not healthy: down', 'info: docker is healthy again']);
  const value = async (family: string): Promise<number | undefined> =>
    (await valuesOf(store, family)).at(-1)?.value;
  t.is(await value('health_check_status'), 1);
  t.is(await value('health_check_failures_total'), 2);
  t.is(await value('health_check_duration_seconds'), 4);
});

test('at debug each check is logged with its duration and its outcome', async (t) => {
  const { health, loggers, logged } = subject();
  loggers.activate('health=debug');
  health.register('docker', () => {
    throw new Error('down');
  });
  health.register('ledger', () => undefined);
  await health.run();
  t.deepEqual(
    logged.map((line) => line.replace(/\d+\.\dms/, '…')),
    [
      'debug: docker checked in …: down',
      'warn: docker is not healthy: down',
      'debug: ledger checked in …: healthy',
    ],
  );
});

test('removing a check twice does not remove a later check of the same name', async (t) => {
  const { health } = subject();
  const remove = health.register('docker', () => undefined);
  remove();
  health.register('docker', () => {
    throw new Error('down');
  });
  remove();
  t.deepEqual((await health.run()).failedChecks, [{ component: 'docker', reason: 'down' }]);
});

test('a check can return a value that throws when it is read', async (t) => {
  const { health } = subject();
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  // eslint-disable-next-line unicorn/no-thenable -- third-party code returns any value
  const trap = Object.defineProperty({}, 'then', {
    get(): never {
      throw new Error('read');
    },
  });
  health.register('revoked', () => proxy as Promise<void>);
  health.register('trap', () => trap as unknown as Promise<void>);
  const { failedChecks } = await health.run();
  t.deepEqual(
    failedChecks.map(({ component }) => component),
    ['revoked', 'trap'],
  );
  t.is(failedChecks[1]?.reason, 'read');
});

test('a report is not cached when a check was registered during its run', async (t) => {
  const { health } = subject({ cacheFor: 60_000 });
  health.register('slow', () => wait(20));
  const before = health.run();
  health.register('broken', () => {
    throw new Error('broken');
  });
  t.deepEqual((await before).failedChecks, []);
  t.deepEqual((await health.run()).failedChecks, [{ component: 'broken', reason: 'broken' }]);
});
