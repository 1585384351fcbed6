import { setTimeout as wait } from 'node:timers/promises';
import test from 'ava';
import { LeveledLoggers } from '../../../core/contract/index.js';
import { createHealth, type Health } from '../../../core/health/index.js';
import { MAX_UNFINISHED_CALLS } from '../../../core/health/component.js';
import { MetricStore } from '../../../core/metrics/index.js';
import { valuesOf } from '../../helpers/snapshot.js';

interface Subject {
  readonly health: Health;
  readonly loggers: LeveledLoggers;
  readonly logged: string[];
  readonly store: MetricStore;
}

function subject(options: { timeout?: number; cacheFor?: number } = {}): Subject {
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
      metrics: store,
      log: loggers.logger('health'),
      ...options,
    }),
  };
}

const forever = (): Promise<void> => new Promise(() => undefined);

test('without checks all is well', async (t) => {
  t.deepEqual((await subject().health.run()).failedChecks, []);
});

test('failed checks are sorted by component, whatever the order of registration and of failing', async (t) => {
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

const thrown: readonly (readonly [string, unknown, string])[] = [
  ['a string', 'plain text', 'plain text'],
  ['undefined', undefined, 'no reason given'],
  ['null', null, 'no reason given'],
  ['a number', 42, '42'],
  ['an object', { a: 1 }, '{"a":1}'],
  ['an error without a message', new TypeError(), 'TypeError'],
  ['an error with blanks around', new Error('  padded \n'), 'padded'],
  ['an aggregate of errors', new AggregateError([new Error('first'), new Error('second')]), 'first'],
  ['an error whose message is an object', Object.assign(new Error(), { message: { a: 1 } }), '{"a":1}'],
  ['a symbol', Symbol('odd'), 'symbol'],
  ['an error over 2048 characters', new Error('x'.repeat(5000)), `${'x'.repeat(2048)}…`],
];

for (const [what, value, reason] of thrown) {
  test(`a check that rejects with ${what} fails with a reason that can be shown`, async (t) => {
    const { health } = subject();
    // eslint-disable-next-line typescript/prefer-promise-reject-errors, typescript/only-throw-error -- third parties throw anything
    health.register('odd', () => Promise.reject(value));
    t.deepEqual((await health.run()).failedChecks, [{ component: 'odd', reason }]);
  });
}

test('a check that hangs fails at its deadline, its signal is aborted, the others count', async (t) => {
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

test('each run has its full time, whether the one before it ended early or was late', async (t) => {
  const { health } = subject({ timeout: 400 });
  let lasts = 250;
  health.register('slow', () => wait(lasts));
  t.deepEqual((await health.run()).failedChecks, []);
  t.deepEqual(
    (await health.run()).failedChecks,
    [],
    'more than the time of one run has passed since the first began',
  );
  lasts = 800;
  t.is((await health.run()).failedChecks[0]?.reason, 'timed out after 400ms');
  lasts = 250;
  t.deepEqual((await health.run()).failedChecks, []);
});

test('a check that failed before the deadline of its run counts once', async (t) => {
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
    throw new Error('too late to matter');
  });
  t.is((await health.run()).failedChecks[0]?.reason, 'timed out after 20ms');
  await wait(50);
});

test('a check that holds up everything is late itself, and those that wait meanwhile get their time back', async (t) => {
  const { health } = subject({ timeout: 200 });
  // It needs some turns of the event loop after the one in which its deadline would have passed.
  health.register('waits', async () => {
    for (let turn = 0; turn < 5; turn += 1) await wait(1);
  });
  const hold = (): void => {
    const end = performance.now() + 500;
    while (performance.now() < end);
  };
  health.register('holds', hold);
  health.register('holds-and-fails', async () => {
    hold();
    throw new Error('it does not matter why');
  });
  t.deepEqual((await health.run()).failedChecks, [
    { component: 'holds', reason: 'timed out after 200ms' },
    { component: 'holds-and-fails', reason: 'timed out after 200ms' },
  ]);
});

test('a check that never comes to an end is not called without limit', async (t) => {
  const { health } = subject({ timeout: 5 });
  let calls = 0;
  health.register('leaks', () => {
    calls += 1;
    return forever();
  });
  for (let run = 0; run < MAX_UNFINISHED_CALLS + 3; run += 1) await health.run();
  t.is(calls, MAX_UNFINISHED_CALLS);
  t.is(
    (await health.run()).failedChecks[0]?.reason,
    'not checked: 10 earlier checks are still running',
  );
});

test('two hundred parallel probes cause one run', async (t) => {
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

test('a report is given again while it is recent enough, and not after a change of the checks', async (t) => {
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

test('a name is taken until it is removed', async (t) => {
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

test('changes of state are logged once, and measured at every run', async (t) => {
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

test('at debug each check is logged with how long it took and what came of it', async (t) => {
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

test('removing a check twice leaves one that took its name since', async (t) => {
  const { health } = subject();
  const remove = health.register('docker', () => undefined);
  remove();
  health.register('docker', () => {
    throw new Error('down');
  });
  remove();
  t.deepEqual((await health.run()).failedChecks, [{ component: 'docker', reason: 'down' }]);
});

test('what a check returns may be hostile to whoever looks at it', async (t) => {
  const { health } = subject();
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  // eslint-disable-next-line unicorn/no-thenable -- third parties return anything
  const trap = Object.defineProperty({}, 'then', {
    get(): never {
      throw new Error('looked at');
    },
  });
  health.register('revoked', () => proxy as Promise<void>);
  health.register('trap', () => trap as unknown as Promise<void>);
  const { failedChecks } = await health.run();
  t.deepEqual(
    failedChecks.map(({ component }) => component),
    ['revoked', 'trap'],
  );
  t.is(failedChecks[1]?.reason, 'looked at');
});

test('a report from before a registration is not kept', async (t) => {
  const { health } = subject({ cacheFor: 60_000 });
  health.register('slow', () => wait(20));
  const before = health.run();
  health.register('broken', () => {
    throw new Error('broken');
  });
  t.deepEqual((await before).failedChecks, []);
  t.deepEqual((await health.run()).failedChecks, [{ component: 'broken', reason: 'broken' }]);
});
