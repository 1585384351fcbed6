import test from 'ava';
import { LeveledLoggers, type LevelName, type LogEntry } from '../../../core/contract/index.js';
import { LEVEL_NAMES } from '../../../core/contract/log-spec.js';
import { neverThrows } from '../../../core/contract/logging.js';

/** Loggers that record entries and counts. */
function recorder(): {
  loggers: LeveledLoggers;
  entries: LogEntry[];
  checked: LevelName[];
  written: LevelName[];
} {
  const entries: LogEntry[] = [];
  const checked: LevelName[] = [];
  const written: LevelName[] = [];
  const loggers = new LeveledLoggers({
    write: (entry) => void entries.push(entry),
    checked: (level) => void checked.push(level),
    written: (level) => void written.push(level),
  });
  return { loggers, entries, checked, written };
}

for (const active of LEVEL_NAMES) {
  test(`a logger at ${active} writes entries of that level and above`, (t) => {
    const { loggers, entries } = recorder();
    loggers.activate(active);
    const logger = loggers.logger('a.b');
    for (const level of LEVEL_NAMES) logger[level](`at ${level}`);
    const expected = LEVEL_NAMES.slice(LEVEL_NAMES.indexOf(active));
    t.deepEqual(
      entries.map(({ level }) => level),
      expected,
    );
    t.deepEqual(
      LEVEL_NAMES.filter((level) => logger.enabled(level)),
      expected,
    );
  });
}

test('the initial specification is info', (t) => {
  const { loggers } = recorder();
  t.is(loggers.spec(), 'info');
  t.false(loggers.logger('a').enabled('debug'));
  t.true(loggers.logger('a').enabled('info'));
});

test('a new specification applies at once to existing and to new loggers', (t) => {
  const { loggers, entries } = recorder();
  const early = loggers.logger('gossip.state');
  const { debug } = early;
  early.debug('too early');
  loggers.activate('gossip=debug:error');
  early.debug('early');
  debug.call(early, 'kept method');
  loggers.logger('gossip.comm').debug('late');
  loggers.logger('ledger').warn('hidden');
  loggers.activate('fatal');
  early.debug('too late');
  t.deepEqual(
    entries.map(({ name, message }) => `${name} ${message}`),
    ['gossip.state early', 'gossip.state kept method', 'gossip.comm late'],
  );
});

test('the same name returns the same logger', (t) => {
  const { loggers } = recorder();
  t.is(loggers.logger('a.b'), loggers.logger('a.b'));
  t.not(loggers.logger('a.b'), loggers.logger('a.c'));
});

for (const name of ['', 'a b', 'a..b', '.a', 'a.', 'ü', 'a/b']) {
  test(`'${name}' is not a logger name`, (t) => {
    t.throws(() => recorder().loggers.logger(name), { code: 'LOGGER_NAME_INVALID' });
  });
}

test('an invalid specification does not change the level of any logger', (t) => {
  const { loggers } = recorder();
  loggers.activate('a=debug:warn');
  t.throws(() => loggers.activate('a=error:bad'), { code: 'LOG_SPEC_INVALID' });
  t.is(loggers.spec(), 'a=debug:warn');
  t.true(loggers.logger('a').enabled('debug'));
});

test('a call below the lowest level of the specification is neither checked nor written', (t) => {
  const { loggers, entries, checked, written } = recorder();
  const logger = loggers.logger('a');
  logger.debug('hidden');
  logger.payload('hidden');
  t.deepEqual([entries.length, checked, written], [0, [], []]);
});

test('a call at a level that only another logger writes is checked and not written', (t) => {
  const { loggers, entries, checked, written } = recorder();
  loggers.activate('nosuch=debug:info');
  const logger = loggers.logger('a');
  logger.debug('hidden');
  logger.payload('hidden');
  logger.warn('shown');
  t.deepEqual(checked, ['debug', 'warn']);
  t.deepEqual(written, ['warn']);
  t.deepEqual(
    entries.map(({ message }) => message),
    ['shown'],
  );
});

test('an entry contains level, name, message, fields and time', (t) => {
  const { loggers, entries } = recorder();
  const before = Date.now();
  const fields = { block: 7 };
  loggers.logger('a').error('went wrong', fields);
  const [entry] = entries;
  t.like(entry, { level: 'error', name: 'a', message: 'went wrong', fields });
  t.true((entry?.time ?? 0) >= before && (entry?.time ?? 0) <= Date.now());
});

test('the callbacks for counts are optional', (t) => {
  const messages: string[] = [];
  new LeveledLoggers({ write: ({ message }) => void messages.push(message) }).logger('a').info('hello');
  t.deepEqual(messages, ['hello']);
});

test('loggers of this package never throw, also if the entry cannot be written; others may', (t) => {
  const loggers = new LeveledLoggers({
    write: () => {
      throw new Error('disk full');
    },
  });
  const logger = loggers.logger('a');
  t.notThrows(() => logger.error('lost'));
  t.true(neverThrows(logger));
  t.false(neverThrows({ name: 'a' } as never));
  const hostile = new Proxy(
    {},
    {
      get() {
        throw new Error('no');
      },
    },
  );
  t.false(neverThrows(hostile as never));
});
