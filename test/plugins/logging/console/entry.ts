// Log entries for the tests in this folder.

import {
  LeveledLoggers,
  type LevelName,
  type LogEntry,
  type LogFields,
} from '../../../../core/contract/index.js';

/** An entry as a logger makes it, with `values` in place of what it would have. */
export function entry(values: Partial<LogEntry> = {}): LogEntry {
  const method = (): void => undefined;
  return {
    level: 'info',
    time: 0,
    name: 'gossip.state',
    message: 'hello',
    fields: undefined,
    method,
    ...values,
  };
}

/** What a writer makes of a log call, made from a function of this name. */
export function logThrough<T>(
  format: (logged: LogEntry) => T,
  message: string,
  fields?: LogFields,
  level: LevelName = 'info',
): T | undefined {
  let made: T | undefined;
  const loggers = new LeveledLoggers({ write: (logged) => void (made = format(logged)) });
  loggers.activate('payload');
  const logger = loggers.logger('gossip.state');
  function commitBlock(): void {
    logger[level](message, fields);
  }
  commitBlock();
  return made;
}
