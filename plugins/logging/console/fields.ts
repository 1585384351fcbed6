// Structured fields as text: `key=value sp="has space" arr=[x,y] map=map[z:1]`.

import type { LogFields } from '../../../core/contract/internal/index.js';
import { onOneLine } from '../../../core/kit/index.js';

const MAX_DEPTH = 4;
const NEEDS_QUOTES = /[\s="\\\p{Cc}]/u;
const NOT_IN_KEYS = /[\s="\\\p{Cc}]/gu;

/** Formats fields in their order, separated by spaces; undefined values are skipped. */
export function formatFields(fields: LogFields): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${formatKey(key)}=${quoteIfNeeded(formatSafely(value))}`)
    .join(' ');
}

/** Quotes a value that contains whitespace, quotes or an equals sign. */
export function quoteIfNeeded(text: string): string {
  // JSON itself does not escape DEL, C1 and the line separators of Unicode.
  return NEEDS_QUOTES.test(text) ? onOneLine(JSON.stringify(text)) : text;
}

function formatKey(key: string): string {
  return key.replaceAll(NOT_IN_KEYS, '_');
}

/** Getters and `toString` of a value can throw, but a log call must not throw. */
function formatSafely(value: unknown): string {
  try {
    return formatValue(value, 0);
  } catch {
    return '(cannot be formatted)';
  }
}

function formatValue(value: unknown, depth: number): string {
  if (value instanceof Error) return value.message;
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object' || value === null) return String(value);
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) return `[${value.map((item) => formatValue(item, depth + 1)).join(',')}]`;
  const pairs = Object.entries(value).map(([key, inner]) => `${key}:${formatValue(inner, depth + 1)}`);
  return `map[${pairs.sort().join(' ')}]`;
}
