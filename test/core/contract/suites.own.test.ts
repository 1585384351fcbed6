// The contract suites report plugins that break the contract. Each plugin here breaks it in one way.

import { connect } from 'node:net';
import test from 'ava';
import {
  defineHealthChecker,
  defineLoggingBackend,
  defineMetricSink,
  defineMetricSource,
  defineNotifier,
  LeveledLoggers,
  type HealthChecker,
  type MetricSource,
  type PushSink,
} from '../../../core/contract/index.js';
import { counters as readingOf } from '../../helpers/fake-source.js';
import {
  healthCheckerCases,
  loggingBackendCases,
  metricSourceCases,
  networkClientCases,
  notifierCases,
  pullSinkCases,
  pushSinkCases,
  type ContractCase,
} from '../../../core/testing/index.js';
import { makeCertificates } from '../../helpers/certificate-set.js';
import { stopTimeouts } from '../../helpers/clock.js';

const none = (): { options: Record<never, never> } => ({ options: {} });

/** The titles of the cases that fail, without the name of the plugin. */
async function failedCases(cases: readonly ContractCase[]): Promise<string[]> {
  const outcomes = await Promise.allSettled(cases.map(({ run }) => run()));
  return cases
    .filter((_, index) => outcomes[index]?.status === 'rejected')
    .map(({ title }) => title.replace(/^.*?: /, ''));
}

test('the suite reports a checker that is never unhealthy', async (t) => {
  const checker = defineHealthChecker({ name: 'blind', check: () => undefined });
  t.deepEqual(await failedCases(healthCheckerCases(checker, { healthy: none, unhealthy: none })), [
    'a check of an unhealthy component fails with a one-line reason',
  ]);
});

test('the suite reports a checker that is always unhealthy', async (t) => {
  const checker = defineHealthChecker({
    name: 'gloomy',
    check() {
      throw new Error('always unhealthy');
    },
  });
  t.deepEqual(await failedCases(healthCheckerCases(checker, { healthy: none, unhealthy: none })), [
    'repeated checks of a healthy component succeed',
    'concurrent checks of a healthy component succeed',
  ]);
});

const SCHEMA = {
  port: { format: Number, default: 1, doc: 'a port' },
  mode: { format: ['soft', 'hard'], default: 'soft', doc: 'how' },
  wait: { format: 'duration', default: '1s', doc: 'how long' },
  address: { format: 'host-port', default: ':1', doc: 'where' },
  paths: { format: 'path-list', default: [], doc: 'files' },
  even: {
    format(value: unknown) {
      if (Number(value) % 2 !== 0) throw new Error('must be even');
    },
    default: 0,
    doc: 'an even number',
  },
} as const;
const GIVEN = { port: 1, mode: 'soft', wait: 5, address: { host: '', port: 1 }, paths: ['/a'], even: 2 };

for (const [given, problem] of [
  [{}, undefined],
  [{ port: 'x' }, 'options.port of the fixture: must be a number: value was "x"'],
  [{ mode: 'zz' }, 'options.mode of the fixture: must be one of soft, hard: value was "zz"'],
  [{ wait: '5s' }, 'options.wait of the fixture: must be a number of milliseconds: value was "5s"'],
  [{ address: ':1' }, 'options.address of the fixture: must be an object { host, port }: value was ":1"'],
  [{ paths: '/a' }, 'options.paths of the fixture: must be a list of strings: value was "/a"'],
  [{ even: 3 }, 'options.even of the fixture: must be even: value was 3'],
  [{ other: 1 }, 'options.other of the fixture: the plugin has no such option'],
] as const)
  test(`the suite ${problem === undefined ? 'accepts a fixture with valid options' : `reports a fixture with the option ${JSON.stringify(given)}`}`, async (t) => {
    const checker = defineHealthChecker({ name: 'optional', options: SCHEMA, check: () => undefined });
    const fixture = () => ({ options: { ...GIVEN, ...given } as never });
    const found = healthCheckerCases(checker, { healthy: fixture, unhealthy: fixture }).find(({ title }) =>
      title.endsWith('the options of the fixture are valid'),
    );
    const failure = await found?.run().then(
      () => undefined,
      (error: Error) => error.message,
    );
    if (problem === undefined) t.is(failure, undefined);
    else t.true(failure?.includes(problem) === true, failure);
  });

