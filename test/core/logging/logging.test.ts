// What the agent makes of a logging backend: changes one after the other, each of them logged.

import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { LeveledLoggers, type LogEntry, type LoggingBackend } from '../../../core/contract/index.js';
import { createLogging, type Logging } from '../../../core/logging/index.js';

/** A logging whose backend keeps what is logged, and takes its time for changes. */
function recorder(spec: string): { logging: Logging; logged: LogEntry[] } {
  const logged: LogEntry[] = [];
  const loggers = new LeveledLoggers({ write: (entry) => void logged.push(entry) });
  loggers.activate(spec);
  const backend: LoggingBackend = {
    spec: () => loggers.spec(),
    logger: (name) => loggers.logger(name),
    async activate(next) {
      await sleep(5);
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
  test(`a change from ${before} to ${after} is logged once, with who asked for it`, async (t) => {
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

test('a change that is refused is not logged, and the next one is taken', async (t) => {
  const { logging, logged } = recorder('info');
  const refused = logging.activate('a=b', 'x');
  const taken = logging.activate('warn', 'y');
  await t.throwsAsync(refused, { code: 'LOG_SPEC_INVALID' });
  await taken;
  t.deepEqual(
    logged.map(({ message }) => message),
    ["logging specification changes from 'info' to 'warn'"],
  );
});

test('changes asked for at the same time happen in that order, each from the one before', async (t) => {
  const { logging, logged } = recorder('info');
  await Promise.all(['debug', 'a=warn:info', 'payload'].map((spec) => logging.activate(spec, 'x')));
  t.deepEqual(
    logged.map(({ message }) => message.replace('logging specification changes ', '')),
    ["from 'info' to 'debug'", "from 'debug' to 'a=warn:info'", "from 'a=warn:info' to 'payload'"],
  );
});
