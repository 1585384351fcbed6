import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { useFakeTimers } from 'sinon';
import { AgentError, FailedChecks, LeveledLoggers, type FailedPart } from '../../../core/contract/index.js';
import { warningAfter, type DetailedPart } from '../../../core/contract/internal/index.js';
import { createHealth, Lag, type AgentHealth } from '../../../core/health/index.js';
import { MAX_REASON_SIZE } from '../../../core/health/failure.js';
import { MAX_UNFINISHED_CALLS } from '../../../core/health/component.js';
import type { HealthOptions } from '../../../core/health/health.js';
import { MetricStore } from '../../../core/metrics/index.js';
import { stopClock } from '../../helpers/clock.js';
import { textOf } from '../../helpers/exposition.js';
import { PATIENCE } from '../../helpers/patience.js';
import { valuesOf } from '../../helpers/snapshot.js';

interface Subject {
  readonly health: AgentHealth;
  readonly loggers: LeveledLoggers;
  readonly logged: string[];
  readonly store: MetricStore;
}

function subject(
  options: Partial<
    Pick<HealthOptions, 'timeout' | 'cacheFor' | 'interval' | 'groups' | 'cpuTime' | 'lag'>
  > = {},
  maxSeries = 100,
): Subject {
  const logged: string[] = [];
  const loggers = new LeveledLoggers({
    write: ({ level, message }) => void logged.push(`${level}: ${message}`),
  });
  const store = new MetricStore(maxSeries);
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
      cpuTime,
      ...options,
    }),
  };
}

function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const forever = (): Promise<void> => new Promise(() => undefined);

/** Keeps the process running until the test ends; the deadline of a check does not keep it running. */
function keepRunning(t: ExecutionContext): void {
  const timer = setInterval(() => undefined, PATIENCE);
  t.teardown(() => clearInterval(timer));
}

test('without checks the report has no failed checks', async (t) => {
  t.deepEqual((await subject().health.run()).failedChecks, []);
});

test.serial(
  'a hundred checks are started over several turns of the event loop, and the report has all of them',
  async (t) => {
    const { health } = subject();
    let turns = 0;
    const turnsAtCall = new Set<number>();
    for (let index = 0; index < 100; index += 1)
      health.register(`check ${index}`, () => {
        turnsAtCall.add(turns);
        const start = performance.now();
        while (performance.now() - start < 1);
        throw new Error('down');
      });
    const immediate = (): void => {
      turns += 1;
      if (turns < 1000) setImmediate(immediate);
    };
    setImmediate(immediate);
    t.is((await health.run()).failedChecks.length, 100);
    t.true(turnsAtCall.size >= 5, `${turnsAtCall.size} turns`);
  },
);

