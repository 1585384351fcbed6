// Creates log entries.

import { LeveledLoggers, type LevelName, type LogEntry } from '../../../../core/contract/index.js';
import type { LogFields } from '../../../../core/contract/logging.js';

/** An entry with default values; `values` override them. */
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

/** Logs a message in the function `commitBlock` and returns the formatted entry. */
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
