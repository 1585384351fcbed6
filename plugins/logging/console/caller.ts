// Which function logged an entry.

import type { LogEntry } from '../../../core/contract/index.js';

/** A place in the code. */
export interface Caller {
  /** The function without what it belongs to. */
  readonly shortFunction: string;
  /** `folder/file.js:line`. */
  readonly place: string;
}

const FRAME = /^\s*at (?:(?:async )?(.*?) \()?(.*?):(\d+):\d+\)?$/;

/** Finds who called the logger; to be used while the log call is under way. */
export function callerOf({ method }: Pick<LogEntry, 'method'>): Caller {
  const holder: { stack?: string } = {};
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 1;
  Error.captureStackTrace(holder, method);
  Error.stackTraceLimit = limit;
  const frame = FRAME.exec(holder.stack?.split('\n')[1] ?? '');
  const name = (frame?.[1] ?? '').replace(/ \[as .*\]$/, '');
  const path = (frame?.[2] ?? '').replace('file://', '').split('/').slice(-2).join('/');
  return {
    shortFunction: name.slice(name.lastIndexOf('.') + 1).replace('#', '') || 'anonymous',
    place: frame === null ? 'unknown' : `${path}:${frame[3] ?? '0'}`,
  };
}
