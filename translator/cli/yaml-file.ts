// Reads YAML files.

import { readFileSync, statSync } from 'node:fs';
import { CommandError, onPath } from './errors.js';
import { MAX_FILE_SIZE } from './msp-directory.js';

/** How many values the aliases of a file may expand to. */
const MAX_ALIASES = 100;

/** A mapping of a file; nothing is known about its values. */
export type Mapping = Readonly<Record<string, unknown>>;

/** The value of a file; undefined if there is no such file. @throws CommandError */
export async function readYaml(file: string): Promise<unknown> {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (found.size > MAX_FILE_SIZE) throw new CommandError(`${file} is larger than ${MAX_FILE_SIZE} bytes`);
  const text = onPath('read', file, () => readFileSync(file, 'utf8'));
  const { Composer, Parser } = await import('#yaml');
  const documents = [...new Composer().compose(new Parser().parse(text))];
  const [document] = documents;
  const [error] = document?.errors ?? [];
  if (error !== undefined) throw new CommandError(`${file}: ${error.message}`);
  try {
    return document?.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (cause) {
    throw new CommandError(`${file}: ${(cause as Error).message}`, { cause });
  }
}

/** A mapping; an empty one for any other value. */
export const mappingOf = (value: unknown): Mapping =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Mapping) : {};