test('the suite reports a fixture without an option', async (t) => {
  const checker = defineHealthChecker({ name: 'optional', options: SCHEMA, check: () => undefined });
  const { port: _, ...rest } = GIVEN;
  const fixture = () => ({ options: rest as never });
  const found = healthCheckerCases(checker, { healthy: fixture, unhealthy: fixture }).find(({ title }) =>
    title.endsWith('the options of the fixture are valid'),
  );
  await t.throwsAsync(async () => found?.run(), { message: /options\.port of the fixture: is missing/ });
});

test.serial('the suite reports a checker that ignores the signal', async (t) => {
  stopTimeouts(t).setTickMode({ mode: 'nextAsync' });
  const checker = defineHealthChecker({ name: 'deaf', check: () => new Promise<void>(() => undefined) });
  t.true(
    (await failedCases(healthCheckerCases(checker, { healthy: none, unhealthy: none }))).includes(
      'a check ends when its signal is aborted',
    ),
  );
});

/** The error of each case in order, without the name of the plugin; undefined: the case passes. */
async function endsOf(cases: readonly ContractCase[]): Promise<(string | undefined)[]> {
  const ends: (string | undefined)[] = [];
  for (const { run } of cases)
    ends.push(
      await run().then(
        () => undefined,
        (error: Error) => error.message,
      ),
    );
  return ends;
}

const HANGS = (): Promise<void> => new Promise(() => undefined);
const FAULTY = 'checker plugin faulty';
for (const [what, checker, first, reason] of [
  [
    'whose start throws',
    { start: () => Promise.reject(new Error('no licence')), check: () => undefined },
    2,
    `the case '${FAULTY}: stop can be called twice' failed: start failed: no licence`,
  ],
  [
    'whose init throws',
    {
      init() {
        throw new Error('no memory');
      },
      check: () => undefined,
    },
    2,
    `the case '${FAULTY}: stop can be called twice' failed: init failed: no memory`,
  ],
  [
    'whose check hangs',
    { check: HANGS },
    6,
    `the case '${FAULTY}: a call does not block the event loop' failed: the call took longer than 30s`,
  ],
] as const)
  test.serial(`after the first case of a checker ${what}, the others are reported as not run`, async (t) => {
    stopTimeouts(t).setTickMode({ mode: 'nextAsync' });
    const definition = defineHealthChecker({ name: 'faulty', create: (): HealthChecker => ({ ...checker }) });
    const [before, [found, ...others]] = ((ends: readonly (string | undefined)[]) => [
      ends.slice(0, first),
      ends.slice(first),
    ])(await endsOf(healthCheckerCases(definition, { healthy: none, unhealthy: none })));
    t.deepEqual(new Set(before), new Set([undefined]));
    t.is(found, reason.slice(reason.indexOf('failed: ') + 'failed: '.length));
    t.true(others.length > 5);
    t.deepEqual(new Set(others), new Set([`not run: ${reason}`]));
  });

test('after a fixture with an option that is not allowed, the other cases are reported as not run', async (t) => {
  const checker = defineHealthChecker({ name: 'faulty', options: SCHEMA, check: () => undefined });
  const fixture = () => ({ options: { ...GIVEN, port: 'x' } as never });
  const [, found, ...others] = await endsOf(
    healthCheckerCases(checker, { healthy: fixture, unhealthy: fixture }),
  );
  const problem = 'options.port of the fixture: must be a number: value was "x"';
  t.is(found, problem);
  t.deepEqual(
    new Set(others),
    new Set([`not run: the case '${FAULTY}: the options of the fixture are valid' failed: ${problem}`]),
  );
});

