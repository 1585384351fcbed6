// The flags `--format` and `--json`.

import { UsageError } from './errors.js';
import type { Flag } from './flag.js';
import type { Values } from './values.js';

const FORMATS = ['text', 'json', 'markdown'] as const;

/** How a result is written. */
export type Format = (typeof FORMATS)[number];

export const FORMAT: Flag = {
  name: 'format',
  kind: 'string',
  fallback: 'text',
  help: 'text, json, which lists everything, or markdown for a pull request.',
};

/** Of commands that write text or JSON. */
export const JSON_FLAG: Flag = {
  name: 'json',
  kind: 'boolean',
  help: 'Write JSON, which lists everything.',
};

/** A result as JSON. */
export const jsonText = (result: unknown): string => `${JSON.stringify(result, undefined, 2)}\n`;

/** @throws UsageError for another format */
export function formatOf(values: Values): Format {
  if (values.isSet('json')) return 'json';
  const text = values.one('format');
  const found = FORMATS.find((format) => format === text);
  if (found !== undefined) return found;
  throw new UsageError(`flag 'format' must be one of ${FORMATS.join(', ')}, found ${JSON.stringify(text)}`);
}
