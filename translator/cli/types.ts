// `types`: the names of the message types.

import type { Context } from './context.js';
import { CommandError } from './errors.js';
import { printText } from './output.js';
import type { Values } from './values.js';

/** @throws CommandError when no name matches */
export async function run(values: Values, { process, load }: Context): Promise<void> {
  const messageNames = await load.messageNames();
  const [pattern = ''] = values.rest;
  const names = messageNames().filter(matcher(pattern));
  if (names.length === 0) throw new CommandError(`no message type matches ${JSON.stringify(pattern)}`);
  printText(names.map((name) => `${name}\n`).join(''), process);
}

/** With `*` or `?` the whole name is matched, otherwise any part of it. */
function matcher(pattern: string): (name: string) => boolean {
  if (!/[*?]/.test(pattern)) return (name) => name.includes(pattern);
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    // Stars in a row are one: more would make matching slow.
    .replace(/\*+/g, '.*')
    .replaceAll('?', '.');
  const expression = new RegExp(`^${source}$`, 's');
  return (name) => expression.test(name);
}