test('a checker that cannot be started again fails one case, and the others are run', async (t) => {
  const checker = defineHealthChecker({
    name: 'once',
    create() {
      let isStarted = false;
      return {
        start() {
          if (isStarted) throw new Error('started before');
          isStarted = true;
        },
        check() {
          throw new Error('unhealthy');
        },
      };
    },
  });
  const cases = healthCheckerCases(checker, { healthy: none, unhealthy: none });
  const failed = (await endsOf(cases)).filter((end) => end !== undefined);
  t.deepEqual(failed, ['started before', 'unhealthy', 'unhealthy']);
});

test('the suite reports a plugin with a timer that runs after stop', async (t) => {
  const timers: NodeJS.Timeout[] = [];
  t.teardown(() => timers.forEach(clearInterval));
  const checker = defineHealthChecker({
    name: 'ticking',
    create: () => ({
      start: () => void timers.push(setInterval(() => undefined, 60_000)),
      check: () => undefined,
    }),
  });
  t.deepEqual(await failedCases(healthCheckerCases(checker, { healthy: none, unhealthy: none })), [
    'stop leaves no timer that keeps the process alive',
    'a check of an unhealthy component fails with a one-line reason',
  ]);
});

/** The cases with a title, of a checker that is never unhealthy. */
const casesNamed = (title: string, check: HealthChecker['check']): ContractCase[] =>
  healthCheckerCases(defineHealthChecker({ name: 'faulty', create: () => ({ check }) }), {
    healthy: none,
    unhealthy: none,
  }).filter((each) => each.title.endsWith(`: ${title}`));

test('the suite reports a checker that blocks the event loop', async (t) => {
  const title = 'a call does not block the event loop';
  const cases = casesNamed(title, async () => {
    await Promise.resolve();
    const { user } = process.cpuUsage();
    while (process.cpuUsage().user - user < 600_000);
  });
  t.deepEqual(await failedCases(cases), [title]);
});

test('the suite reports a checker with a promise that rejects after its check', async (t) => {
  const title = 'no promise rejects without a handler, also after a call that is aborted';
  const cases = casesNamed(title, (signal) => {
    signal.addEventListener('abort', () => setImmediate(() => void Promise.reject(new Error('late'))));
  });
  t.deepEqual(await failedCases(cases), [title]);
});

const LIMITED = 'the events that the checker emits are within the limits';

for (const [fault, events] of [
  ['with a line end in its reason', [{ reason: 'first\nsecond' }]],
  ['with a long reason', [{ reason: 'x'.repeat(3000) }]],
  ['with a long field', [{ reason: 'new', fields: { text: 'x'.repeat(2000) } }]],
  ['in large numbers', Array.from({ length: 40 }, (_, index) => ({ reason: `event ${index}` }))],
] as const)
  test(`the suite reports a checker that emits events ${fault}`, async (t) => {
    const checker = defineHealthChecker({
      name: 'talkative',
      create: ({ events: { notice } }) => ({ check: () => events.forEach(notice) }),
    });
    const cases = healthCheckerCases(checker, { healthy: none, unhealthy: none });
    t.deepEqual(await failedCases(cases.filter(({ title }) => title.endsWith(LIMITED))), [LIMITED]);
  });

test('the suite of plugins that send requests reports one that is always content, and one that reads everything', async (t) => {
  const { ca, foreignCa, server } = makeCertificates();
  const certificates = { ...server, ca: ca.cert, otherCa: foreignCa.cert };
  const failed = await failedCases(
    networkClientCases('content', {
      certificates,
      respond: (_request, response) => void response.end(),
      connect: () => ({ use: async () => undefined, stop: () => undefined }),
    }),
  );
  t.is(failed.length, 12);
  t.true(failed.includes('no server fails with a reason'));
  const reading = networkClientCases('reading', {
    certificates,
    respond: (_request, response) => void response.end(),
    connect: ({ address: { host, port } }) => ({
      async use() {
        let size = 0;
        const socket = connect(port, host);
        socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
        for await (const chunk of socket) {
          size += (chunk as Buffer).length;
          if (size > 100 * 1024 * 1024) return;
        }
      },
      stop: () => undefined,
    }),
  });
  const endless = reading.filter(({ title }) => title.endsWith('an endless body is not read to its end'));
  t.deepEqual(await failedCases(endless), ['an endless body is not read to its end']);
});

