// `types`: the names of the message types.

import type { Context } from './context.js';
import { writeAll } from './descriptor.js';
import { CommandError, onPath } from './errors.js';
import type { Values } from './values.js';

/** @throws CommandError when no name matches */
export async function run(values: Values, { process, operations }: Context): Promise<void> {
  const { messageNames } = await operations();
  const [pattern = ''] = values.rest;
  const names = messageNames().filter(matcher(pattern));
  if (names.length === 0) throw new CommandError(`no message type matches ${JSON.stringify(pattern)}`);
  const text = names.map((name) => `${name}\n`).join('');
  onPath('write', '/dev/stdout', () => writeAll(process.stdout, Buffer.from(text)));
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
