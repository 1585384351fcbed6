// Changes of the logging specification run one at a time and are logged.

import { setImmediate as nextTurn } from 'node:timers/promises';
import test from 'ava';
import { LeveledLoggers, type LogEntry, type LoggingBackend } from '../../../core/contract/index.js';
import { createLogging, type Logging } from '../../../core/logging/index.js';

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