test('the suite reports a plugin that cannot be stopped twice', async (t) => {
  const sink = defineMetricSink({
    name: 'once',
    create({ reader }) {
      let stopped = false;
      return {
        route: {
          path: '/once',
          async handle() {
            const names: string[] = [];
            for await (const { name } of reader.families()) names.push(name);
            return { headers: { 'Content-Type': 'text/plain' }, body: names.join() };
          },
        },
        stop() {
          if (stopped) throw new Error('stopped already');
          stopped = true;
        },
      };
    },
  });
  t.true((await failedCases(pullSinkCases(sink, none))).includes('stop can be called twice'));
});

test('the suite reports a push sink that fails for a hostile batch', async (t) => {
  const sink = defineMetricSink({
    name: 'brittle',
    create: (): PushSink => ({
      push: {
        interval: 1000,
        async flush({ counters }) {
          if (counters.some(({ labels }) => labels['label'] === '\0')) throw new Error('a NUL');
        },
      },
    }),
  });
  const cases = pushSinkCases(sink, { accepting: none, unreachable: 'undetectable' });
  t.deepEqual(await failedCases(cases), ['an empty batch and a hostile batch are accepted']);
});

/** A sink with flushes that resolve. */
const sinkWith = (rejected?: () => string | undefined): ContractCase[] => {
  const push = {
    interval: 1000,
    flush: async () => undefined,
    ...(rejected !== undefined && { rejected }),
  };
  const sink = defineMetricSink({ name: 'quiet', create: (): PushSink => ({ push }) });
  return pushSinkCases(sink, { accepting: none, unreachable: none });
};

for (const [what, rejected] of [
  ['that hides failures', undefined],
  ['whose rejected returns nothing', () => undefined],
  ['whose rejected returns an empty reason', () => ''],
] as const)
  test(`the suite reports a push sink ${what}`, async (t) => {
    t.deepEqual(await failedCases(sinkWith(rejected)), [
      'a flush that delivers nothing rejects, or rejected reports why',
    ]);
  });

test('the suite accepts a push sink that queues and says why nothing is delivered', async (t) => {
  t.deepEqual(await failedCases(sinkWith(() => 'the receiver is not connected')), []);
});

test('the suite accepts a push sink that rejects when nothing is delivered', async (t) => {
  const sink = defineMetricSink({
    name: 'honest',
    options: { isReachable: { format: Boolean, default: true, doc: 'whether there is a receiver' } },
    create: ({ options }): PushSink => ({
      push: {
        interval: 1000,
        flush: () => (options.isReachable ? Promise.resolve() : Promise.reject(new Error('no receiver'))),
      },
    }),
  });
  const fixture = (isReachable: boolean) => () => ({ options: { isReachable } });
  t.deepEqual(
    await failedCases(pushSinkCases(sink, { accepting: fixture(true), unreachable: fixture(false) })),
    [],
  );
});

test('the suite reports a backend that does not update existing loggers', async (t) => {
  const backend = defineLoggingBackend({
    name: 'forgetful',
    create() {
      let loggers = new LeveledLoggers({ write: () => undefined });
      return {
        spec: () => loggers.spec(),
        activate(spec) {
          const next = new LeveledLoggers({ write: () => undefined });
          next.activate(spec);
          loggers = next;
        },
        logger: (name) => loggers.logger(name),
      };
    },
  });
  t.deepEqual(await failedCases(loggingBackendCases(backend, none)), [
    'a new specification applies at once to existing loggers',
  ]);
});

