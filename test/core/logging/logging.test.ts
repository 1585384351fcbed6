// Changes of the logging specification run one at a time and are logged.

import { setImmediate as nextTurn } from 'node:timers/promises';
import test from 'ava';
import {
  LeveledLoggers,
  type LogEntry,
  type Logger,
  type LoggingBackend,
} from '../../../core/contract/index.js';
import { boundBackend, createLogging, type Logging } from '../../../core/logging/index.js';
import { stopTimeouts } from '../../helpers/clock.js';

/** Logging with a backend that records entries and changes its specification asynchronously. */
function recorder(spec: string): { logging: Logging; logged: LogEntry[] } {
  const logged: LogEntry[] = [];
  const loggers = new LeveledLoggers({ write: (entry) => void logged.push(entry) });
  loggers.activate(spec);
  const backend: LoggingBackend = {
    spec: () => loggers.spec(),
    logger: (name) => loggers.logger(name),
    async activate(next) {
      await nextTurn();
      loggers.activate(next);
    },
  };
  return { logging: createLogging(backend), logged };
}

for (const [before, after] of [
  ['info', 'debug'],
  ['info', 'gossip=debug:warn'],
  ['info', 'fatal'],
  ['fatal', 'info'],
] as const) {
  test(`a change from ${before} to ${after} is logged once, with the client`, async (t) => {
    const { logging, logged } = recorder(before);
    await logging.activate(after, 'CN=operator');
    t.is(await logging.spec(), after);
    t.deepEqual(
      logged.map(({ name, level, message, fields }) => ({ name, level, message, fields })),
      [
        {
          name: 'logging',
          level: 'info',
          message: `logging specification changes from '${before}' to '${after}'`,
          fields: { client: 'CN=operator' },
        },
      ],
    );
  });
}

test('an invalid change is not logged and does not block the next one', async (t) => {
  const { logging, logged } = recorder('info');
  const invalid = logging.activate('a=b', 'x');
  const valid = logging.activate('warn', 'y');
  await t.throwsAsync(invalid, { code: 'LOG_SPEC_INVALID' });
  await valid;
  t.deepEqual(
    logged.map(({ message }) => message),
    ["logging specification changes from 'info' to 'warn'"],
  );
});

test('concurrent changes run in the order of the calls', async (t) => {
  const { logging, logged } = recorder('info');
  await Promise.all(['debug', 'a=warn:info', 'payload'].map((spec) => logging.activate(spec, 'x')));
  t.deepEqual(
    logged.map(({ message }) => message.replace('logging specification changes ', '')),
    ["from 'info' to 'debug'", "from 'debug' to 'a=warn:info'", "from 'a=warn:info' to 'payload'"],
  );
});

/** A backend of a third party, with loggers that are made by the test. */
function backendWith(logger: unknown, spec: unknown = 'info'): LoggingBackend {
  return {
    spec: async () => spec as string,
    activate: async () => undefined,
    logger: () => logger as Logger,
  };
}

test('a logger of a third party that throws does not fail its caller, and each fault is counted', (t) => {
  let faults = 0;
  const fail = (): never => {
    throw new Error('broken');
  };
  const broken = Object.fromEntries(
    ['payload', 'debug', 'info', 'warn', 'error', 'dpanic', 'panic', 'fatal', 'enabled'].map((name) => [
      name,
      fail,
    ]),
  );
  const logger = (name: string): Logger => (name === 'test' ? broken : { ...broken }) as unknown as Logger;
  const logging = createLogging({ ...backendWith(broken), logger }, () => (faults += 1));
  const found = logging.logger('test');
  t.is(found.name, 'test');
  for (const level of ['debug', 'info', 'warn', 'error', 'fatal'] as const)
    t.notThrows(() => found[level]('x'));
  t.is(faults, 5);
  t.false(found.enabled('info'));
  t.is(faults, 6);
  t.is(logging.logger('test'), found, 'a logger is wrapped once');
});

test('a logger of a third party gets the message and the fields, and says whether a level is enabled', (t) => {
  const calls: unknown[] = [];
  const own = {
    name: 'own',
    enabled: (level: string) => level === 'warn',
    ...Object.fromEntries(
      ['payload', 'debug', 'info', 'warn', 'error', 'panic', 'fatal'].map((level) => [
        level,
        (...entry: unknown[]) => calls.push([level, ...entry]),
      ]),
    ),
  };
  const logger = createLogging(backendWith(own), () => t.fail()).logger('test');
  logger.warn('careful', { a: 1 });
  t.deepEqual(calls, [['warn', 'careful', { a: 1 }]]);
  t.deepEqual([logger.enabled('warn'), logger.enabled('info')], [true, false]);
});

for (const found of [undefined, null, 'logger'])
  test(`a backend that returns ${JSON.stringify(found)} as a logger is not valid`, (t) => {
    t.throws(() => createLogging(backendWith(found)), {
      instanceOf: TypeError,
      message: "the logging backend returned no logger 'logging'",
    });
  });

test('a backend that returns no text as its specification is not valid', async (t) => {
  const logger = new LeveledLoggers({ write: () => undefined }).logger('logging');
  await t.throwsAsync(createLogging(backendWith(logger, 7)).spec(), {
    instanceOf: TypeError,
    message: 'the logging backend returned no specification',
  });
});

test('the first specification of the agent is not logged', async (t) => {
  const logged: unknown[] = [];
  const loggers = new LeveledLoggers({ write: (entry) => void logged.push(entry) });
  const logging = createLogging(loggers);
  await logging.activateFirst('debug');
  t.is(await logging.spec(), 'debug');
  t.deepEqual(logged, []);
});

test.serial('a backend that does not return or change its specification fails after 5 s', async (t) => {
  const clock = stopTimeouts(t);
  const hang = (): Promise<never> => new Promise(() => undefined);
  const logger = new LeveledLoggers({ write: () => undefined }).logger('a');
  const bound = boundBackend({ spec: hang, activate: hang, logger: () => logger });
  const message = 'the logging backend took longer than 5s';
  for (const call of [() => bound.spec(), () => bound.activate('info')]) {
    let isOver = false;
    const late = t.throwsAsync(async () => call(), { message }).then(() => (isOver = true));
    clock.tick(4999);
    await nextTurn();
    t.false(isOver);
    clock.tick(1);
    await late;
  }
  t.is(bound.logger('a'), logger);
  const working = boundBackend(backendWith(logger));
  t.is(await working.spec(), 'info');
  await working.activate('debug');
});
