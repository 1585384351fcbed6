// `types`: lists the names of the message types.

import { defineCommand, optionalArgument } from '../command.js';
import { CommandError } from '../errors.js';
import { printText } from '../files.js';
import { text } from '../kinds.js';

/** The command. */
export const types = defineCommand({
  name: 'types',
  help: 'Lists the message types.',
  example: 'types block',
  arguments: {
    pattern: optionalArgument(
      text,
      "List only the types with this text in their name, or with a name that matches it if it contains '*' or '?'. Case is ignored.",
    ),
  },
  async run({ pattern = '' }, io) {
    const { messageNames } = await import('../../../proto/registry.js');
    const names = messageNames().filter(matcher(pattern));
    if (names.length === 0) throw new CommandError(`no message type matches ${JSON.stringify(pattern)}`);
    printText(names.map((name) => `${name}\n`).join(''), io);
  },
});

/** A pattern with `*` or `?` must match the full name, other text any part of it. Case is ignored. */
function matcher(pattern: string): (name: string) => boolean {
  if (!/[*?]/.test(pattern)) {
    const part = pattern.toLowerCase();
    return (name) => name.toLowerCase().includes(part);
  }
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    // Several `*` in a row mean the same as one, but would make matching slow.
    .replace(/\*+/g, '.*')
    .replaceAll('?', '.');
  const expression = new RegExp(`^${source}$`, 'is');
  return (name) => expression.test(name);
}