/** A source that breaks the contract in one way. */
const sourceCases = (read: MetricSource['read']): ContractCase[] =>
  metricSourceCases(
    defineMetricSource({
      name: 'faulty',
      options: { isReadable: { format: Boolean, default: true, doc: 'whether it can be read' } },
      create: ({ options }) => ({
        read: (signal) => (options.isReadable ? read(signal) : Promise.reject(new Error('no route to host'))),
      }),
    }),
    {
      readable: () => ({ options: { isReadable: true } }),
      unreadable: () => ({ options: { isReadable: false } }),
    },
  );

test('the suite accepts a source that keeps the contract', async (t) => {
  t.deepEqual(await failedCases(sourceCases(async () => readingOf(undefined, 1))), []);
});

test('the suite reports a source with an invalid reading', async (t) => {
  const { families } = readingOf(undefined, 1);
  t.deepEqual(await failedCases(sourceCases(async () => ({ families: [...families, ...families] }))), [
    'repeated readings are valid',
    'concurrent readings are valid',
  ]);
});

test('the suite reports a source that changes its readings', async (t) => {
  const value = { startTime: 0, families: [] };
  const read = async (): Promise<typeof value> => {
    value.startTime += 1;
    return value;
  };
  t.deepEqual(await failedCases(sourceCases(read)), ['a reading does not change after the next one']);
});

test('the suite reports a source whose reason has two lines', async (t) => {
  const talkative = defineMetricSource({
    name: 'talkative',
    create: () => ({ read: () => Promise.reject(new Error('no route\nto host')) }),
  });
  const failed = await failedCases(metricSourceCases(talkative, { readable: none, unreadable: none }));
  t.true(failed.includes('a reading that is not possible fails with a one-line reason'));
});

test.serial('the suite reports a source that is always readable, or that ignores its signal', async (t) => {
  stopTimeouts(t).setTickMode({ mode: 'nextAsync' });
  const always = defineMetricSource({
    name: 'always',
    create: () => ({ read: async () => ({ families: [] }) }),
  });
  t.deepEqual(await failedCases(metricSourceCases(always, { readable: none, unreadable: none })), [
    'a reading that is not possible fails with a one-line reason',
  ]);
  const never = defineMetricSource({
    name: 'never',
    create: () => ({ read: () => new Promise(() => undefined) }),
  });
  t.true(
    (await failedCases(metricSourceCases(never, { readable: none, unreadable: none }))).includes(
      'a reading ends when its signal is aborted',
    ),
  );
});

test('the suite reports a notifier that hides refusals', async (t) => {
  const notifier = defineNotifier({ name: 'silent', create: () => ({ notify: () => undefined }) });
  t.deepEqual(
    await failedCases(notifierCases(notifier, { accepting: none, unreachable: none, refusing: none })),
    [
      'a notification that cannot be delivered fails with a one-line reason',
      'it reports which events are refused',
    ],
  );
});

test('the suite accepts a notifier with a transport that does not report a missing receiver', async (t) => {
  const notifier = defineNotifier({ name: 'datagrams', create: () => ({ notify: () => undefined }) });
  const cases = notifierCases(notifier, { accepting: none, unreachable: 'undetectable' });
  t.deepEqual(await failedCases(cases), []);
});

test('the suite reports a notifier that reports other events', async (t) => {
  const notifier = defineNotifier({
    name: 'copying',
    create: () => ({
      notify({ events }, _signal, report) {
        for (const event of events) report.accepted({ ...event });
      },
    }),
  });
  t.deepEqual(await failedCases(notifierCases(notifier, { accepting: none, unreachable: none })), [
    'every state and cause is delivered',
    'unusual text is delivered',
    'a notification that cannot be delivered fails with a one-line reason',
  ]);
});

test('the suite reports a notifier that reports an event twice', async (t) => {
  const notifier = defineNotifier({
    name: 'repeating',
    create: () => ({
      notify({ events: [event] }, _signal, report) {
        report.accepted(event!);
        report.accepted(event!);
      },
    }),
  });
  t.true(
    (await failedCases(notifierCases(notifier, { accepting: none, unreachable: none }))).includes(
      'every state and cause is delivered',
    ),
  );
});
