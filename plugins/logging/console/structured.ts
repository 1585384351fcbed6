// The structured log formats: JSON, written by pino, and logfmt.

import pino from 'pino';
import { LEVELS } from '../../../core/contract/index.js';
import type { LogFields } from '../../../core/contract/internal/index.js';
import { onOneLine } from '../../../core/kit/index.js';
import { callerOf } from './caller.js';
import { formatFields, quoteIfNeeded } from './fields.js';
import type { EntryFormatter } from './pattern.js';

const OWN_KEYS = new Set(['level', 'ts', 'name', 'caller', 'msg']);

/** Creates a formatter of JSON lines: `level`, `ts` (seconds since the epoch), `name`, `caller`, `msg`, the fields. */
export function createJsonFormatter(): EntryFormatter {
  let line = '';
  // pino requires positive level numbers. Entries are already filtered, so only the order matters.
  const levels = Object.fromEntries(Object.entries(LEVELS).map(([name, level]) => [name, (level + 3) * 10]));
  const logger = pino(
    {
      base: null,
      customLevels: levels,
      useOnlyCustomLevels: true,
      level: 'payload',
      // Each entry has its own time, so that `ts` comes second as in Fabric.
      timestamp: false,
      // Otherwise pino takes the message from a field `err`.
      errorKey: '',
      formatters: { level: (level) => ({ level }) },
    },
    // JSON does not escape DEL, C1 and the line separators of Unicode. All of them are in strings here.
    { write: (text) => void (line = `${onOneLine(text.trimEnd())}\n`) },
  );
  return ({ level, time, name, message, fields = {}, method }) => {
    const extra = renamed(fields);
    for (const [key, value] of Object.entries(extra)) if (value instanceof Error) extra[key] = value.message;
    const caller = callerOf({ method }).place;
    logger[level]?.({ ts: time / 1000, name, caller, msg: message, ...extra });
    return line;
  };
}

/** Writes an entry in logfmt, with the keys of the JSON form. */
export const formatLogfmt: EntryFormatter = (entry) => {
  const { level, time, name, message, fields } = entry;
  const head = `level=${level} ts=${time / 1000} name=${quoteIfNeeded(name)} caller=${callerOf(entry).place} msg=${quoteIfNeeded(message)}`;
  const tail = fields === undefined ? '' : formatFields(renamed(fields));
  return tail === '' ? `${head}\n` : `${head} ${tail}\n`;
};

/** Appends `_` to fields with the name of a standard key. */
function renamed(fields: LogFields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [OWN_KEYS.has(key) ? `${key}_` : key, value]),
  );
}
