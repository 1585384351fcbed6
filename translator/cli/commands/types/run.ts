// `types`: lists the names of the message types.

import type { Context } from '../../context.js';
import { CommandError } from '../../errors.js';
import { printText } from '../../output.js';
import type { Values } from '../../values.js';

/** @throws CommandError if no name matches */
export async function run(values: Values, { process, load }: Context): Promise<void> {
  const messageNames = await load.messageNames();
  const [pattern = ''] = values.rest;
  const names = messageNames().filter(matcher(pattern));
  if (names.length === 0) throw new CommandError(`no message type matches ${JSON.stringify(pattern)}`);
  printText(names.map((name) => `${name}\n`).join(''), process);
}

/** A pattern with `*` or `?` must match the full name, any other text may occur anywhere in it. Case is ignored. */
function matcher(pattern: string): (name: string) => boolean {
  if (!/[*?]/.test(pattern)) {
    const text = pattern.toLowerCase();
    return (name) => name.toLowerCase().includes(text);
  }
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    // Several `*` in a row mean the same as one and would make matching slow.
    .replace(/\*+/g, '.*')
    .replaceAll('?', '.');
  const expression = new RegExp(`^${source}$`, 'is');
  return (name) => expression.test(name);
}
