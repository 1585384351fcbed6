// Finds the place of a log call in the code.

import type { LogEntry } from '../../../core/contract/index.js';
import { sourceMapOf } from '../../../core/kit/internal/index.js';

/** A place in the code. */
export interface Caller {
  /** The function without its class or object. */
  readonly shortFunction: string;
  /** `directory/file.ts:line`; the compiled file if there is no source map. */
  readonly place: string;
}

const UNKNOWN: Caller = { shortFunction: 'anonymous', place: 'unknown' };

/** The callers found so far, by file, line and column: looking up a source map is expensive. */
const known = new Map<string, Caller>();

/** Finds the caller of the logger. Call it synchronously from the log call. */
export function callerOf({ method }: Pick<LogEntry, 'method'>): Caller {
  const site = callSiteOf(method);
  const file = site?.getFileName();
  if (site === undefined || file === null || file === undefined) return UNKNOWN;
  const line = site.getLineNumber() ?? 0;
  const column = site.getColumnNumber() ?? 0;
  const key = `${file}:${line}:${column}`;
  let caller = known.get(key);
  if (caller === undefined) {
    const name = site.getFunctionName() ?? '';
    caller = {
      shortFunction: name.slice(name.lastIndexOf('.') + 1).replace('#', '') || 'anonymous',
      place: placeOf(file, line, column),
    };
    known.set(key, caller);
  }
  return caller;
}

/** The stack frame above a function. */
function callSiteOf(method: LogEntry['method']): NodeJS.CallSite | undefined {
  const { stackTraceLimit } = Error;
  const prepareStackTrace: unknown = Reflect.get(Error, 'prepareStackTrace');
  try {
    Error.stackTraceLimit = 1;
    Error.prepareStackTrace = (_, sites) => sites;
    const holder: { stack?: readonly NodeJS.CallSite[] } = {};
    Error.captureStackTrace(holder, method);
    return holder.stack?.[0];
  } finally {
    Object.assign(Error, { stackTraceLimit, prepareStackTrace });
  }
}

function placeOf(file: string, line: number, column: number): string {
  const origin = sourceMapOf(file)?.findOrigin(line, column);
  const [name, number] =
    origin !== undefined && 'fileName' in origin ? [origin.fileName, origin.lineNumber] : [file, line];
  return `${name.split('/').slice(-2).join('/')}:${number}`;
}
