// The table of settings in config/README.md; a test compares the two.

import { SETTINGS, type Setting } from '../../config/schema.js';

const HEADER = ['key', 'meaning', 'format', 'default'];

/** Every setting as a row of a Markdown table. */
export function settingsTable(): string {
  const rows = [...SETTINGS].map(([key, setting]) => rowOf(key, setting));
  return [HEADER, HEADER.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

function rowOf(key: string, setting: Setting): string[] {
  return [
    code(key),
    setting.doc,
    formatOf(setting),
    setting.default === '' ? 'empty' : code(textOf(setting.default)),
  ];
}

function formatOf({ format }: Setting): string {
  if (typeof format === 'function') return 'mapping';
  return typeof format === 'object' ? format.map(code).join(', ') : format;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const code = (text: string): string => `\`${text}\``;
