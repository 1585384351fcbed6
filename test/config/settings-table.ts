// The table of settings in config/README.md; a test compares the two.

import { variableOf } from '../../config/overrides.js';
import { keyIn } from '../../config/dialects.js';
import { SETTINGS, type Setting } from '../../config/schema.js';

const HEADER = ['key', 'meaning', 'format', 'default', 'in core.yaml', 'in orderer.yaml', 'environment'];

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
    code(keyIn('peer', key)),
    code(keyIn('orderer', key)),
    variables(key, setting).map(code).join(', ') || '–',
  ];
}

function formatOf({ format }: Setting): string {
  if (typeof format === 'function') return 'mapping';
  return typeof format === 'object' ? format.map(code).join(', ') : format;
}

function variables(key: string, { env }: Setting): string[] {
  if (env !== undefined) return [env];
  const ofNodes = [variableOf('peer', key), variableOf('orderer', key)].filter((name) => name !== undefined);
  return ofNodes.length > 0 ? ofNodes : [variableOf('agent', key)].filter((name) => name !== undefined);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const code = (text: string | undefined): string => (text === undefined ? '–' : `\`${text}\``);
