// Structured fields as text: `key=value sp="has space" arr=[x,y] map=map[z:1]`.

import type { LogFields } from '../../../core/contract/index.js';

const MAX_DEPTH = 4;
const NEEDS_QUOTES = /[\s="\\\u0000-\u001f\u007f]/;

/** The fields in the order given, joined by blanks; those without a value are left out. */
export function formatFields(fields: LogFields): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${formatKey(key)}=${quoteWhereNeeded(formatSafely(value))}`)
    .join(' ');
}

/** A value in quotes when a reader could not tell where it ends otherwise. */
export function quoteWhereNeeded(text: string): string {
  return NEEDS_QUOTES.test(text) ? JSON.stringify(text) : text;
}

function formatKey(key: string): string {
  return key.replaceAll(/[\s="\\\u0000-\u001f\u007f]/g, '_');
}

/** A log call never throws, whatever it is given. */
function formatSafely(value: unknown): string {
  try {
    return formatValue(value, 0);
  } catch {
    return '(cannot be shown)';
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
