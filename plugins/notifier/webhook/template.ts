// Templates of documents: JSON files with placeholders.

import { describeSystemError, readForeignBytes } from '../../../core/kit/index.js';
import type { Content } from './presets.js';
import { worstSeverity } from './words.js';

/** Largest template, in bytes. */
const MAX_TEMPLATE_SIZE = 64 * 1024;
/** Deepest template. */
const MAX_DEPTH = 20;

/** Creates the document of a notification. */
export type Template = (content: Content) => unknown;

/** The values of placeholders in strings; `{{events}}` as a whole string becomes the list of events. */
const PLACEHOLDERS: ReadonlyMap<string, (content: Content) => string> = new Map([
  ['title', ({ words }: Content) => words.title],
  ['text', ({ words }: Content) => words.lines.join('\n')],
  ['agent', ({ agent }: Content) => agent],
  ['cause', ({ notification }: Content) => notification.cause],
  ['severity', ({ notification }: Content) => worstSeverity(notification.events)],
]);
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
const EVENTS = /^\{\{\s*events\s*\}\}$/;

/**
 * Reads a template.
 *
 * @throws Error with the option, the file and the problem
 */
export async function readTemplate(file: string): Promise<Template> {
  try {
    const document: unknown = JSON.parse((await readForeignBytes(file, MAX_TEMPLATE_SIZE)).toString());
    checkPlaceholders(document, 0);
    return (content) => filled(document, content);
  } catch (error) {
    throw new Error(`options.template: ${file}: ${describeSystemError(error)}`, { cause: error });
  }
}

function checkPlaceholders(value: unknown, depth: number): void {
  if (depth > MAX_DEPTH) throw new Error(`it is nested more than ${MAX_DEPTH} levels deep`);
  if (typeof value === 'string' && !EVENTS.test(value)) {
    for (const [placeholder, name = ''] of value.matchAll(PLACEHOLDER))
      if (!PLACEHOLDERS.has(name.trim()))
        throw new Error(
          `unknown placeholder ${placeholder}; allowed are ${[...PLACEHOLDERS.keys()].map((known) => `{{${known}}}`).join(', ')}, and {{events}} as a whole string`,
        );
  } else if (typeof value === 'object' && value !== null)
    for (const member of Object.values(value)) checkPlaceholders(member, depth + 1);
}

function filled(value: unknown, content: Content): unknown {
  if (typeof value === 'string')
    return EVENTS.test(value)
      ? content.events
      : value.replaceAll(PLACEHOLDER, (_, name: string) => PLACEHOLDERS.get(name.trim())?.(content) ?? '');
  if (Array.isArray(value)) return value.map((member) => filled(member, content));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, filled(member, content)]));
}