test('a check that another check of the same run removes is not called', async (t) => {
  const { health } = subject();
  const called: string[] = [];
  health.register('first', () => {
    called.push('first');
    remove();
  });
  const remove = health.register('second', () => void called.push('second'));
  t.deepEqual((await health.run()).failedChecks, []);
  t.deepEqual(called, ['first']);
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
  keepRunning(t);
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

test('Node.js does not warn of the listeners that the checks of a run add to their signal', async (t) => {
  const warnings: string[] = [];
  const listener = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', listener);
  t.teardown(() => process.off('warning', listener));
  const { health } = subject();
  for (let index = 0; index < 20; index += 1)
    health.register(`check ${index}`, (signal) => signal.addEventListener('abort', () => index));
  await health.run();
  await wait(0);
  t.deepEqual(warnings, []);
});

/** Steps of a part; the invalid ones, and steps after the fifth, are omitted. */
const STEPS = [
  { text: 'Start it\n.', command: 'start it' },
  { text: '' },
  7,
  { command: 'no text' },
  { text: 'x'.repeat(501), command: 7 },
  { text: 'the sixth' },
];

const CAUSE = { id: 'certificate a1', reason: 'it expires', place: 'ch1', use: 'tls', isMain: false };

test('warnings and parts report their explanation and when they were found, also from another copy of the package', async (t) => {
  const found: string[] = [];
  const causes: unknown[] = [];
  const steps: unknown[] = [];
  const began = performance.now();
  const health = createHealth({
    timeout: PATIENCE,
    cacheFor: 0,
    interval: 60_000,
    groups: {},
    metrics: new MetricStore(100),
    log: new LeveledLoggers({ write: () => undefined }).logger('health'),
    cpuTime,
    observer: {
      checked: (name, _reason, severity, facts = {}) => {
        const { observedAt = 0 } = facts;
        found.push(`${name} ${severity} ${facts.follows} ${observedAt >= began ? 'now' : observedAt}`);
        causes.push(...(facts.causes ?? []));
        steps.push(...(facts.steps ?? []));
      },
      removed: () => undefined,
    },
  });
  health.register('a', () => {
    throw warningAfter('cannot be read', 'node');
  });
  health.register('b', () => {
    const parts: readonly DetailedPart[] = [
      { component: 'ch1', reason: 'broken', follows: 'channels/ch1', steps: STEPS as never },
      { component: 'ch2', reason: 'broken', causes: [CAUSE, 7, { id: 7 }] as never },
    ];
    throw new FailedChecks(parts);
  });
  health.register('c', () => {
    throw Object.assign(new Error('soon'), { code: 'CHECK_WARNING', follows: 7, observedAt: 'soon' });
  });
  health.register('d', () => {
    throw Object.assign(new Error('polled before'), { observedAt: 7 });
  });
  const { failedChecks } = await health.run();
  t.deepEqual(found.toSorted(), [
    'a warning node now',
    'b critical undefined now',
    'b/ch1 critical channels/ch1 now',
    'b/ch2 critical undefined now',
    'c warning undefined now',
    'd critical undefined 7',
  ]);
  t.deepEqual(causes, [CAUSE]);
  t.deepEqual(steps, [{ text: 'Start it\\n.', command: 'start it' }, { text: 'x'.repeat(500) }]);
  t.deepEqual(failedChecks, [
    { component: 'b/ch1', reason: 'broken', follows: 'channels/ch1' },
    { component: 'b/ch2', reason: 'broken' },
    { component: 'd', reason: 'polled before' },
  ]);
});

test.serial('each run has the whole timeout, whether the previous run ended early or late', async (t) => {
  const clock = useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'performance'],
    shouldClearNativeTimers: true,
  });
  t.teardown(() => clock.restore());
  const { health } = subject({ timeout: 400 });
  let lasts = 250;
  health.register('slow', () => new Promise((resolve) => setTimeout(resolve, lasts)));
  const run = async (): Promise<readonly FailedPart[]> => {
    const report = health.run();
    await clock.tickAsync(lasts);
    return (await report).failedChecks;
  };
  t.deepEqual(await run(), []);
  t.deepEqual(await run(), [], 'more than one timeout has passed since the first run began');
  lasts = 800;
  t.is((await run())[0]?.reason, 'timed out after 400ms');
  lasts = 250;
  t.deepEqual(await run(), []);
});

test('a check that failed before the deadline of its run is counted once', async (t) => {
  keepRunning(t);
  const { health, store } = subject({ timeout: 50 });
  health.register('fails', async () => {
    throw new Error('down');
  });
  health.register('hangs', forever);
  t.deepEqual((await health.run()).failedChecks, [
    { component: 'fails', reason: 'down' },
    { component: 'hangs', reason: 'timed out after 50ms' },
  ]);
  const counted = (await valuesOf(store, 'fabric_ops_agent_health_check_failures_total')).map(
    ({ value }) => value,
  );
  t.deepEqual(counted, [1, 1]);
});

test('a check that rejects after its deadline is not an unhandled rejection', async (t) => {
  keepRunning(t);
  const { health } = subject({ timeout: 20 });
  health.register('late', async (signal) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    throw new Error('ignored');
  });
  t.is((await health.run()).failedChecks[0]?.reason, 'timed out after 20ms');
  await wait(50);
});

test.serial(
  'a check that blocks the event loop misses its deadline, and other checks get that time back',
  async (t) => {
    const { health } = subject({ timeout: 200 });
    // Needs some turns of the event loop after the one in which the deadline passes.
    health.register('waits', async () => {
      for (let turn = 0; turn < 5; turn += 1) await nextTurn();
    });
    // Uses the CPU: a check is not the cause of time in which the process did not run.
    const block = (): void => {
      const start = process.cpuUsage();
      while (process.cpuUsage(start).user < 300_000);
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
  },
);

test('a check that never ends is not called again after 2 unfinished calls', async (t) => {
  keepRunning(t);
  const { health } = subject({ timeout: 5 });
  let calls = 0;
  health.register('leaks', () => {
    calls += 1;
    return forever();
  });
  for (let run = 0; run < MAX_UNFINISHED_CALLS + 3; run += 1) await health.run();
  t.is(calls, MAX_UNFINISHED_CALLS);
  t.is((await health.run()).failedChecks[0]?.reason, 'not checked: 2 earlier checks are still running');
});

test('a check of a plugin that has not started yet fails, but is neither measured nor logged', async (t) => {
  const { health, logged, store } = subject();
  health.register('disk', () => {
    throw new AgentError('PLUGIN_NOT_STARTED', 'not started yet');
  });
  t.deepEqual((await health.run()).failedChecks, [{ component: 'disk', reason: 'not started yet' }]);
  t.deepEqual(logged, []);
  for (const name of ['status', 'failures_total', 'duration_seconds'])
    t.deepEqual(await valuesOf(store, `fabric_ops_agent_health_check_${name}`), [], name);
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

test('a report is cached until a check is added or removed; the outcomes of the other checks stay cached', async (t) => {
  const { health } = subject({ cacheFor: 60_000 });
  let calls = 0;
  health.register('counted', () => void (calls += 1));
  const first = await health.run();
  t.is(await health.run(), first);
  t.is(calls, 1);
  const remove = health.register('another', () => undefined);
  await health.run();
  t.is(calls, 1);
  remove();
  await health.run();
  t.is(calls, 1);
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
  t.is(await value('fabric_ops_agent_health_check_status'), 1);
  t.is(await value('fabric_ops_agent_health_check_failures_total'), 2);
  t.is(await value('fabric_ops_agent_health_check_duration_seconds'), 4);
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

/** The value of each series of a family, by component. */
async function byComponent(store: MetricStore, family: string): Promise<Record<string, number>> {
  const values = await valuesOf(store, family);
  return Object.fromEntries(values.map(({ labels, value }) => [labels.component, value]));
}

test('each failed part is a failed check, is logged once per change, and has metrics', async (t) => {
  const { health, logged, store } = subject();
  let failure: Error | undefined;
  health.register('peer0', async () => {
    if (failure !== undefined) throw failure;
  });
  const run = async (thrown?: Error): Promise<unknown> => {
    failure = thrown;
    return (await health.run()).failedChecks;
  };
  const docker = { component: 'docker', reason: 'no such file' };
  const channel = { component: 'ch1/0', reason: 'no leader' };
  t.deepEqual(await run(new FailedChecks([docker, channel])), [
    { component: 'peer0/ch1/0', reason: 'no leader' },
    { component: 'peer0/docker', reason: 'no such file' },
  ]);
  t.deepEqual(await run(new FailedChecks([docker])), [{ component: 'peer0/docker', reason: 'no such file' }]);
  t.deepEqual(await byComponent(store, 'fabric_ops_agent_health_check_status'), {
    peer0: 1,
    'peer0/docker': 0,
    'peer0/ch1/0': 1,
  });
  t.deepEqual(await run(new Error('unreachable')), [{ component: 'peer0', reason: 'unreachable' }]);
  t.deepEqual(await run(), []);
  t.deepEqual(await byComponent(store, 'fabric_ops_agent_health_check_status'), {
    peer0: 1,
    'peer0/docker': 1,
    'peer0/ch1/0': 1,
  });
  t.deepEqual(await byComponent(store, 'fabric_ops_agent_health_check_failures_total'), {
    peer0: 1,
    'peer0/docker': 2,
    'peer0/ch1/0': 1,
  });
  t.deepEqual(logged, [
    'warn: peer0/docker is not healthy: no such file',
    'warn: peer0/ch1/0 is not healthy: no leader',
    'info: peer0/ch1/0 is healthy again',
    'warn: peer0 is not healthy: unreachable',
    'info: peer0/docker is healthy again',
    'info: peer0 is healthy again',
  ]);
});

test('while a component fails as a whole, its parts keep their last state', async (t) => {
  const { health, logged, store } = subject();
  const failures = [new FailedChecks([{ component: 'docker', reason: 'down' }]), new Error('unreachable')];
  health.register('peer0', () => {
    throw failures.shift() ?? new Error('still unreachable');
  });
  for (let run = 0; run < 3; run += 1) await health.run();
  t.deepEqual(await byComponent(store, 'fabric_ops_agent_health_check_status'), {
    peer0: 0,
    'peer0/docker': 0,
  });
  t.deepEqual(logged, ['warn: peer0/docker is not healthy: down', 'warn: peer0 is not healthy: unreachable']);
});

test('failed parts are recognized by the code of the error, whatever its class', async (t) => {
  const { health } = subject();
  health.register('peer0', () => {
    throw Object.assign(new Error('parts'), {
      code: 'CHECKS_FAILED',
      parts: [{ component: 'docker', reason: 'down' }],
    });
  });
  t.deepEqual((await health.run()).failedChecks, [{ component: 'peer0/docker', reason: 'down' }]);
});

const trap = {
  get component(): never {
    throw new Error('read');
  },
};
const UNUSABLE_PARTS: readonly (readonly [what: string, parts: unknown])[] = [
  ['no list', undefined],
  ['an object', { length: 1, 0: { component: 'a', reason: 'b' } }],
  ['an empty list', []],
  ['null', [null]],
  ['a name that is not a string', [{ component: 5, reason: 'down' }]],
  ['an empty name', [{ component: '', reason: 'down' }]],
  ['a getter that throws', [trap]],
];
for (const [what, parts] of UNUSABLE_PARTS)
  test(`parts that cannot be used are a failure of the component itself: ${what}`, async (t) => {
    const { health } = subject();
    health.register('peer0', () => {
      throw Object.assign(new Error('docker: down'), { code: 'CHECKS_FAILED', parts });
    });
    t.deepEqual((await health.run()).failedChecks, [{ component: 'peer0', reason: 'docker: down' }]);
  });

test('names and reasons of parts are limited, and a duplicate part is reported once', async (t) => {
  const { health } = subject();
  const long = 'x'.repeat(100_000);
  health.register('peer0', () => {
    throw new FailedChecks([
      { component: 'twice', reason: 'first' },
      { component: 'twice', reason: 'second' },
      { component: long, reason: long },
      { component: '__proto__', reason: '' },
      { component: 'odd', reason: 7 as never },
    ]);
  });
  const { failedChecks } = await health.run();
  t.deepEqual(
    failedChecks.map(({ component, reason }) => [component, reason.slice(0, 20)]),
    [
      ['peer0/__proto__', 'no reason given'],
      ['peer0/odd', '7'],
      ['peer0/twice', 'first'],
      [`peer0/${'x'.repeat(256)}`, 'x'.repeat(20)],
    ],
  );
  t.is(failedChecks.at(-1)?.reason, `${'x'.repeat(MAX_REASON_SIZE - 3)}…`);
});

for (const [what, character, size] of [
  ['letters', 'x', 1],
  ['characters that HTML has a meaning for', '<', 6],
  ['quotes', '"', 2],
  ['emoji', '😀', 4],
  ['halves of emoji', '\ud83d', 6],
] as const)
  test(`a reason of 10,000 ${what} is at most 4096 bytes in a response and complete in the log`, async (t) => {
    const { health, logged } = subject();
    const reason = character.repeat(10_000);
    health.register('docker', () => {
      throw new Error(reason);
    });
    const [failed] = (await health.run()).failedChecks;
    t.is(failed?.reason, `${character.repeat(Math.floor((MAX_REASON_SIZE - 3) / size))}…`);
    t.deepEqual(logged, [`warn: docker is not healthy: ${reason}`]);
  });

/** Parts that fail, in order, with their severities. */
const failedParts = (names: readonly string[], severity?: 'warning'): FailedPart[] =>
  names.map((component) => ({ component, reason: 'down', ...(severity && { severity }) }));

/** `a0`, `a1` and so on. */
const numbered = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${name}${index}`);

const BEYOND: readonly (readonly [
  critical: number,
  warnings: number,
  shown: readonly [critical: number, warnings: number],
  others: { readonly reason: string; readonly severity?: 'warning' },
])[] = [
  [103, 0, [100, 0], { reason: '3 further parts failed' }],
  [0, 102, [0, 100], { reason: '2 further parts need attention', severity: 'warning' }],
  [1, 101, [1, 99], { reason: '2 further parts need attention', severity: 'warning' }],
  [101, 4, [100, 0], { reason: '1 further parts failed, 4 further parts need attention' }],
];
for (const [critical, warnings, [shownCritical, shownWarnings], others] of BEYOND)
  test(`of ${critical} failed parts and ${warnings} warnings 100 are reported by name, the failed ones first, the others are counted: ${others.reason}`, async (t) => {
    const { health } = subject({}, 1000);
    health.register('peer0', () => {
      throw new FailedChecks([
        ...failedParts(numbered('w', warnings), 'warning'),
        ...failedParts(numbered('c', critical)),
      ]);
    });
    const report = await health.run();
    const whole = {
      component: 'peer0',
      ...others,
      reason: `${others.reason}; at most 100 parts are reported by name`,
    };
    const isWarning = others.severity === 'warning';
    const { failedChecks, warnings: found } = report;
    t.deepEqual((isWarning ? found : failedChecks)[0], whole);
    t.is(failedChecks.length, shownCritical + (isWarning ? 0 : 1));
    t.is(found.length, shownWarnings + (isWarning ? 1 : 0));
  });

test('150 warnings of a component, one after the other, never make it critical', async (t) => {
  const { health } = subject({}, 1000);
  let name = '';
  health.register('certificates', () => {
    throw new FailedChecks(failedParts([name], 'warning'));
  });
  for (name of numbered('cert', 150)) {
    const { failedChecks, warnings } = await health.run();
    t.deepEqual(failedChecks, []);
    t.deepEqual(warnings, [{ component: `certificates/${name}`, reason: 'down', severity: 'warning' }]);
  }
});

test('a part that has recovered is forgotten when another one needs its place, with its gauges; its counter stays', async (t) => {
  const { health, store, logged } = subject({}, 1000);
  let parts = failedParts(numbered('old', 100));
  health.register('peer0', () => {
    throw new FailedChecks(parts);
  });
  await health.run();
  parts = failedParts(['old99', 'new0', 'new1']);
  t.deepEqual((await health.run()).failedChecks, [
    { component: 'peer0/new0', reason: 'down' },
    { component: 'peer0/new1', reason: 'down' },
    { component: 'peer0/old99', reason: 'down' },
  ]);
  t.true(logged.includes('info: peer0/old0 is healthy again'));
  const series = await byComponent(store, 'fabric_ops_agent_health_check_status');
  t.is(Object.keys(series).length, 101);
  t.deepEqual(
    ['peer0', 'peer0/old0', 'peer0/old1', 'peer0/old2', 'peer0/old99', 'peer0/new0'].map(
      (name) => series[name],
    ),
    [1, undefined, undefined, 1, 0, 0],
  );
  const counters = await byComponent(store, 'fabric_ops_agent_health_check_failures_total');
  t.deepEqual(
    ['peer0', 'peer0/old0', 'peer0/old99', 'peer0/new0'].map((name) => counters[name]),
    // The failures of new0 and new1.
    [2, 1, 2, undefined],
  );
});

test('a part that is reported by name stays so while it fails, however many others fail', async (t) => {
  const { health, logged } = subject({}, 1000);
  let parts = failedParts(numbered('w', 100), 'warning');
  health.register('peer0', () => {
    throw new FailedChecks(parts);
  });
  await health.run();
  logged.length = 0;
  parts = [...failedParts(['new']), ...parts];
  const { failedChecks, warnings } = await health.run();
  t.deepEqual(failedChecks, [
    { component: 'peer0', reason: '1 further parts failed; at most 100 parts are reported by name' },
  ]);
  t.is(warnings.length, 100);
  t.deepEqual(logged, [
    'warn: peer0 is not healthy: 1 further parts failed; at most 100 parts are reported by name',
  ]);
});

test('a reason is truncated to 65,536 characters in the log', async (t) => {
  const { health, logged } = subject();
  health.register('docker', () => {
    throw new Error('x'.repeat(70_000));
  });
  health.register('peer0', () => {
    throw new FailedChecks([{ component: 'couchdb', reason: 'y'.repeat(70_000) }]);
  });
  await health.run();
  t.deepEqual(logged, [
    `warn: docker is not healthy: ${'x'.repeat(65_536)}…`,
    `warn: peer0/couchdb is not healthy: ${'y'.repeat(65_536)}…`,
  ]);
});

test('at debug the check of a component with failed parts is logged with each part', async (t) => {
  const { health, loggers, logged } = subject();
  loggers.activate('health=debug');
  health.register('peer0', () => {
    throw new FailedChecks([
      { component: 'docker', reason: 'down' },
      { component: 'couchdb', reason: 'refused' },
    ]);
  });
  await health.run();
  t.is(logged[0]?.replace(/\d+\.\dms/, '…'), 'debug: peer0 checked in …: docker: down; couchdb: refused');
});

test('unknown names in the groups are warnings at start', (t) => {
  const groups = { ready: { include: ['docker', 'peer0/couchdb', 'couchdb'], exclude: ['dokcer', 'peer1'] } };
  const { health, logged } = subject({ groups });
  health.register('docker', () => undefined);
  health.register('peer0', () => undefined);
  health.start();
  health.stop();
  t.deepEqual(logged, [
    "warn: health.groups.ready.include: unknown component 'couchdb'; expected one of docker, peer0",
    "warn: health.groups.ready.exclude: unknown component 'dokcer'; did you mean docker?",
    "warn: health.groups.ready.exclude: unknown component 'peer1'; did you mean peer0?",
  ]);
});

test('a check that ends after its removal is neither logged nor measured', async (t) => {
  const { health, logged, store } = subject();
  let fail: (error: Error) => void = () => undefined;
  const remove = health.register('docker', () => new Promise((_, reject) => (fail = reject)));
  const report = health.run();
  remove();
  fail(new Error('stopped'));
  t.deepEqual((await report).failedChecks, []);
  t.deepEqual(logged, []);
  t.deepEqual(await valuesOf(store, 'fabric_ops_agent_health_check_failures_total'), []);
});

test('runs of some components and of all share one call of a check', async (t) => {
  const { health } = subject();
  let calls = 0;
  let fail: (error: Error) => void = () => undefined;
  health.register('slow', () => {
    calls += 1;
    return new Promise((_, reject) => (fail = reject));
  });
  health.register('other', () => undefined);
  const some = { include: ['slow'], exclude: [] };
  const reports = [health.run(some), health.run(some), health.run(), health.run(some)];
  fail(new Error('down'));
  for (const { failedChecks } of await Promise.all(reports))
    t.deepEqual(failedChecks, [{ component: 'slow', reason: 'down' }]);
  t.is(calls, 1);
});

test('a check of some components that hangs fails at its deadline', async (t) => {
  keepRunning(t);
  const { health } = subject({ timeout: 50 });
  health.register('hangs', forever);
  health.register('other', () => undefined);
  const { failedChecks, components } = await health.run({ include: ['hangs'], exclude: [] });
  t.deepEqual(failedChecks, [{ component: 'hangs', reason: 'timed out after 50ms' }]);
  t.deepEqual(components, ['hangs']);
});

test.serial('a check that waits does not fail for the time in which the process did not run', async (t) => {
  const clock = useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'performance'],
    shouldClearNativeTimers: true,
  });
  t.teardown(() => clock.restore());
  const { health } = subject({ timeout: 10_000 });
  health.register('slow', () => new Promise((resolve) => setTimeout(resolve, 3_000)));
  health.register('hangs', forever);
  const report = health.run();
  await clock.tickAsync(2_000);
  clock.jump(60_000);
  await clock.tickAsync(9_000);
  t.deepEqual((await report).failedChecks, [{ component: 'hangs', reason: 'timed out after 10s' }]);
});

test.serial('a check that was stopped while it ran synchronously does not miss its deadline', async (t) => {
  const clock = useFakeTimers({ toFake: ['performance'] });
  t.teardown(() => clock.restore());
  const { health } = subject({ timeout: 10_000 });
  // It uses no CPU during this time.
  health.register('stopped', () => void clock.jump(15_000));
  t.deepEqual((await health.run()).failedChecks, []);
});

test.serial('a warning says for a minute how late the agent was', async (t) => {
  const clock = useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'performance'],
    shouldClearNativeTimers: true,
  });
  t.teardown(() => clock.restore());
  const { health } = subject({ lag: new Lag(async () => undefined) });
  health.start();
  t.teardown(() => health.stop());
  await health.run();
  await clock.tickAsync(60_000);
  clock.jump(1_400);
  t.deepEqual(health.components, []);
  await clock.tickAsync(60_000);
  clock.jump(8_500);
  await clock.tickAsync(10_000);
  clock.jump(6_500);
  t.deepEqual((await health.run()).warnings, [
    {
      component: 'agent',
      reason:
        'the agent was late by 14s in the last minute: the host gave it no CPU or its files do not respond, or a plugin blocked it; new failures are checked again before they are reported',
      severity: 'warning',
    },
  ]);
  await clock.tickAsync(75_000);
  t.deepEqual((await health.run()).warnings, []);
});

test.serial(
  'requests share a result until it is as old as cacheFor; a single check is always called',
  async (t) => {
    const clock = stopClock(t);
    const { health } = subject({ cacheFor: 1_000 });
    const calls = { a: 0, b: 0 };
    health.register('a', () => void (calls.a += 1));
    health.register('b', () => void (calls.b += 1));
    const onlyA = { include: ['a'], exclude: [] };
    await health.run();
    clock.tick(999);
    await health.run();
    await health.run(onlyA);
    t.deepEqual(calls, { a: 1, b: 1 });
    clock.tick(1);
    await health.run(onlyA);
    t.deepEqual(calls, { a: 2, b: 1 });
    await health.run();
    t.deepEqual(calls, { a: 2, b: 2 });
    await health.check('a');
    await health.check('a');
    await health.check('unknown');
    t.deepEqual(calls, { a: 4, b: 2 });
    health.stop();
  },
);

test('the signal of a check that has ended is not aborted when the agent stops', async (t) => {
  const { health } = subject();
  let ended: AbortSignal | undefined;
  health.register('disk', (signal) => void (ended = signal));
  await health.run();
  health.stop();
  t.false(ended?.aborted);
});

test.serial('the duration of a check is measured in seconds, and logged in milliseconds', async (t) => {
  const clock = stopClock(t);
  const { health, store, loggers, logged } = subject();
  loggers.activate('debug');
  health.register('slow', () => void clock.tick(2_500));
  await health.run();
  t.deepEqual(logged, ['debug: slow checked in 2500.0ms: healthy']);
  t.true(
    (await textOf(store)).includes(
      'fabric_ops_agent_health_check_duration_seconds_sum{component="slow"} 2.5\n',
    ),
  );
});

/** How often a registry starts and stops its measurement of the lag, and the timers after its stop. */
async function afterStop(t: ExecutionContext): Promise<readonly number[]> {
  const clock = useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
    shouldClearNativeTimers: true,
  });
  t.teardown(() => clock.restore());
  const lag = new Lag(async () => undefined);
  let starts = 0;
  let stops = 0;
  const { start, stop } = { start: lag.start.bind(lag), stop: lag.stop.bind(lag) };
  lag.start = (...given) => {
    starts += 1;
    start(...given);
  };
  lag.stop = () => {
    stops += 1;
    stop();
  };
  const { health } = subject({ lag });
  health.start();
  await clock.tickAsync(1_000);
  const before = stops;
  health.stop();
  await clock.tickAsync(1_000);
  const left = clock.countTimers();
  clock.restore();
  return [starts, stops - before, left];
}

test.serial('after a stop no timer is left, and the lag is no longer measured', async (t) => {
  // A native timer of an earlier test may set another one meanwhile, but not each time.
  let found = await afterStop(t);
  for (let more = 4; more > 0 && found[2] !== 0; more -= 1) found = await afterStop(t);
  t.deepEqual(found, [1, 1, 0]);
});

test('a report within a limit has what is known while a check still runs, and the names of checks without a result', async (t) => {
  keepRunning(t);
  const { health } = subject();
  health.register('fails', () => {
    throw new Error('broken');
  });
  health.register('hangs', forever);
  const { failedChecks, components } = await health.runWithin(1);
  t.deepEqual(
    failedChecks.map(({ component }) => component),
    ['fails'],
  );
  t.deepEqual(components, ['fails', 'hangs']);
  t.deepEqual(health.unchecked, ['hangs']);
});

test('a report within a limit is the one of the run if all checks end', async (t) => {
  const { health } = subject();
  health.register('works', () => undefined);
  t.deepEqual((await health.runWithin(PATIENCE)).components, ['works']);
  t.deepEqual(health.unchecked, []);
});
